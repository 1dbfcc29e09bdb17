import type { BackendId } from '../../src/authoring.js';

const REQUIREMENTS: Partial<Record<BackendId, string>> = { claude: 'FR1', kiro: 'FR2', opencode: 'FR3' };

/** The requirement that ralph works with a backend at all; only the primary ones have one of their own. */
export function coverBackend(backend: BackendId): readonly string[] {
  return [REQUIREMENTS[backend]].filter((id) => id !== undefined);
}
