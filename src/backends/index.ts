import type { ToolRecipes } from '../domain/tool-recipe.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { Backend } from './backend.js';
import { claude } from './claude.js';
import { FOREIGN_TOOLS } from './foreign-tools.js';
import { kiro } from './kiro.js';
import { opencode } from './opencode.js';

/** Every backend that we know, by its id. */
export const BACKENDS: Readonly<Record<BackendId, Backend>> = { claude, kiro, opencode };

/** The tools of every CLI that our model server may be asked by, the backends' first. */
export const TOOL_RECIPES: readonly ToolRecipes[] = [
  ...Object.values(BACKENDS).map(({ tools }) => tools),
  ...FOREIGN_TOOLS,
];

export type { Backend, Environment } from './backend.js';
export { refuseCredentials, removeCredentials } from './environment.js';
export { findInherited } from './inherited.js';
export { probeBackend } from './probe.js';
export { assessReadiness, standInFolder } from './readiness.js';
