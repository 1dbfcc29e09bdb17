import { isKnownError } from '../domain/common/known-error.js';
import { readWithGit } from '../workspace/git/reader.js';

/**
 * Reads the latest commits of a project and its uncommitted changes; null if it is not its own repo with a commit. For
 * repos inside it, only their commit is read: for more, git would run inside them, with their configuration.
 */
export async function readGitDiff(folder: string): Promise<string | null> {
  try {
    return await readWithGit(
      folder,
      async ({ git }) =>
        [
          await git('log', '--oneline', '-20'),
          await git('status', '--short', '--ignore-submodules=dirty'),
          await git('diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', 'HEAD', '--'),
        ].join('\n'),
      { workTree: true },
    );
  } catch (error) {
    // Keep the other artifacts, and save the reason where the diff would be.
    if (isKnownError(error)) return `${error.message}\n`;
    throw error;
  }
}
