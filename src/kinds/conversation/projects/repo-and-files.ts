import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { buildEnvironment } from '../../../exec/environment.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { resolveInside } from '../../../exec/files/resolve-inside.js';
import { findExecutable } from '../../../exec/find-executable.js';
import { ONLY_REPO_CONFIG, OWN_GIT_CONFIG } from '../../../exec/git-config.js';
import { runCommand } from '../../../exec/process/run-command.js';

/**
 * Writes files into a project, by their paths in it. If one cannot be written, the others are still written.
 * `requireFree` throws for a path at which nothing may be written.
 */
export async function createSampleFiles(
  project: string,
  files: readonly { readonly path: string; readonly content: string }[],
  requireFree: (target: string) => Promise<void> = async () => {},
) {
  await listProject(project);
  const created: string[] = [];
  const errors: { path: string; message: string }[] = [];
  for (const { path, content } of files) {
    try {
      const target = await resolveInside(project, path);
      await requireFree(target);
      await makeFolder(dirname(target));
      await writeFile(target, content);
      created.push(path);
    } catch (error) {
      errors.push({ path, message: messageOf(error) });
    }
  }
  return { created, errors };
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
export async function setupGitRepo(path: string) {
  const env = buildEnvironment({ base: process.env, extra: { ...ONLY_REPO_CONFIG, LC_ALL: 'C' } });
  if ((await listProject(path)).includes('.git')) {
    throw new KnownError(`${path} is already a git repo.`, {
      hint: 'Choose a folder that is not a git repo.',
    });
  }
  if (findExecutable('git', env.PATH) === null) {
    throw new KnownError(`git was not found on PATH (${env.PATH ?? 'not set'}).`, { hint: 'Install git.' });
  }
  await mkdir(join(path, '.git'));
  await writeFile(join(path, '.git', 'config'), OWN_GIT_CONFIG);
  const { ok, stdout, stderr, timedOut } = await runCommand('sh', ['-c', SCRIPT], {
    ...{ cwd: path, env, timeoutMs: TIME_LIMIT_MS },
  });
  if (!ok) {
    const reason = timedOut ? `still running after ${TIME_LIMIT_MS / 1000} s` : stderr.trim();
    throw new KnownError(`git could not commit ${path}: ${reason}`);
  }
  const [commitHash = '', ...tracked] = stdout.trim().split('\n');
  return { commitHash, filesTracked: tracked.length };
}

async function listProject(path: string): Promise<string[]> {
  return readdir(path).catch((cause: unknown) => {
    throw hasErrorCode(cause, 'ENOENT', 'ENOTDIR')
      ? new KnownError(`Expected the folder of a project at ${path}, found none.`, { cause })
      : cause;
  });
}
