import { copyFileSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hashFile } from '../../src/exec/files/hash-file.js';
import { watchTarget } from '../../src/run/watch-target.js';
import { tempFolder } from '../support/cli.js';

async function watch() {
  const path = join(tempFolder(), 'bin', 'ralph');
  mkdirSync(dirname(path));
  writeFileSync(path, 'the right one');
  const target = { kind: 'real', path, version: '2.10.1', sha256: await hashFile(path) } as const;
  return { path, find: await watchTarget(target, path) };
}

/** Changes a file until the clock of its file system has gone on. */
function copyLater(from: string, to: string): void {
  do copyFileSync(from, to);
  while (statSync(to).ctimeMs === statSync(from).ctimeMs);
}

test('a program that only gets another name is the same', async () => {
  const { path, find } = await watch();
  expect(await find()).toBeNull();
  linkSync(path, `${path}-too`);
  expect(await find()).toBeNull();
  rmSync(`${path}-too`);
  expect(await find()).toBeNull();
});

test('a program that was put back is not the same', async () => {
  const { path, find } = await watch();
  copyLater(path, `${path}-kept`);
  writeFileSync(path, 'another one');
  renameSync(`${path}-kept`, path);
  expect(await find()).toBe(`${path} was changed and put back`);
});

test('what was found stays found, even if the folder of the program is put back untouched', async () => {
  const { path, find } = await watch();
  const folder = dirname(path);
  renameSync(folder, `${folder}-kept`);
  expect(await find()).toBe(`${path} was removed`);
  renameSync(`${folder}-kept`, folder);
  expect(await find()).toBe(`${path} was removed`);
});
