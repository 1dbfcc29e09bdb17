import * as z from 'zod';

/** The part of a JSON schema that says which properties an object has, and which it must have. */
const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/**
 * Removes the nulls of optional properties from a value: many clients, Python ones above all, send null for a parameter
 * that was left out. The published schema does not mention it, because clients that ask people for input cannot show a
 * choice of types.
 */
export function dropNulls(value: unknown, schema: unknown): unknown {
  const read = objectSchema.safeParse(schema);
  if (!read.success || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties, required } = read.data;
  const kept = Object.entries(value).filter(
    ([name, part]) => part !== null || !Object.hasOwn(properties, name) || required.includes(name),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, dropNulls(part, properties[name])]));
}
