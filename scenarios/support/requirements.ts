import type { BackendId } from '../../src/authoring.js';

const REQUIREMENTS: Partial<Record<BackendId, string>> = { claude: 'FR1', kiro: 'FR2', opencode: 'FR3' };

/** Returns the requirement that Ralph works with a backend. Only primary backends have one. */
export function coverBackend(backend: BackendId): readonly string[] {
  return [REQUIREMENTS[backend]].filter((id) => id !== undefined);
}
