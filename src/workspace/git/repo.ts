import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { buildEnvironment } from '../../exec/environment.js';
import { OWN_GIT_CONFIG } from '../../exec/git-config.js';
import { runCommand } from '../../exec/process/run-command.js';

const TIME_LIMIT_MS = 30_000;
/** What the shell exits with when there is no such program. */
const COMMAND_NOT_FOUND = 127;

/** One shell for all three: starting and watching a process costs more than what git does here. */
const SCRIPT = `set -e
git -c init.defaultBranch=main init --quiet --template=
git add --all --force
git commit --quiet --allow-empty --no-verify --message 'Workspace as the agent finds it'
`;

/** Makes the folder a git repo of its own with an identity and one commit that holds everything in it. */
export async function commitEverything(folder: string): Promise<void> {
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git', 'config'), OWN_GIT_CONFIG);
  const extra = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
  };
  const env = buildEnvironment({ base: process.env, extra });
  const result = await runCommand('sh', ['-c', SCRIPT], { cwd: folder, env, timeoutMs: TIME_LIMIT_MS });
  if (result.ok) return;
  if (result.exitCode === COMMAND_NOT_FOUND) {
    throw new KnownError(`expected git on PATH (${env.PATH ?? 'not set'}) to make a workspace, found none`, {
      hint: 'install git',
    });
  }
  const reason = result.timedOut ? `no end after ${TIME_LIMIT_MS / 1000} s` : result.stderr.trim();
  throw new KnownError(`expected git to commit the new workspace ${folder}, found: ${reason}`, {
    hint: 'run `git init`, `git add --all` and `git commit` in a new folder there to see why',
  });
}
