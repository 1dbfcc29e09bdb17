import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import type { WorkspaceReader } from './read-inside.js';

/** A prompt as ralph logged it: exactly what the agent was sent. */
export interface LoggedPrompt {
  readonly iteration: number;
  readonly hat: string;
  readonly prompt: string;
}

/** Reads the prompts of the latest run from its diagnostics (ralph writes them under RALPH_DIAGNOSTICS=1). */
export async function readPromptLog(workspace: string, reader: WorkspaceReader): Promise<LoggedPrompt[]> {
  const folders = (await listFolder(join(workspace, '.ralph/diagnostics')))
    .filter((name) => /^\d{4}-\d\d-\d\dT/.test(name))
    .sort();
  // ralph makes two folders when the second turns over while it starts; only one of them gets the log.
  for (const folder of folders.reverse()) {
    const text = await reader.read(`.ralph/diagnostics/${folder}/prompt-log.md`, MAX_LOG_BYTES);
    if (text !== null) return splitPrompts(text);
  }
  return [];
}

const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Splits the log at `# Iteration N — hat`. A prompt may hold such a line itself (a scratchpad that quotes the log), so
 * only the number that comes next begins an entry.
 */
export function splitPrompts(text: string): LoggedPrompt[] {
  const heads: { start: number; bodyStart: number; iteration: number; hat: string }[] = [];
  for (const match of text.matchAll(/^# Iteration (\d+) — (.+)$/gm)) {
    const iteration = Number(match[1]);
    const previous = heads.at(-1)?.iteration;
    if (previous !== undefined && iteration !== previous + 1) continue;
    heads.push({
      start: match.index,
      bodyStart: match.index + match[0].length,
      iteration,
      hat: match[2] ?? '',
    });
  }
  return heads.map(({ bodyStart, iteration, hat }, index) => ({
    iteration,
    hat,
    prompt: text
      .slice(bodyStart, heads[index + 1]?.start)
      .replace(/\n\n---\s*$/, '')
      .trim(),
  }));
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
