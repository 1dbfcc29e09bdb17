import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeBlobs } from '../../src/blob/files.js';
import { tempFolder } from '../support/cli.js';

test('a shard removes its own blob and those of other numbers of shards, and keeps its siblings', async () => {
  const path = tempFolder();
  const names = [
    'blob-1-of-2.ralph-e2e',
    'blob-2-of-2.ralph-e2e',
    'blob-1-of-1.ralph-e2e',
    'blob-2-of-22.ralph-e2e',
    'report.json',
  ];
  for (const name of names) writeFileSync(join(path, name), '');
  await removeBlobs({ path }, { index: 2, total: 2 });
  expect(readdirSync(path).sort()).toEqual(['blob-1-of-2.ralph-e2e', 'report.json']);
});
