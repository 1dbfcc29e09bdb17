import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildEnvironment } from '../../exec/environment.js';
import { ONLY_REPO_CONFIG } from '../../exec/git-config.js';
import { runCommand } from '../../exec/process/run-command.js';
import {
  findOwnRepo,
  listIndexFiles,
  listObjectFolders,
  type OwnRepo,
  readRepoFile,
  readShallow,
  resolveHead,
  unreadable,
} from './own-repo.js';

/** Reads a repo with git, but ignores the repo's own configuration. */
export interface GitReader {
  /** The commit that HEAD points to; git sees it as HEAD, too. */
  readonly head: string;
  /** Runs a read-only git command and returns its output. Throws an error with the reason if it fails. */
  readonly git: (...args: readonly string[]) => Promise<string>;
}

const TIME_LIMIT_MS = 30_000;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_EXCLUDE_BYTES = 1024 * 1024;

/**
 * Reads the folder's own repo with git; null if it has none with a commit.
 *
 * Git runs programs that a repo's configuration names: to check signatures, to watch files, to filter and compare them,
 * to fetch what is missing. The agent can write that configuration, and we run outside of its sandbox. So git gets our
 * own folder instead of `.git`, with these settings and the commit that HEAD points to. From the agent, git sees only
 * data: the objects and, if the work tree is needed, the files and a copy of the index.
 */
export async function readWithGit<Result>(
  folder: string,
  use: (reader: GitReader) => Promise<Result>,
  { workTree = false }: { readonly workTree?: boolean } = {},
): Promise<Result | null> {
  const repo = await findOwnRepo(folder);
  const head = repo === null ? null : await resolveHead(repo);
  if (repo === null || head === null) return null;
  const own = await mkdtemp(join(tmpdir(), 'ralph-e2e-git-'));
  try {
    await layOut(own, repo, head, workTree);
    const env = readerEnvironment(own, workTree ? repo.root : null);
    return await use({ head, git: (...args) => runGit(repo, own, env, args) });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Reads the commit that HEAD of the folder's own repo points to, without running git. */
export async function readHead(folder: string): Promise<string | null> {
  const repo = await findOwnRepo(folder);
  return repo === null ? null : resolveHead(repo);
}

async function layOut(own: string, repo: OwnRepo, head: string, workTree: boolean): Promise<void> {
  await mkdir(join(own, 'refs'));
  await mkdir(join(own, 'info'));
  await mkdir(join(own, 'objects'));
  for (const [name, place] of await listObjectFolders(repo)) await symlink(place, join(own, 'objects', name));
  await writeFile(join(own, 'config'), renderConfig(head, workTree));
  await writeFile(join(own, 'HEAD'), `${head}\n`);
  const shallow = await readShallow(repo);
  if (shallow.length > 0) await writeFile(join(own, 'shallow'), `${shallow.join('\n')}\n`);
  if (!workTree) return;
  const copied = [
    ...(await listIndexFiles(repo)).map((name) => [join(repo.gitDir, name), MAX_INDEX_BYTES, name] as const),
    [join(repo.commonDir, 'info', 'exclude'), MAX_EXCLUDE_BYTES, join('info', 'exclude')] as const,
  ];
  for (const [from, maxBytes, to] of copied) {
    const bytes = await readRepoFile(repo, from, maxBytes);
    if (bytes === null) continue;
    await writeFile(join(own, to), bytes);
    // Git trusts the times of files that are older than the index. This index is older than all, so git reads them.
    await utimes(join(own, to), 1, 1);
  }
}

/** Renders our configuration. A hash of 64 digits means SHA-256. The commit graph is off: it could claim other parents. */
function renderConfig(head: string, workTree: boolean): string {
  const sha256 = head.length === 64;
  return `[core]
	repositoryFormatVersion = ${sha256 ? 1 : 0}
	bare = ${!workTree}
	quotePath = false
	commitGraph = false
	multiPackIndex = false
	fsmonitor = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	pager = cat
[log]
	showSignature = false
	mailmap = false
[protocol]
	allow = never
${sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : ''}`;
}

function readerEnvironment(own: string, workTree: string | null): Record<string, string> {
  return buildEnvironment({
    base: process.env,
    extra: {
      GIT_DIR: own,
      ...(workTree === null ? {} : { GIT_WORK_TREE: workTree }),
      ...ONLY_REPO_CONFIG,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: '',
      GIT_TERMINAL_PROMPT: '0',
      GIT_PAGER: 'cat',
      HOME: own,
      XDG_CONFIG_HOME: own,
      LC_ALL: 'C',
    },
  });
}

async function runGit(
  repo: OwnRepo,
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const result = await runCommand('git', ['--no-pager', ...args], { cwd, env, timeoutMs: TIME_LIMIT_MS });
  if (result.ok) return result.stdout;
  const said = result.stderr.trim().split('\n').at(-1)?.slice(0, 300);
  const reason = result.timedOut
    ? `timed out after ${TIME_LIMIT_MS / 1000} s`
    : (result.spawnError?.message ?? (said || `more output than git ${basename(args[0] ?? '')} may print`));
  throw unreadable(repo, `one in which \`git ${args[0] ?? ''}\` fails: ${reason}`);
}
