import { BACKEND_IDS, type BackendId } from '../../src/authoring.js';

/** Says which checks hold a promise in a scenario that every backend has: `claude-connect`, `kiro-connect`, … */
export function inEach(
  scenario: 'connect' | 'single-iter',
  checks: readonly string[],
  { except = [] }: { readonly except?: readonly BackendId[] } = {},
): Readonly<Record<string, readonly string[]>> {
  const backends = BACKEND_IDS.filter((id) => !except.includes(id));
  return Object.fromEntries(backends.map((id) => [`${id}-${scenario}`, checks]));
}
