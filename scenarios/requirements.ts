import type { BackendId } from '../src/authoring.js';

/** The requirement that ralph works with each backend at all. */
export const BACKEND_REQUIREMENT: Record<BackendId, string> = { claude: 'FR1', kiro: 'FR2', opencode: 'FR3' };
