import { randomUUID } from 'node:crypto';
import { readWithGit } from './reader.js';

/** A commit and the paths that it touches. */
export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly paths: readonly string[];
}

/**
 * The commits on HEAD after this one (all without one, or where the repo has it no more), oldest first. None where the
 * agent left no repo of the folder's own; one that cannot be read is an error, since nobody knows what it holds.
 */
export async function readCommits(folder: string, since: string | null): Promise<Commit[]> {
  // Drawn anew each time: no commit message can hold it, and so none can pass for another commit or path.
  const mark = randomUUID();
  const format = `--format=${mark}%H${mark}%B${mark}`;
  const log = ['log', '-z', '--reverse', '--no-renames', '--no-ext-diff', '--name-only', format];
  const commits = await readWithGit(folder, async ({ head, git }) => {
    if (head === since) return [];
    // With --ignore-missing a commit that is not there is no error: right for the old one, not for HEAD.
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

/** The paths follow after a zero byte and a line break, each with a zero byte at its end. */
function toCommit(hash: string, message: string, paths: string): Commit {
  const listed = paths.replace(/^\0\n?/, '').split('\0');
  return { hash, message: message.trim(), paths: listed.filter((path) => path !== '') };
}
