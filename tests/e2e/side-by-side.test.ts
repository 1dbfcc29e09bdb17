import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));
const TESTS = ['claude', '--mock', '--test', 'claude-connect', '--test', 'claude-single-iter'];

/** A ralph of this version with these faults. */
function putRalph(cwd: string, version: string, faults = ''): string {
  const path = join(cwd, `ralph-${version}`);
  const script = [
    `[ "$*" = --version ] && echo 'ralph ${version}' && exit`,
    `export RALPH_STANDIN_FAULT='${faults}'`,
    `exec ${STAND_IN} "$@"`,
  ];
  writeFileSync(path, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 });
  return path;
}

describe('two ralphs', () => {
  test('run the same tests and are compared: 1 if the second breaks what the first keeps, else 0', async () => {
    const cwd = tempFolder();
    const old = putRalph(cwd, '2.10.0', 'ignore-completion');
    const now = putRalph(cwd, '2.10.1');

    const better = await callCli([...TESTS, '--ralph', old, '--ralph', now], { cwd });
    expect(better.stdout).toMatch(/Before: ralph 2\.10\.0[\s\S]*After: ralph 2\.10\.1/);
    expect(better.stdout).toContain('Also changed: ralph: 2.10.0, now 2.10.1');
    expect(better.stdout).toContain('0 new failures, 2 fixed');
    expect(better.code).toBe(0);

    const worse = await callCli([...TESTS, '--ralph', now, '--ralph', old, '--json'], { cwd });
    const { before, after, changes } = JSON.parse(worse.stdout);
    expect([before.ralph_version, after.ralph_version]).toEqual(['2.10.1', '2.10.0']);
    expect(changes.new_failures).toHaveLength(2);
    expect(worse.code).toBe(1);

    const kept = readdirSync(join(cwd, '.e2e-tests/runs')).map((run) =>
      reportSchema.parse(JSON.parse(readFileSync(join(cwd, '.e2e-tests/runs', run, 'report.json'), 'utf8'))),
    );
    expect(kept.map(({ ralph_version }) => ralph_version).sort()).toEqual([
      '2.10.0',
      '2.10.0',
      '2.10.1',
      '2.10.1',
    ]);
  });

  test.each([
    ['three', ['a', 'b', 'c'], /--ralph: expected one Ralph, or two to compare, found 3/],
    ['the same twice', ['a', 'a'], /--ralph: expected two different programs to compare, found a twice/],
  ])('that are %s are refused, and the exit code is 2', async (_what, names, message) => {
    const args = names.flatMap((name) => ['--ralph', name]);
    const { code, stderr } = await callCli([...TESTS, ...args], { cwd: tempFolder() });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('of which one is missing have no verdict', async () => {
    const cwd = tempFolder();
    const args = ['--ralph', putRalph(cwd, '2.10.1'), '--ralph', join(cwd, 'nowhere')];
    expect((await callCli([...TESTS, ...args], { cwd })).code).toBe(2);
  });
});
