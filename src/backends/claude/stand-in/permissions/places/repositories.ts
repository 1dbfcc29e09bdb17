import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ShellCommand } from '../shell/parse.js';
import { bareName, startedBy } from '../shell/started.js';

/** Whether git would take a folder itself for a repository, and run what its files say. */
export function looksLikeRepository(folder: string): boolean {
  return (
    !existsSync(join(folder, '.git')) &&
    ['HEAD', 'objects', 'refs'].some((name) => existsSync(join(folder, name)))
  );
}

/** Whether a line makes files of a repository, and also runs git. */
export function makesRepository(
  commands: readonly ShellCommand[],
  written: readonly string[],
  folder: string,
): boolean {
  const runsGit = commands.some(({ words }) =>
    startedBy(words).some(([head]) => bareName(head?.text ?? '') === 'git'),
  );
  return runsGit && written.some((path) => PARTS.test(relative(folder, path)));
}

const PARTS = /^(?:HEAD|objects|refs|hooks)(?:\/|$)/i;

export const MAKES_REPOSITORY =
  'This command creates git repository structure files (HEAD/objects/refs/hooks) and then runs git, which can execute hooks/fsmonitor from the created files.';
