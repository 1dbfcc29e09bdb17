import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeFailurePages, writeFailurePages } from '../../../src/workspace/runs/failure-pages.js';
import { tempFolder } from '../../support/cli.js';

describe('failure pages', () => {
  test('those of this run are there, those of an earlier one are gone', async () => {
    const root = { path: tempFolder() };
    const folder = join(root.path, 'report/failures');
    await writeFailurePages(
      root,
      new Map([
        ['a.md', 'old a'],
        ['b.md', 'old b'],
      ]),
    );
    const paths = await writeFailurePages(
      root,
      new Map([
        ['b.md', 'new b'],
        ['c.md', 'new c'],
      ]),
    );
    expect(paths).toEqual([join(folder, 'b.md'), join(folder, 'c.md')]);
    expect(readdirSync(folder).sort()).toEqual(['b.md', 'c.md']);
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('new b');
    await writeFailurePages(root, new Map());
    expect(existsSync(join(root.path, 'report'))).toBe(false);
  });

  test('what somebody else put there stays', async () => {
    const root = { path: tempFolder() };
    await writeFailurePages(root, new Map([['a.md', 'a']]));
    mkdirSync(join(root.path, 'report/failures/mine.md'));
    writeFileSync(join(root.path, 'report/notes.md'), 'mine');
    expect(await removeFailurePages(root)).toEqual(['report/failures/a.md']);
    expect(readdirSync(join(root.path, 'report')).sort()).toEqual(['failures', 'notes.md']);
    expect(readdirSync(join(root.path, 'report/failures'))).toEqual(['mine.md']);
  });

  test.each(['report', 'report/failures'])('a link at %s leads nowhere', async (link) => {
    const [root, elsewhere] = [{ path: tempFolder() }, tempFolder()];
    mkdirSync(join(elsewhere, 'failures'));
    writeFileSync(join(elsewhere, 'notes.md'), 'mine');
    writeFileSync(join(elsewhere, 'failures/notes.md'), 'mine');
    if (link !== 'report') mkdirSync(join(root.path, 'report'));
    symlinkSync(elsewhere, join(root.path, link));
    await expect(writeFailurePages(root, new Map([['a.md', 'a']]))).rejects.toThrow(/Expected a folder at/);
    expect(readdirSync(elsewhere).sort()).toEqual(['failures', 'notes.md']);
    expect(readdirSync(join(elsewhere, 'failures'))).toEqual(['notes.md']);
  });
});
