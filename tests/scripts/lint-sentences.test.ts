import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIXTURE = 'tests/scripts/fixtures/sentences.ts';

test('finds every line that reads a fact out of a sentence of a check, and no other', {
  timeout: 60_000,
}, () => {
  const wanted = readFileSync(`${ROOT}/${FIXTURE}`, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.endsWith('// flagged') ? [index + 1] : []));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/lint-sentences.mjs', FIXTURE], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = [...stderr.matchAll(/^tests\/scripts\/fixtures\/sentences\.ts:(\d+): /gm)].map(([, line]) =>
    Number(line),
  );
  expect([...new Set(found)]).toEqual(wanted);
  expect(stderr).toContain('read about');
  expect(status).toBe(1);
});
