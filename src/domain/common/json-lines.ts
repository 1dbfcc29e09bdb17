import type * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

type Malformed = Evidence['malformedLines'][number];

/** Parses JSON lines leniently: what does not fit is kept and counted, never fatal. */
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

/** A JSON value, or undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is an answer here, not a failure: it fits no schema, and callers say so.
    return undefined;
  }
}
