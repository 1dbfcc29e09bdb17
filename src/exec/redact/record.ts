import { setImmediate } from 'node:timers/promises';
import { redactText } from '../redact.js';
import { redactBytes } from './bytes.js';

/** Fields with words of our own, which readers compare. A credential that is such a word must not change them. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'kind key category change form source when cut outcome api proof'.split(' '),
);
/** Longer texts are redacted piece by piece, so that Ctrl-C works meanwhile. */
const LONG = 64 * 1024;

/** Returns a copy of a record without credentials in its texts. The names of its fields stay. */
export function redactRecord<Value>(value: Value, secrets: readonly string[], field?: string): Promise<Value>;
export async function redactRecord(value: unknown, secrets: readonly string[], field = ''): Promise<unknown> {
  if (typeof value === 'string') {
    if (OWN_WORDS.has(field)) return value;
    return value.length > LONG ? redactLong(value, secrets) : redactText(value, secrets);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await redactRecord<unknown>(item, secrets, field));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value))
    fields.push([name, await redactRecord<unknown>(item, secrets, name)]);
  return Object.fromEntries(fields);
}

async function redactLong(text: string, secrets: readonly string[]): Promise<string> {
  await setImmediate();
  return redactBytes(Buffer.from(text), secrets);
}
