import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHeaded } from '../../../../src/backends/claude/plugins/head.js';
import { readPlugin } from '../../../../src/kinds/conversation/plugins/plugin.js';
import { tempFolder } from '../../../support/cli.js';

/** The parser would take minutes for these, or exhaust the stack. */
test.each([
  ['200 KB', '['.repeat(200_000), '200000 characters and 200000 lists and mappings'],
  ['brackets', '['.repeat(501), '501 lists and mappings'],
  ['dashes', `${'- '.repeat(501)}x`, '501 lists and mappings'],
])('a head of %s is not read, which is said', (_, head, excess) => {
  expect(readHeaded(`---\n${head}\n---\nText`)).toEqual({
    fields: {},
    body: 'Text',
    problem: null,
    excess: expect.stringContaining(excess),
  });
});

test('a head of ordinary size is parsed', () => {
  const head = `tools:\n${'  - one\n'.repeat(400)}`;
  expect(readHeaded(`---\n${head}---\nText`)).toMatchObject({ problem: null, excess: null });
});

test('a file of a plugin that is too large is named, and not read', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'commands'));
  const file = join(root, 'commands/large.md');
  writeFileSync(file, '');
  truncateSync(file, 3 * 1024 ** 3);
  await expect(readPlugin(root)).rejects.toThrow(
    `Expected at most 4194304 bytes in ${file}, found 3221225472.`,
  );
});
