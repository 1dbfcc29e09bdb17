// Written by the build from src/domain/backends.ts.
import { claude } from './claude/backend.js';
import { codex } from './codex/backend.js';
import { gemini } from './gemini/backend.js';
import { kiro } from './kiro/backend.js';
import { opencode } from './opencode/backend.js';
import { pi } from './pi/backend.js';

/** The definition of every backend. */
export const FOLDERS = {
  claude,
  kiro,
  opencode,
  codex,
  gemini,
  pi,
};
