import { delimiter, dirname } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { CLI, tempFolder } from '../support/cli.js';
import { canUnshare, NAMESPACE } from './namespace.js';
import { requireProgram } from './programs.js';

const TALKS = catalogue.filter(({ kind, lanes }) => kind === 'conversation' && lanes.includes('scripted'));

test(`conversations and plugins pass with the real Claude Code${canUnshare ? ', without any route' : ''}`, async () => {
  const [file = '', ...args] = [
    ...(canUnshare ? NAMESPACE : []),
    ...[process.execPath, CLI, 'claude', '--lane', 'scripted', '--ralph', 'embedded', '--skip-analysis'],
    ...['--json', '--filter', 'tier 8', '--filter', 'tier 9'],
  ];
  const { stdout, stderr, exitCode } = await execa(file, args, {
    cwd: tempFolder(),
    env: { PATH: [dirname(requireProgram('claude')), process.env.PATH].join(delimiter) },
    reject: false,
  });
  expect(stdout, stderr).not.toBe('');
  const { results } = reportSchema.parse(JSON.parse(stdout));
  const told = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ scenario_id, outcome, assertions, skip_reason, error }) => ({
      scenario_id,
      outcome,
      why: skip_reason ?? error ?? assertions.filter(({ passed }) => !passed),
    }));
  expect(told).toEqual([]);
  expect(results.map(({ scenario_id }) => scenario_id).sort()).toEqual(TALKS.map(({ id }) => id).sort());
  expect(exitCode).toBe(0);
});
