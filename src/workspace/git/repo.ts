import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { buildEnvironment } from '../../exec/environment.js';
import { ONLY_REPO_CONFIG, OWN_GIT_CONFIG } from '../../exec/git-config.js';
import { runCommand } from '../../exec/process/run-command.js';

const TIME_LIMIT_MS = 30_000;
/** The exit code of the shell if a program does not exist. */
const COMMAND_NOT_FOUND = 127;

/** One shell for all three commands: starting and watching a process costs more than the work that git does here. */
const SCRIPT = `set -e
git -c init.defaultBranch=main init --quiet --template=
git add --all --force
git commit --quiet --allow-empty --no-verify --message 'Workspace as the agent finds it'
`;

/** Turns the folder into its own git repo with an identity and one commit that contains everything. */
export async function commitEverything(folder: string): Promise<void> {
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git', 'config'), OWN_GIT_CONFIG);
  const env = buildEnvironment({ base: process.env, extra: { ...ONLY_REPO_CONFIG, LC_ALL: 'C' } });
  const result = await runCommand('sh', ['-c', SCRIPT], { cwd: folder, env, timeoutMs: TIME_LIMIT_MS });
  if (result.ok) return;
  if (result.exitCode === COMMAND_NOT_FOUND) {
    throw new KnownError(`git was not found on PATH (${env.PATH ?? 'not set'}).`, {
      hint: 'Install git: every workspace is its own repository.',
    });
  }
  const reason = result.timedOut ? `it timed out after ${TIME_LIMIT_MS / 1000} s` : result.stderr.trim();
  throw new KnownError(`git could not commit the new workspace ${folder}: ${reason}`, {
    hint: 'Run `git init`, `git add --all` and `git commit` in a new folder next to it to see why.',
  });
}
