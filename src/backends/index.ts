import type { BackendId } from '../domain/backends.js';
import type { ToolRecipes } from '../domain/tool-recipe.js';
import type { Backend } from './backend.js';
import { FOLDERS } from './folders.js';

/** Every backend of the registry, by its id. */
export const BACKENDS: Readonly<Record<BackendId, Backend>> = FOLDERS;

const ALL: readonly Backend[] = Object.values(BACKENDS);

/** The tools of every CLI that can call our model server, in order of preference. */
export const TOOL_RECIPES: readonly ToolRecipes[] = [
  ...ALL.map(({ tools }) => tools),
  ...ALL.flatMap(({ otherTools = [] }) => otherTools),
];

/** The readers of all CLIs that print JSON; each recognizes only its own. */
export const TRANSCRIPT_READERS = ALL.flatMap(({ readTranscript = [] }) => readTranscript);

/** Files in HOME that contain the login of an agent CLI. */
export const LOGIN_FILES: readonly string[] = ALL.flatMap(({ loginFiles }) => loginFiles);

export type { Backend, Environment } from './backend.js';
export { findInherited, refuseCredentials, removeCredentials } from './environment.js';
export { readLoginValues } from './logins.js';
export { probeBackend } from './probe.js';
export { assessReadiness, standInFolder } from './readiness.js';
