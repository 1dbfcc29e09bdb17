import type { ToolRecipes } from '../domain/tool-recipe.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { Backend } from './backend.js';
import { claude } from './claude/backend.js';
import { codex } from './codex/backend.js';
import { gemini } from './gemini/backend.js';
import { kiro } from './kiro/backend.js';
import { opencode, opencodePatchTools } from './opencode/backend.js';
import { pi } from './pi/backend.js';

/** Every backend that we know, by its id. */
export const BACKENDS: Readonly<Record<BackendId, Backend>> = {
  claude,
  kiro,
  opencode,
  codex,
  gemini,
  pi,
};

/** The tools of every CLI that our model server may be asked by; what stands first is taken first. */
export const TOOL_RECIPES: readonly ToolRecipes[] = [
  ...Object.values(BACKENDS).map(({ tools }) => tools),
  opencodePatchTools,
];

export type { Backend, Environment } from './backend.js';
export { refuseCredentials, removeCredentials } from './environment.js';
export { findInherited } from './inherited.js';
export { probeBackend } from './probe.js';
export { assessReadiness, standInFolder } from './readiness.js';
