import type { BackendId } from '../domain/vocabulary.js';
import type { Backend } from './backend.js';
import { claude } from './claude.js';
import { kiro } from './kiro.js';
import { opencode } from './opencode.js';

/** Every backend that we know, by its id. */
export const BACKENDS: Readonly<Record<BackendId, Backend>> = { claude, kiro, opencode };

export type { Backend, Environment } from './backend.js';
export { refuseCredentials, removeCredentials } from './environment.js';
export { findInherited } from './inherited.js';
export { probeBackend } from './probe.js';
export { assessReadiness, standInFolder } from './readiness.js';
