import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveInside } from '../../../src/exec/files/resolve-inside.js';
import { makeTempDir } from '../support.js';

test.each(['', '.', './', 'a/..', 'a/../', '..', '../', '../b', '/', '/etc/hostname'])(
  'the path %j is none in a folder',
  async (path) => {
    await expect(resolveInside(makeTempDir(), path)).rejects.toThrow(/^Expected a path inside /);
  },
);

test('a folder in a folder may be written with a slash', async () => {
  const folder = makeTempDir();
  mkdirSync(join(folder, 'a'));
  expect(await resolveInside(folder, 'a/')).toBe(`${join(folder, 'a')}/`);
  expect(await resolveInside(folder, './a/new.txt')).toBe(join(folder, 'a/new.txt'));
});

test('no link on the way leads out', async () => {
  const folder = makeTempDir();
  mkdirSync(join(folder, 'a'));
  symlinkSync('a', join(folder, 'in'));
  symlinkSync('..', join(folder, 'out'));
  expect(await resolveInside(folder, 'in/b.txt')).toBe(join(folder, 'in/b.txt'));
  await expect(resolveInside(folder, 'out/b.txt')).rejects.toThrow('out, a link that leads out of it');
});
