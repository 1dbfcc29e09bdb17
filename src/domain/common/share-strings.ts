/** Longer texts seldom repeat, and the lookup costs more than it saves. */
const LONGEST = 200;

/**
 * Replaces equal strings in many records with one string, in place. Every result repeats the names and expectations of
 * the same checks, and JSON.parse creates a new string for each.
 */
export function createStringSharer(): (json: unknown) => unknown {
  const known = new Map<string, string>();
  const share = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length > LONGEST) return value;
      const shared = known.get(value);
      if (shared === undefined) known.set(value, value);
      return shared ?? value;
    }
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1) value[index] = share(value[index]);
    else if (isObject(value)) for (const key in value) value[key] = share(value[key]);
    return value;
  };
  return share;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
