import { redactText } from '../redact.js';

/** Fields with words of our own, which readers compare. A credential that is such a word must not change them. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'kind key category change form source when cut outcome api proof'.split(' '),
);

/** Returns a copy of a record without credentials in its texts. The names of its fields stay. */
export function redactRecord<Value>(value: Value, secrets: readonly string[], field?: string): Value;
export function redactRecord(value: unknown, secrets: readonly string[], field = ''): unknown {
  if (typeof value === 'string') return OWN_WORDS.has(field) ? value : redactText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactRecord<unknown>(item, secrets, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactRecord<unknown>(item, secrets, name)]),
  );
}
