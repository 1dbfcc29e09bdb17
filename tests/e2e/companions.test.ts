import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BACKENDS } from '../../src/backends/index.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { scriptedAttempt } from '../../src/lane/environment.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';

const OVERRIDE = [
  'claude',
  '--lane',
  'scripted',
  '--ralph',
  'embedded',
  '--json',
  '--filter',
  'hat-backend-override',
];

test('a scenario whose second backend is missing is skipped and says which', async () => {
  const cwd = tempFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.0 (Claude Code)"\n');
  chmodSync(join(bin, 'claude'), 0o755);
  const PATH = `${bin}:${bareSystemPath()}`;
  const { stdout, code } = await callCli(OVERRIDE, { cwd, env: { PATH, HOME: cwd } });
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.summary.skipped).toBe(1);
  expect(stdout).toContain('opencode: opencode is not on PATH');
  expect(report.backends_tested.map(({ backend }) => backend)).toEqual(['claude']);
  expect(code).toBe(2);
});

test('in the scripted lane every CLI that takes part asks our server', () => {
  const url = 'http://127.0.0.1:9';
  const env = scriptedAttempt([BACKENDS.claude, BACKENDS.opencode], {}, '/home/of/nobody', url);
  expect(env.ANTHROPIC_BASE_URL).toBe(url);
  expect(env.OPENCODE_CONFIG_CONTENT).toContain(url);
  expect(() => scriptedAttempt([BACKENDS.kiro], {}, '/home/of/nobody', url)).toThrow('never ready');
});
