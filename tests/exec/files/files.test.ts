import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomic } from '../../../src/exec/files/atomic-write.js';
import { packageRoot } from '../../../src/exec/files/package-root.js';
import { findExecutable } from '../../../src/exec/find-executable.js';
import { makeTempDir } from '../support.js';

test('a program is found along PATH, and only if it can be run', () => {
  const folder = makeTempDir();
  for (const name of ['one', 'two', 'three']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'one', 'tool'), '', { mode: 0o644 });
  mkdirSync(join(folder, 'two', 'tool'));
  writeFileSync(join(folder, 'three', 'tool'), '');
  chmodSync(join(folder, 'three', 'tool'), 0o755);
  const path = ['one', 'two', 'three'].map((name) => join(folder, name)).join(':');
  expect(findExecutable('tool', `:relative:${path}`)).toBe(join(folder, 'three', 'tool'));
  expect(findExecutable('tool', undefined)).toBeNull();
  expect(findExecutable('nothing', path)).toBeNull();
  expect(findExecutable(join(folder, 'three', 'tool'), '')).toBe(join(folder, 'three', 'tool'));
  expect(findExecutable(join(folder, 'one', 'tool'), path)).toBeNull();
});

test('the package root is the folder of our package.json', () => {
  expect(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))).toMatchObject({
    name: 'ralph-e2e',
  });
  expect(existsSync(join(packageRoot(), '.e2e-tests.gitignore'))).toBe(true);
});

test('an atomic write replaces the file, or changes nothing and leaves nothing', async () => {
  const folder = makeTempDir();
  const path = join(folder, 'report.md');
  await writeFileAtomic(path, 'old');
  await writeFileAtomic(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  mkdirSync(join(folder, 'folder', 'full'), { recursive: true });
  await expect(writeFileAtomic(join(folder, 'folder'), 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder).sort()).toEqual(['folder', 'report.md']);
});
