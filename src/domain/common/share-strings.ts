/** JSON.parse shares shorter texts itself. */
const SHORTEST = 10;
/** Longer texts seldom repeat, and the lookup costs more than it saves. */
const LONGEST = 200;

/**
 * Replaces equal strings in many records with one string, in place. Every result repeats the names and expectations of
 * the same checks, and JSON.parse creates a new string for each.
 */
export function createStringSharer(): (record: unknown) => void {
  const known = new Map<string, string>();
  const shared = (text: string): string => {
    if (text.length < SHORTEST || text.length > LONGEST) return text;
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
  const share = (value: unknown): void => {
    // Schemas freeze what is read-only.
    if (Object.isFrozen(value)) return;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) {
        const inner: unknown = value[index];
        if (typeof inner === 'string') value[index] = shared(inner);
        else share(inner);
      }
    } else if (isObject(value)) {
      for (const key in value) {
        const inner = value[key];
        if (typeof inner === 'string') value[key] = shared(inner);
        else share(inner);
      }
    }
  };
  return share;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
