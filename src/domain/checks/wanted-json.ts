import * as z from 'zod';
import { parseJson } from '../common/json-lines.js';

/** A JSON document, or a part of one. */
export type JsonValue = z.core.util.JSONType;

/**
 * What a JSON value should contain. An object needs these fields and may have others; a list needs these items and no
 * others; a pattern matches a text or a number.
 */
export type WantedJson =
  | string
  | number
  | boolean
  | null
  | RegExp
  | readonly WantedJson[]
  | { readonly [field: string]: WantedJson };

/** Whether a JSON value contains what is wanted. */
export function matches(value: JsonValue, wanted: WantedJson): boolean {
  if (wanted instanceof RegExp)
    return (typeof value === 'string' || typeof value === 'number') && wanted.test(String(value));
  if (isList(wanted))
    return (
      isList(value) &&
      value.length === wanted.length &&
      value.every((item, index) => matches(item, wanted[index] ?? null))
    );
  if (wanted === null || typeof wanted !== 'object') return value === wanted;
  if (value === null || typeof value !== 'object' || isList(value)) return false;
  return Object.entries(wanted).every(([field, part]) => {
    const found = value[field];
    return found !== undefined && matches(found, part);
  });
}

function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

/** Formats what is wanted on one line, patterns as they are written. */
export function showJson(wanted: WantedJson): string {
  if (wanted instanceof RegExp) return String(wanted);
  if (isList<WantedJson>(wanted)) return `[${wanted.map(showJson).join(', ')}]`;
  if (wanted === null || typeof wanted !== 'object') return JSON.stringify(wanted);
  return `{${Object.entries(wanted)
    .map(([field, part]) => `${field}: ${showJson(part)}`)
    .join(', ')}}`;
}

/** Returns the whole text as one JSON document, or each line that is one. */
export function readDocuments(text: string): readonly JsonValue[] {
  const whole = readJson(text);
  return whole === undefined
    ? text.split('\n').flatMap((line) => {
        const value = readJson(line);
        return value === undefined ? [] : [value];
      })
    : [whole];
}

const json = z.json();

function readJson(text: string): JsonValue | undefined {
  return json.safeParse(parseJson(text)).data;
}
