import { readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { type BytesInside, readBytesInside } from '../read-inside.js';

/** A folder's own git repo, found by reading files and without running git. */
export interface OwnRepo {
  /** The folder itself, with links resolved. Nothing outside of it is read. */
  readonly root: string;
  /** Contains HEAD and the index. */
  readonly gitDir: string;
  /** Contains refs and objects. Differs from `gitDir` in a linked worktree. */
  readonly commonDir: string;
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MAX_POINTER_BYTES = 4096;
const MAX_PACKED_REFS_BYTES = 32 * 1024 * 1024;
const MAX_SHALLOW_BYTES = 4 * 1024 * 1024;
/** As many as git itself follows. */
const MAX_SYMBOLIC_REFS = 5;

/** Finds the folder's own repo; null if there is none, or if `.git` points out of the folder. */
export async function findOwnRepo(folder: string): Promise<OwnRepo | null> {
  const root = await realPathOrNull(folder);
  if (root === null) return null;
  const gitDir = await findGitDir(root);
  if (gitDir === null || (await statOrNull(join(gitDir, 'HEAD'))) === null) return null;
  const pointer = await readPointer(root, join(gitDir, 'commondir'));
  const commonDir = pointer === null ? gitDir : await insideOrNull(root, resolve(gitDir, pointer));
  return commonDir === null ? null : { root, gitDir, commonDir };
}

/** Resolves HEAD to a commit; null if there is none yet. */
export async function resolveHead(repo: OwnRepo): Promise<string | null> {
  let name = 'HEAD';
  for (let steps = 0; steps <= MAX_SYMBOLIC_REFS; steps += 1) {
    const value = await readRef(repo, name);
    if (value === null) return null;
    if (HASH.test(value)) return value;
    const next = /^ref:\s*(refs\/.+)$/.exec(value)?.[1] ?? '';
    // Git writes this into HEAD if refs are in a reftable, so that older programs find nothing.
    if (next === 'refs/heads/.invalid') throw unreadable(repo, 'refs in the reftable format');
    if (!isRefName(next)) throw unreadable(repo, `${name}, which does not name a commit`);
    name = next;
  }
  throw unreadable(repo, 'symbolic refs that point to each other');
}

/**
 * Lists the folders with objects by name. Objects that are borrowed from elsewhere, through links or `info/alternates`,
 * do not count: git would show us what is in a repo outside.
 */
export async function listObjectFolders(repo: OwnRepo): Promise<readonly (readonly [string, string])[]> {
  const objects = await insideOrNull(repo.root, join(repo.commonDir, 'objects'));
  if (objects === null) throw unreadable(repo, 'one without an objects folder');
  const names = (await readdir(objects)).filter((name) => /^(?:[0-9a-f]{2}|pack)$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const place = join(objects, name);
      const entries = (await statOrNull(place))?.isDirectory()
        ? await readdir(place, { withFileTypes: true })
        : null;
      if (entries === null || entries.some((entry) => !entry.isFile()))
        throw unreadable(repo, `${relative(repo.root, place)} with something else than objects`);
      return [name, place] as const;
    }),
  );
}

/** Lists the commits at which a shallow clone ends. */
export async function readShallow(repo: OwnRepo): Promise<readonly string[]> {
  const text = await readText(repo, join(repo.commonDir, 'shallow'), MAX_SHALLOW_BYTES);
  return (text ?? '').split('\n').filter((line) => HASH.test(line));
}

/** Lists the names of the index and of the parts that it is split into. */
export async function listIndexFiles({ gitDir }: OwnRepo): Promise<readonly string[]> {
  return (await readdir(gitDir)).filter((name) => name === 'index' || /^sharedindex\.[0-9a-f]+$/.test(name));
}

/** Reads a file of the repo; null if there is none. Throws if it is not a plain file or too large. */
export async function readRepoFile(repo: OwnRepo, path: string, maxBytes: number): Promise<Buffer | null> {
  if ((await statOrNull(path)) === null) return null;
  const found = await readInRoot(repo.root, path, maxBytes);
  if (found.kind === 'bytes') return found.bytes;
  const name = relative(repo.root, path);
  throw unreadable(
    repo,
    found.kind === 'too-large' ? `${name} of ${found.size} bytes` : `${name}, which is not a readable file`,
  );
}

/** Creates an error that says why a repo cannot be read. */
export function unreadable({ root }: OwnRepo, found: string, cause?: unknown): KnownError {
  return new KnownError(`Expected a readable git repo in ${root}, found ${found}.`, {
    hint: 'Look at what the agent did to it. Careful: its configuration may start programs as soon as you run git there.',
    cause,
  });
}

async function findGitDir(root: string): Promise<string | null> {
  const place = await insideOrNull(root, join(root, '.git'));
  const stat = place === null ? null : await statOrNull(place);
  if (place === null || stat === null) return null;
  if (stat.isDirectory()) return place;
  const target = /^gitdir: (.+)$/.exec((await readPointer(root, place)) ?? '')?.[1];
  return target === undefined ? null : insideOrNull(root, resolve(dirname(place), target));
}

/** Reads a one-line file that contains a path; null if there is none. */
async function readPointer(root: string, path: string): Promise<string | null> {
  const found = await readInRoot(root, path, MAX_POINTER_BYTES);
  return found.kind === 'bytes' ? found.bytes.toString('utf8').replace(/\r?\n$/, '') : null;
}

/** Reads a ref: a hash or `ref: <another>`; null if there is no such ref. */
async function readRef(repo: OwnRepo, name: string): Promise<string | null> {
  const path = join(name === 'HEAD' ? repo.gitDir : repo.commonDir, name);
  const stat = await statOrNull(path);
  if (stat === null || stat.isDirectory()) return readPackedRef(repo, name);
  if (stat.isSymbolicLink()) {
    const target = await readlink(path);
    // Symbolic refs were links before git 1.6.
    if (target.startsWith('refs/')) return `ref: ${target}`;
  }
  return (await readText(repo, path, MAX_POINTER_BYTES))?.trim() ?? null;
}

async function readPackedRef(repo: OwnRepo, name: string): Promise<string | null> {
  const text = await readText(repo, join(repo.commonDir, 'packed-refs'), MAX_PACKED_REFS_BYTES);
  const line = (text ?? '').split('\n').find((candidate) => candidate.endsWith(` ${name}`));
  const hash = line?.slice(0, -name.length - 1);
  return hash !== undefined && HASH.test(hash) ? hash : null;
}

async function readText(repo: OwnRepo, path: string, maxBytes: number): Promise<string | null> {
  return (await readRepoFile(repo, path, maxBytes))?.toString('utf8') ?? null;
}

function isRefName(name: string): boolean {
  const parts = name.split('/');
  return parts[0] === 'refs' && !name.includes('\0') && !parts.some((part) => ['', '.', '..'].includes(part));
}

function readInRoot(root: string, path: string, maxBytes: number): Promise<BytesInside> {
  return readBytesInside(root, relative(root, path), maxBytes);
}

/** Resolves a path; null if it does not exist or is outside the root. */
async function insideOrNull(root: string, path: string): Promise<string | null> {
  const place = await realPathOrNull(path);
  return place?.startsWith(root + sep) ? place : null;
}

async function realPathOrNull(path: string): Promise<string | null> {
  if (path.includes('\0')) return null;
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG')) return null;
    throw error;
  }
}
