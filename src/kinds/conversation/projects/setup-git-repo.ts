import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { buildEnvironment } from '../../../exec/environment.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { findExecutable } from '../../../exec/find-executable.js';
import { ONLY_REPO_CONFIG, OWN_GIT_CONFIG } from '../../../exec/git-config.js';
import { runCommand } from '../../../exec/process/run-command.js';

export interface GitRepo {
  readonly commitHash: string;
  readonly filesTracked: number;
}

const TIME_LIMIT_MS = 30_000;

const SCRIPT = `set -e
git -c init.defaultBranch=main init --quiet --template=
git add --all
git commit --quiet --allow-empty --no-verify --message 'Initial commit'
git rev-parse HEAD
git ls-files
`;

/** Turns a folder into its own git repo, with everything in it as the first commit. */
export async function setupGitRepo(path: string): Promise<GitRepo> {
  const env = buildEnvironment({
    base: process.env,
    extra: { ...ONLY_REPO_CONFIG, LC_ALL: 'C' },
  });
  await requireFolder(path);
  if (findExecutable('git', env.PATH) === null) {
    throw new KnownError(`git was not found on PATH (${env.PATH ?? 'not set'}).`, {
      hint: 'Install git.',
    });
  }
  await mkdir(join(path, '.git'));
  await writeFile(join(path, '.git', 'config'), OWN_GIT_CONFIG);
  const { ok, stdout, stderr, timedOut } = await runCommand('sh', ['-c', SCRIPT], {
    cwd: path,
    env,
    timeoutMs: TIME_LIMIT_MS,
  });
  if (!ok) {
    const reason = timedOut ? `still running after ${TIME_LIMIT_MS / 1000} s` : stderr.trim();
    throw new KnownError(`git could not commit ${path}: ${reason}`);
  }
  const [commitHash = '', ...tracked] = stdout.trim().split('\n');
  return { commitHash, filesTracked: tracked.length };
}

async function requireFolder(path: string): Promise<void> {
  const found = await readdir(path).catch((cause: unknown) => {
    throw hasErrorCode(cause, 'ENOENT', 'ENOTDIR')
      ? new KnownError(`Expected a folder at ${path}, found none.`, { cause })
      : cause;
  });
  if (found.includes('.git')) {
    throw new KnownError(`${path} is already a git repo.`, {
      hint: 'Choose a folder that is not a git repo.',
    });
  }
}
