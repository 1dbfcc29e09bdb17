import type * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

type Malformed = Evidence['malformedLines'][number];

/** More unreadable lines tell nothing new. */
const MAX_MALFORMED = 1000;

/** A line that fits its schema, or one that does not. */
type JsonLine<Record> =
  | { readonly record: Record }
  | {
      readonly malformed: Malformed;
      /** The names of its fields; null if it is not a JSON object. */
      readonly fields: readonly string[] | null;
    };

/** Parses JSON lines. Returns lines that do not fit the schema as `malformed` instead of failing. */
export function parseJsonLines<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): { records: z.infer<Schema>[]; malformed: Malformed[]; unknownForm: readonly string[] | null } {
  const records: z.infer<Schema>[] = [];
  const malformed: Malformed[] = [];
  const form = new Form();
  for (const line of readJsonLines(text, file, schema)) {
    form.see(line);
    if ('record' in line) records.push(line.record);
    else if (malformed.length < MAX_MALFORMED) malformed.push(line.malformed);
  }
  return { records, malformed, unknownForm: form.unknown };
}

/**
 * Tells a file whose lines have a form that we do not know from one that is damaged: no line fits, and the first one,
 * which its program wrote, is a JSON object.
 */
export class Form {
  #first: readonly string[] | null | undefined;
  #fits = false;

  see(line: JsonLine<unknown>): void {
    if ('record' in line) this.#fits = true;
    else if (this.#first === undefined) this.#first = line.fields;
  }

  /** The fields of the first line, if the form is unknown. */
  get unknown(): readonly string[] | null {
    return this.#fits ? null : (this.#first ?? null);
  }
}

/** Reads JSON lines one by one, without a list of them all. */
export function* readJsonLines<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): Generator<JsonLine<z.infer<Schema>>> {
  let number = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length + 1 : end + 1;
    number += 1;
    if (line.trim() === '') continue;
    const value = parseJson(line);
    const parsed = schema.safeParse(value);
    yield parsed.success
      ? { record: parsed.data }
      : { malformed: { file, line: number, text: line.slice(0, 500) }, fields: fieldsOf(value) };
  }
}

function fieldsOf(value: unknown): string[] | null {
  return isMapping(value) ? Object.keys(value) : null;
}

/** Whether a value is a mapping, as in YAML, TOML and JSON. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
