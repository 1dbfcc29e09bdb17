import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decidePermission } from '../../../../../src/backends/claude/stand-in/permissions/permissions.js';
import { tempFolder } from '../../../../support/cli.js';
import { contextOf } from './context-of.js';

test('no rule allows a change through a link that leads out, and no mode an edit of a link', () => {
  const base = tempFolder();
  const cwd = join(base, 'w');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'a.txt'), 'A\n');
  symlinkSync('..', join(cwd, 'out'));
  symlinkSync('a.txt', join(cwd, 'near'));
  const decide = (
    tool: string,
    input: Readonly<Record<string, string>>,
    mode: 'default' | 'bypassPermissions',
  ) => {
    const context = contextOf({ allow: ['Bash', 'Edit'], mode });
    return decidePermission(tool, input, { ...context, root: cwd, folders: { cwd, all: [cwd] } }).allowed;
  };
  expect(decide('Bash', { command: 'touch out/x' }, 'default')).toBe(false);
  expect(decide('Bash', { command: 'touch out/x' }, 'bypassPermissions')).toBe(true);
  expect(decide('Bash', { command: `touch ${base}/x` }, 'default')).toBe(true);
  expect(decide('Bash', { command: 'touch near' }, 'default')).toBe(true);
  expect(decide('Edit', { file_path: 'a.txt' }, 'default')).toBe(true);
  expect(decide('Edit', { file_path: 'near' }, 'default')).toBe(false);
  expect(decide('Edit', { file_path: 'near' }, 'bypassPermissions')).toBe(false);
});
