import type * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

type Malformed = Evidence['malformedLines'][number];

/** More unreadable lines tell nothing new. */
const MAX_MALFORMED = 1000;

/** Parses JSON lines. Returns lines that do not fit the schema as `malformed` instead of failing. */
export function parseJsonLines<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): { records: z.infer<Schema>[]; malformed: Malformed[] } {
  const records: z.infer<Schema>[] = [];
  const malformed: Malformed[] = [];
  for (const line of readJsonLines(text, file, schema)) {
    if ('record' in line) records.push(line.record);
    else if (malformed.length < MAX_MALFORMED) malformed.push(line.malformed);
  }
  return { records, malformed };
}

/** Reads JSON lines one by one, without a list of them all. */
export function* readJsonLines<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): Generator<{ readonly record: z.infer<Schema> } | { readonly malformed: Malformed }> {
  let number = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length + 1 : end + 1;
    number += 1;
    if (line.trim() === '') continue;
    const parsed = schema.safeParse(parseJson(line));
    yield parsed.success
      ? { record: parsed.data }
      : { malformed: { file, line: number, text: line.slice(0, 500) } };
  }
}

/** Parses a JSON value, or returns undefined if the text is not JSON, or nested deeper than any program means. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // undefined fits no schema, so callers report it.
    return undefined;
  }
}

/** Whatever walks through a value, such as JSON.stringify, needs a bit of stack for each level. */
const MAX_DEPTH = 500;

/** Whether JSON is nested deeper than we read it. */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (inText) {
      if (letter === '\\') at += 1;
      else if (letter === '"') inText = false;
    } else if (letter === '"') inText = true;
    else if (letter === '[' || letter === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (letter === ']' || letter === '}') depth -= 1;
  }
  return false;
}
