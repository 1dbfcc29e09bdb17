import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAILURE_PAGES, TEST_PAGES } from '../../../src/domain/report/failure-pages.js';
import { removeAllPages, writePages } from '../../../src/workspace/runs/pages.js';
import { tempFolder } from '../../support/cli.js';

const pages = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([name, text]) => [name, () => text]));

describe('pages', () => {
  test('those of this run are there, those of an earlier one are gone', async () => {
    const root = { path: tempFolder() };
    const folder = join(root.path, 'report/failures');
    await writePages(root, FAILURE_PAGES, pages({ 'a.md': 'old a', 'b.md': 'old b' }));
    await writePages(root, TEST_PAGES, pages({ 'a.md': 'all about a' }));
    await writePages(root, FAILURE_PAGES, pages({ 'b.md': 'new b', 'c.md': 'new c' }));
    expect(readdirSync(folder).sort()).toEqual(['b.md', 'c.md']);
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe('new b');
    await writePages(root, FAILURE_PAGES, new Map());
    expect(readdirSync(join(root.path, 'report'))).toEqual(['tests']);
    await writePages(root, TEST_PAGES, new Map());
    expect(existsSync(join(root.path, 'report'))).toBe(false);
  });

  test('what somebody else put there stays', async () => {
    const root = { path: tempFolder() };
    await writePages(root, FAILURE_PAGES, pages({ 'a.md': 'a' }));
    await writePages(root, TEST_PAGES, pages({ 'a.md': 'a' }));
    mkdirSync(join(root.path, 'report/failures/mine.md'));
    writeFileSync(join(root.path, 'report/notes.md'), 'mine');
    expect(await removeAllPages(root)).toEqual(['report/failures/a.md', 'report/tests/a.md']);
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
    await expect(writePages(root, FAILURE_PAGES, pages({ 'a.md': 'a' }))).rejects.toThrow(
      /Expected a folder at/,
    );
    expect(readdirSync(elsewhere).sort()).toEqual(['failures', 'notes.md']);
    expect(readdirSync(join(elsewhere, 'failures'))).toEqual(['notes.md']);
  });
});
