import { expect, test } from 'vitest';
import { runCli, tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';

test('the stand-in for claude conforms to the real Claude Code in at least 95 % of the fields', async () => {
  const real = requireProgram('claude');
  const { code, stdout, stderr } = await runCli(['conform', 'claude', '--executable', real, '--json'], {
    cwd: tempFolder(),
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout);
  expect(result.percent).toBeGreaterThanOrEqual(95);
  for (const { id, fields, differences } of result.cases) {
    expect((fields - differences.length) / fields, id).toBeGreaterThanOrEqual(0.95);
  }
  expect(result.cases.flatMap(({ differences }: { differences: unknown[] }) => differences)).toEqual([]);
});
