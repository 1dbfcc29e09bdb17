import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listExports, renderReference } from './support/reference.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('docs/reference.md is what the comments in the sources say (npm run docs)', () => {
  const path = join(ROOT, 'docs/reference.md');
  const page = renderReference(ROOT);
  if (process.env.UPDATE_DOCS) writeFileSync(path, page);
  expect(readFileSync(path, 'utf8')).toBe(page);
});

test('every function that scenarios and tests can import has a comment', () => {
  const bare = listExports(ROOT, 'src/index.ts').filter(({ form, doc }) => form === 'call' && doc === '');
  expect(bare.map(({ name }) => name)).toEqual([]);
});
