import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isKnownError } from '../domain/common/known-error.js';
import { makeFolder, putFile } from '../exec/files/make-folder.js';
import { readWithGit } from '../workspace/git/reader.js';
import { snapshotFiles } from '../workspace/snapshot.js';
import type { Harness } from './harness.js';
import { describeSession } from './results.js';
import type { ManagedSession } from './sessions.js';

export const ARTIFACT_TYPES = ['logs', 'screenshots', 'session_state', 'git_diffs'] as const;
type ArtifactType = (typeof ARTIFACT_TYPES)[number];

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg)$/i;
const MAX_PICTURES = 200;
const MAX_NAME = 100;

/** Copies what the tests left into a new folder `<test>_<YYYYMMDD_HHMMSS>`. */
export async function captureArtifacts(
  harness: Harness,
  testName: string,
  types: readonly ArtifactType[],
): Promise<{ readonly folder: string; readonly files: string[] }> {
  const folder = await openFolder(harness, testName);
  const files: string[] = [];
  for (const type of new Set(types)) {
    files.push(...(await CAPTURE[type](harness, join(folder, type))));
  }
  return { folder, files };
}

/** Creates the folder. Two captures within one second get two folders. */
async function openFolder(harness: Harness, testName: string): Promise<string> {
  const [day = '', time = ''] = new Date().toISOString().split(/[T.]/);
  const stamp = `${day.replaceAll('-', '')}_${time.replaceAll(':', '')}`;
  const parent = await harness.keep('artifacts');
  await makeFolder(parent);
  const taken = new Set(await readdir(parent));
  const name = `${toFolderName(testName)}_${stamp}`;
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  const folder = join(parent, free);
  await harness.captured.add(folder, () => makeFolder(folder));
  return folder;
}

/** Keeps what is safe in a name on every system: pytest names tests `test_x[a/b]`. */
function toFolderName(testName: string): string {
  return testName
    .replace(/[^\w.,=+@[\]-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, MAX_NAME);
}

const CAPTURE: Readonly<
  Record<ArtifactType, (harness: Harness, folder: string) => Promise<readonly string[]>>
> = {
  logs: async ({ sessions }, folder) =>
    (await Promise.all(sessions.all.map((session) => copyLogs(session, folder)))).flat(),
  screenshots: async (harness, folder) => {
    const copied: string[] = [];
    for (const project of listProjects(harness)) {
      const { files } = await snapshotFiles(project);
      for (const { path } of files.filter((file) => file.kind === 'file' && PICTURE.test(file.path))) {
        if (copied.length >= MAX_PICTURES) return copied;
        const target = join(folder, `${copied.length + 1}-${path.replaceAll('/', '_')}`);
        await makeFolder(folder);
        await copyFile(join(project, path), target);
        copied.push(target);
      }
    }
    return copied;
  },
  session_state: async (harness, folder) => {
    const written: string[] = [];
    for (const session of harness.sessions.all) {
      const target = join(folder, `${session.id}.json`);
      putFile(target, `${JSON.stringify(describeSession(harness, session), null, 2)}\n`);
      written.push(target);
    }
    return written;
  },
  git_diffs: async (harness, folder) => {
    const written: string[] = [];
    for (const [index, project] of listProjects(harness).entries()) {
      const diff = await readGitDiff(project);
      if (diff === null) continue;
      const target = join(folder, `${index + 1}-${project.split('/').at(-1) ?? ''}.diff`);
      putFile(target, diff);
      written.push(target);
    }
    return written;
  },
};

/** Lists the projects that this server created and the working folders of conversations. */
function listProjects({ projects, sessions }: Harness): string[] {
  return [...new Set([...projects.paths, ...sessions.all.map(({ options }) => options.cwd)])];
}

async function copyLogs(session: ManagedSession, folder: string): Promise<string[]> {
  const copied: string[] = [];
  const entries = await readdir(session.options.artifacts, { withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const target = join(folder, session.id, entry.name);
    await makeFolder(join(folder, session.id));
    await copyFile(join(session.options.artifacts, entry.name), target);
    copied.push(target);
  }
  return copied;
}

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
