// Writes the pages that are generated from the sources. The tests that compare them also write them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tests = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('tests', name))
  .filter((path) => /process\.env\.UPDATE_DOCS/.test(readFileSync(join(root, path), 'utf8')));
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests],
  { cwd: root, stdio: 'inherit', env: { ...process.env, UPDATE_DOCS: '1' } },
);
process.exitCode = status ?? 1;
