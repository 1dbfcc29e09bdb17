import type { KeyPath } from '../../domain/common/issues.js';
import type { Problem } from './problems.js';

/** Far deeper than any script, and shallow enough for whatever walks through one. */
const MAX_DEPTH = 200;

/** What a script says that is nested too deep. */
export const TOO_DEEP = `this is nested more than ${MAX_DEPTH} levels deep, or contains itself`;

/** Finds a value that no script file could have: one that contains itself, a number too large for JSON, code. */
export function findUnplain(data: unknown): (Problem & { readonly path: KeyPath }) | null {
  // YAML's aliases share values, so each is walked through only as often as it is deeper than before.
  const depths = new Map<object, number>();
  const walk = (value: unknown, path: KeyPath): (Problem & { readonly path: KeyPath }) | null => {
    const message = refuse(value);
    if (message !== null) return { path, message };
    if (typeof value !== 'object' || value === null) return null;
    if (path.length > MAX_DEPTH) return { path: path.slice(0, 4), message: TOO_DEEP };
    if ((depths.get(value) ?? -1) >= path.length) return null;
    depths.set(value, path.length);
    const entries: Iterable<readonly [PropertyKey, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, item] of entries) {
      const found = walk(item, [...path, key]);
      if (found !== null) return found;
    }
    return null;
  };
  return walk(data, []);
}

function refuse(value: unknown): string | null {
  if (value instanceof RegExp)
    return `expected a text, found a regular expression: write it in quotes, as in '${value}'`;
  if (typeof value === 'bigint') return `expected a number, found the bigint ${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol')
    return `expected data, found a ${typeof value}`;
  return null;
}
