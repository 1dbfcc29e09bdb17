import * as z from 'zod';

const schemaSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

/** Lists the parameter names in a tool's JSON schema. */
export function readParameters(schema: unknown): string[] {
  const parsed = schemaSchema.safeParse(schema);
  return parsed.success ? Object.keys(parsed.data.properties ?? {}) : [];
}
