import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeTree } from '../../src/exec/files/remove-tree.js';
import { diffSnapshots, snapshotFiles } from '../../src/workspace/snapshot.js';
import { makeTempDir } from '../exec/support.js';

describe('snapshotFiles', () => {
  test('lists files with their hash, links as links, and nothing of git', async () => {
    const folder = makeTempDir();
    for (const name of ['.git', 'sub', 'sub/.git']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, '.git', 'HEAD'), 'x');
    writeFileSync(join(folder, 'sub', 'hello.txt'), 'hello', { mode: 0o640 });
    symlinkSync('/etc', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { files, truncated } = await snapshotFiles(folder);
    expect(truncated).toBe(false);
    expect(files).toMatchObject([
      { path: 'link', kind: 'symlink', target: '/etc', sha256: null },
      { path: 'pipe', kind: 'other', sha256: null },
      {
        path: 'sub/hello.txt',
        kind: 'file',
        size: 5,
        sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      },
    ]);
    expect(files).toHaveLength(3);
  });

  test('stops at its limit, and sees what is near the top first', async () => {
    const folder = makeTempDir();
    mkdirSync(join(folder, 'a', 'deep'), { recursive: true });
    for (const name of ['a/deep/1', 'a/deep/2', 'a/3', 'z']) writeFileSync(join(folder, name), '');
    const { files, truncated } = await snapshotFiles(folder, { maxFiles: 2 });
    expect(truncated).toBe(true);
    expect(files.map(({ path }) => path)).toEqual(['a/3', 'z']);
    expect(await snapshotFiles(folder, { maxFiles: 4 })).toMatchObject({ truncated: false });
  });

  test('lists names that are not UTF-8, each by its bytes', async () => {
    const folder = makeTempDir();
    const odd = (path: string) => Buffer.from(join(folder, path), 'latin1');
    mkdirSync(odd('d\xff'));
    for (const path of ['d\xff/in', 'a\xfe', 'a\xff']) writeFileSync(odd(path), '');
    const { files } = await snapshotFiles(folder);
    expect(files.map(({ path }) => path)).toEqual(['a\\xfe', 'a\\xff', 'd\\xff/in']);
    await removeTree(folder);
  });

  test('is truncated if folders are deeper than a path can say', async () => {
    const folder = makeTempDir();
    writeFileSync(join(folder, 'top'), '');
    const name = 'd'.repeat(200);
    execFileSync('sh', ['-c', `for i in $(seq 25); do mkdir ${name} && cd -P ${name} || exit 1; done`], {
      cwd: folder,
    });
    const { files, truncated } = await snapshotFiles(folder);
    expect([files.map(({ path }) => path), truncated]).toEqual([['top'], true]);
    await removeTree(folder);
  });

  test('a folder that is not there holds nothing', async () => {
    expect(await snapshotFiles(join(makeTempDir(), 'gone'))).toEqual({ files: [], truncated: false });
  });
});

test('diffSnapshots tells what was added, modified and deleted', async () => {
  const folder = makeTempDir();
  for (const name of ['same', 'content', 'mode', 'gone', 'becomes-link'])
    writeFileSync(join(folder, name), 'aaaa', { mode: 0o644 });
  symlinkSync('one', join(folder, 'link'));
  const before = await snapshotFiles(folder);
  writeFileSync(join(folder, 'same'), 'aaaa');
  writeFileSync(join(folder, 'content'), 'bbbb');
  chmodSync(join(folder, 'mode'), 0o755);
  for (const name of ['gone', 'becomes-link', 'link']) rmSync(join(folder, name));
  symlinkSync('aaaa', join(folder, 'becomes-link'));
  symlinkSync('two', join(folder, 'link'));
  writeFileSync(join(folder, 'new'), '');
  const diff = diffSnapshots(before, await snapshotFiles(folder));
  expect(diff.added.map(({ path }) => path)).toEqual(['new']);
  expect(diff.modified.map(({ after }) => after.path)).toEqual(['becomes-link', 'content', 'link', 'mode']);
  expect(diff.deleted.map(({ path }) => path)).toEqual(['gone']);
  expect(diff.truncated).toBe(false);
});
