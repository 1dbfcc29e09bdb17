import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeChosenFolder, makeFolder, makeFolderSync } from '../../../src/exec/files/make-folder.js';
import { makeTempDir } from '../support.js';

const WAYS = [
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
] as const;

describe.each(WAYS)('%s', (_name, make) => {
  test('makes all folders that are missing, and leaves one that is there', async () => {
    const path = join(makeTempDir(), 'a/b/c');
    await make(path);
    await make(path);
    expect(existsSync(path)).toBe(true);
  });

  test('throws where a file or a broken link is in the way', async () => {
    const folder = makeTempDir();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    for (const path of ['file', 'file/a/b', 'link', 'link/a'])
      await expect(make(join(folder, path)), path).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  // macOS has no file system that refuses new names with ENOENT.
  test.runIf(process.platform === 'linux').each(['/proc/foo', '/proc/foo/bar/baz', '/proc/self/x'])(
    'throws at %s, where Node would try for ever',
    async (path) => {
      await expect(make(path)).rejects.toThrow(/ENOENT/);
    },
  );
});

test('a chosen folder that cannot be made is a sentence with what to do', async () => {
  const file = join(makeTempDir(), 'file');
  writeFileSync(file, '');
  await expect(makeChosenFolder(join(file, 'a'), 'Choose another.')).rejects.toMatchObject({
    name: 'KnownError',
    message: expect.stringContaining(`Cannot create the folder ${join(file, 'a')}`),
    hint: 'Choose another.',
  });
});
