import { randomUUID } from 'node:crypto';
import { readWithGit } from './reader.js';

/** A commit and the paths that it changes. */
export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly paths: readonly string[];
}

/**
 * Reads the commits on HEAD after `since`, oldest first; all of them if `since` is null or no longer in the repo. None if
 * the folder does not have its own repo. A repo that cannot be read is an error, since nobody knows what is in it.
 */
export async function readCommits(folder: string, since: string | null): Promise<Commit[]> {
  // Random each time: no commit message can contain it, so none can look like another commit or path.
  const mark = randomUUID();
  const format = `--format=${mark}%H${mark}%B${mark}`;
  const log = ['log', '-z', '--reverse', '--no-renames', '--no-ext-diff', '--name-only', format];
  const commits = await readWithGit(folder, async ({ head, git }) => {
    if (head === since) return [];
    // --ignore-missing accepts a missing commit. That is right for the old one, but not for HEAD.
    await git('cat-file', '-e', `${head}^{commit}`);
    const text = await git(...log, '--ignore-missing', head, ...(since === null ? [] : [`^${since}`]), '--');
    return parseLog(text, mark);
  });
  return commits ?? [];
}

function parseLog(text: string, mark: string): Commit[] {
  const parts = text.split(mark).slice(1);
  return parts.flatMap((hash, index) =>
    index % 3 === 0 ? [toCommit(hash, parts[index + 1] ?? '', parts[index + 2] ?? '')] : [],
  );
}

/** Parses a commit. The paths come after a zero byte and a line break; each ends with a zero byte. */
function toCommit(hash: string, message: string, paths: string): Commit {
  const listed = paths.replace(/^\0\n?/, '').split('\0');
  return { hash, message: message.trim(), paths: listed.filter((path) => path !== '') };
}
