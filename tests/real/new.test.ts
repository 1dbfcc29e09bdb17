import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';

/** Between them: hats, notes, files, events by command and by tag, memories, tasks, a refused completion. */
const RUNS = [
  'hat-instructions',
  'hat-scratchpad',
  'claude-events',
  'claude-multi-iter',
  'memory-types',
  'tasks-block-completion',
];

test('what the real ralph leaves of a completed run becomes a scenario that passes on it and on the stand-in', async () => {
  const cwd = tempFolder();
  const ralph = requireProgram('ralph');
  const made = await runCli(
    [
      'claude',
      '--mock',
      '--ralph',
      ralph,
      '--keep-workspace',
      '--output',
      'made',
      ...RUNS.flatMap((id) => ['--test', id]),
    ],
    { cwd },
  );
  expect(made.code).toBe(0);
  const workspaces = readdirSync(join(cwd, 'made')).filter((name) => RUNS.some((id) => name.startsWith(id)));
  expect(workspaces).toHaveLength(RUNS.length);
  for (const name of workspaces) {
    const { code, stderr } = await runCli(
      ['new', `from-${name}`, '--from', join('made', name), '--output', 'drafts'],
      { cwd },
    );
    expect([stderr, code]).toEqual(['', 0]);
  }
  const files = readdirSync(join(cwd, 'drafts')).flatMap((name) => ['--scenarios', join('drafts', name)]);
  for (const target of ['embedded', ralph]) {
    const { code, stdout } = await runCli(['claude', '--mock', '--ralph', target, '--json', ...files], {
      cwd,
    });
    const { results } = reportSchema.parse(JSON.parse(stdout));
    const failed = results.flatMap(({ scenario_id, assertions }) =>
      assertions
        .filter(({ passed }) => !passed)
        .map(({ name, actual }) => `${scenario_id}: ${name}: ${actual}`),
    );
    expect(failed).toEqual([]);
    expect([results.length, code]).toEqual([RUNS.length, 0]);
  }
});
