import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../exec/error-code.js';
import type { WorkspaceReader } from '../../../workspace/read-inside.js';

/** A prompt as Ralph logged it: exactly what it sent to the agent. */
export interface LoggedPrompt {
  readonly iteration: number;
  readonly hat: string;
  readonly prompt: string;
}

export const PROMPT_LOG = 'prompt-log.md';

/** Reads the prompts of this run from its diagnostics, which Ralph writes with RALPH_DIAGNOSTICS=1. */
export async function readPromptLog(
  workspace: string,
  reader: WorkspaceReader,
  began: Date,
): Promise<LoggedPrompt[]> {
  const folders = (await listNewFolders(join(workspace, '.ralph/diagnostics'), began))
    .filter((name) => /^\d{4}-\d\d-\d\dT/.test(name))
    .sort();
  // Ralph makes two folders if the clock's second changes while it starts. Only one of them gets the log.
  for (const folder of folders.reverse()) {
    const text = await reader.read(`.ralph/diagnostics/${folder}/${PROMPT_LOG}`, MAX_LOG_BYTES);
    if (text !== null) return splitPrompts(text);
  }
  return [];
}

const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Splits the log at `# Iteration N — hat`. A prompt may contain such a line itself (a scratchpad that quotes the log), so
 * only a line with the next number begins an entry.
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

/** The clock of a file system may be some milliseconds behind the clock of the machine. */
const CLOCK_SLACK_MS = 50;

/** Lists the entries of a folder that are new or changed since the start. Earlier sessions leave their own folders. */
async function listNewFolders(path: string, began: Date): Promise<string[]> {
  try {
    const names = await readdir(path);
    const times = await Promise.all(names.map(async (name) => (await lstat(join(path, name))).mtimeMs));
    return names.filter((_, index) => (times[index] ?? 0) >= began.getTime() - CLOCK_SLACK_MS);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
