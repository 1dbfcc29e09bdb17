import type { BackendId } from '../../src/authoring.js';

/** The requirement that ralph works with each backend at all; only the primary ones have one of their own. */
export const BACKEND_REQUIREMENT: Record<BackendId, readonly string[]> = {
  claude: ['FR1'],
  kiro: ['FR2'],
  opencode: ['FR3'],
  codex: [],
  gemini: [],
  pi: [],
};
