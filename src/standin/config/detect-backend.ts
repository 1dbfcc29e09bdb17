import { spawnSync } from 'node:child_process';
import { CommandError } from '../failure.js';
import { findAdapter } from './adapters.js';
import type { RalphConfig } from './config.js';

const USUAL_ORDER = [
  'claude',
  'kiro',
  'kiro-acp',
  'gemini',
  'codex',
  'forge',
  'amp',
  'copilot',
  'opencode',
  'pi',
  'roo',
];

/** Finds the first installed backend, for `backend: auto`. */
export function detectBackend(config: RalphConfig): string {
  const candidates = listCandidates(config);
  const found = candidates.find((name) => answersVersion(commandOf(name)));
  if (found !== undefined) return found;
  const text = `No supported AI backend found in PATH.\n\nChecked backends: ${candidates.join(', ')}\n\nFix: install one of them, or name the one you have in 'cli.backend'.\nSee: docs/reference/troubleshooting.md#agent-not-found\n`;
  // The real Ralph prints it twice.
  process.stderr.write(`${text}\n`);
  throw new CommandError(text);
}

/** Lists the backends that `auto` may choose from, in order. */
export function listCandidates(config: RalphConfig): readonly string[] {
  const order = config.agentPriority.length === 0 ? USUAL_ORDER : config.agentPriority;
  return order.filter((name) => findAdapter(config.adapters, name).enabled);
}

/** Returns the program of a backend. */
export function commandOf(backend: string): string {
  return backend === 'kiro' || backend === 'kiro-acp' ? 'kiro-cli' : backend;
}

/** Whether a program is installed and prints its version. */
export function answersVersion(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 0;
}
