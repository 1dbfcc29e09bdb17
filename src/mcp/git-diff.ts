import { isKnownError } from '../domain/common/known-error.js';
import { readWithGit } from '../workspace/git/reader.js';

/**
 * The latest commits of a project and what is not committed; null where it is no repo of its own with a commit. Of
 * repos inside it only their commit is looked at: for more, git would start itself there, with their configuration.
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
    // Other artifacts can be kept all the same, and who looks for this one finds why it is not there.
    if (isKnownError(error)) return `${error.message}\n`;
    throw error;
  }
}
