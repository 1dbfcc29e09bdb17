import type * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

type Malformed = Evidence['malformedLines'][number];

/** Parses JSON lines. Returns lines that do not fit the schema as `malformed` instead of failing. */
export function parseJsonLines<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): { records: z.infer<Schema>[]; malformed: Malformed[] } {
  const records: z.infer<Schema>[] = [];
  const malformed: Malformed[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = schema.safeParse(parseJson(line));
    if (parsed.success) records.push(parsed.data);
    else malformed.push({ file, line: index + 1, text: line.slice(0, 500) });
  }
  return { records, malformed };
}

/** Parses a JSON value, or returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // undefined fits no schema, so callers report it.
    return undefined;
  }
}
