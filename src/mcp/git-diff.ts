import { buildEnvironment } from '../exec/environment.js';
import { runCommand } from '../exec/run-command.js';

const TIMEOUT_MS = 30_000;

/** The latest commits of a project and what is not committed; null where it is no repo of its own with a commit. */
export async function readGitDiff(folder: string): Promise<string | null> {
  const parts: string[] = [];
  for (const args of [
    ['log', '--oneline', '-20'],
    ['status', '--short'],
    ['diff', 'HEAD'],
  ]) {
    const text = await git(folder, args);
    if (text === null) return null;
    parts.push(text);
  }
  return parts.join('\n');
}

/** What git answers; null where it does not: no repo, no commit, no git. */
async function git(folder: string, args: readonly string[]): Promise<string | null> {
  // The ceiling: a folder without a repo of its own must not be taken for a part of the one around it.
  const extra = { GIT_OPTIONAL_LOCKS: '0', GIT_CEILING_DIRECTORIES: folder, LC_ALL: 'C' };
  const env = buildEnvironment({ base: process.env, extra });
  const result = await runCommand('git', args, { cwd: folder, env, timeoutMs: TIMEOUT_MS });
  return result.ok ? result.stdout : null;
}
