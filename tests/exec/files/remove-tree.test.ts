// Starts programs, or takes seconds: in the project `whole`.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../../src/exec/files/remove-tree.js';
import { tempFolder } from '../../support/cli.js';

test('folders that are deeper than a path can say, or write-protected, are deleted', async () => {
  const top = tempFolder();
  const tree = join(top, 'tree');
  mkdirSync(tree);
  const name = 'd'.repeat(50);
  const script = `i=0; while [ $i -lt 200 ]; do mkdir ${name} && cd -P ${name} && echo x > file || exit 1; i=$((i+1)); done; cd ..; chmod 500 .`;
  expect(spawnSync('sh', ['-c', script], { cwd: tree }).status).toBe(0);
  await removeTree(tree);
  expect(readdirSync(top)).toEqual([]);
});

test('folders whose names are not UTF-8 are deleted', async () => {
  const top = tempFolder();
  const odd = (path: string) => Buffer.from(join(top, path), 'latin1');
  for (const path of ['tree', 'tree/d\xff', 'tree/d\xff/e\xfe']) mkdirSync(odd(path));
  writeFileSync(odd('tree/d\xff/e\xfe/f\xff'), '');
  chmodSync(odd('tree/d\xff/e\xfe'), 0o500);
  await removeTree(join(top, 'tree'));
  expect(readdirSync(top)).toEqual([]);
});

test('links are deleted and never followed', async () => {
  const top = tempFolder();
  for (const folder of ['precious', 'tree']) mkdirSync(join(top, folder));
  writeFileSync(join(top, 'precious/kept'), '');
  symlinkSync(join(top, 'precious'), join(top, 'tree/link'));
  symlinkSync(join(top, 'tree'), join(top, 'link'));
  await removeTree(join(top, 'link'));
  await removeTree(join(top, 'tree'));
  expect([existsSync(join(top, 'precious/kept')), readdirSync(top)]).toEqual([true, ['precious']]);
});
