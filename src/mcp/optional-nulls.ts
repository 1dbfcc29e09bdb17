import * as z from 'zod';

/** The part of a JSON schema that says which properties an object has, and which it must have. */
const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/**
 * Adds null to what each optional property of a schema may be. Many clients, Python ones above all, send null for a
 * parameter that was left out.
 */
export function allowNulls(schema: unknown): Readonly<Record<string, unknown>> {
  const read = objectSchema.safeParse(schema);
  if (!read.success) return z.record(z.string(), z.unknown()).parse(schema);
  const { properties, required } = read.data;
  const entries = Object.entries(properties).map(([name, part]): [string, unknown] => {
    const own = allowNulls(part);
    return [name, required.includes(name) ? own : orNull(own)];
  });
  // zod's output is not changed: `required` must stay missing where it is.
  return { ...z.record(z.string(), z.unknown()).parse(schema), properties: Object.fromEntries(entries) };
}

/** Keeps what describes the property where clients look for it. */
function orNull({ description, default: given, ...rest }: Readonly<Record<string, unknown>>) {
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(given === undefined ? {} : { default: given }),
  };
}

/** Removes the nulls of optional properties from a value, as if they were left out. */
export function dropNulls(value: unknown, schema: unknown): unknown {
  const read = objectSchema.safeParse(schema);
  if (!read.success || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties, required } = read.data;
  const kept = Object.entries(value).filter(
    ([name, part]) => part !== null || !Object.hasOwn(properties, name) || required.includes(name),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, dropNulls(part, properties[name])]));
}
