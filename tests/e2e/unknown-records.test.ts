import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** A Ralph of a later version, which calls a field of its event records something else. */
function putRenamed(folder: string, change: string): string {
  const path = join(folder, 'ralph');
  const lines = [
    '#!/bin/sh',
    '[ "$1" = --version ] && echo \'ralph 2.11.0\' && exit',
    `[ "$1" = run ] || exec '${STAND_IN}' "$@"`,
    `'${STAND_IN}' "$@"; code=$?`,
    `perl -pi -e '${change}' .ralph/events-*.jsonl`,
    'exit $code',
  ];
  writeFileSync(path, lines.join('\n'));
  chmodSync(path, 0o755);
  return path;
}

const run = (cwd: string, ralph: string) =>
  callCli(['claude', '--mock', '--ralph', ralph, '--filter', '/^claude-(events|connect)$/', '--json'], {
    cwd,
  });

test('a Ralph whose records cannot be read gets no verdict, and that is the only cause', async () => {
  const cwd = tempFolder();
  const { code, stdout } = await run(cwd, putRenamed(cwd, 's/"topic":/"name":/'));
  expect(code).toBe(2);
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.results.map(({ outcome }) => outcome)).toEqual(['error', 'error']);
  const { causes } = JSON.parse(readFileSync(join(cwd, '.e2e-tests/failures.json'), 'utf8'));
  expect(causes).toHaveLength(1);
  expect(JSON.stringify(causes)).toContain(
    'ralph 2.11.0 writes records that this ralph-e2e cannot read: the events file has rows with',
  );

  const again = await callCli(['regrade', report.run_id], { cwd });
  expect(again.code).toBe(2);
});

test('a Ralph that spoils some of its records breaks a promise', async () => {
  const cwd = tempFolder();
  const { code } = await run(cwd, putRenamed(cwd, 's/"topic":/"name":/ if $. > 1'));
  expect(code).toBe(1);
});
