import { isMapping } from '../../../domain/common/strict.js';

/** Values that belong to the caller: what is in them keeps its names. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['args', 'response', 'labels'],
  ...['parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema'],
]);

/** Writes the keys of a request in camel case: Google's services take both spellings, `candidateCount` and `candidate_count`. */
export function toCamelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelKeys);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, OPAQUE.has(name) ? item : toCamelKeys(item)];
    }),
  );
}
