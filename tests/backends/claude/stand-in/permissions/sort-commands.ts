import { decideBash } from '../../../../../src/backends/claude/stand-in/permissions/bash.js';
import { contextOf, type Rules } from './context-of.js';

/** What the stand-in decides; the tests state what Claude Code 2.1.325 decided about the same command and rules. */
export function isAllowed(command: string, rules?: Rules): boolean {
  return decideBash(command, contextOf(rules)).allowed;
}

export function sort(commands: readonly string[], rules?: Rules) {
  return {
    allowed: commands.filter((command) => isAllowed(command, rules)),
    refused: commands.filter((command) => !isAllowed(command, rules)),
  };
}
