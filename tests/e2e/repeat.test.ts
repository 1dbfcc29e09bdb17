import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentSaid, completed, loop, onObjective, type Scenario, scenario } from '../../src/authoring.js';
import { exitCodeOf } from '../../src/cli/exit-codes.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import type { Estimate } from '../../src/domain/money/spending.js';
import type { RepeatPlan } from '../../src/domain/options/repeat-plan.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { runHarness } from '../../src/harness/harness.js';
import { callCli, runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, writeEndingRun } from '../support/ending-run.js';
import { writeFakeAgents } from '../support/fake-agents.js';
import { liveRun } from '../support/live-run.js';

/** Runs two tests live, one by one. `isBroken` says in which repeats the second wants another sum than there is. */
async function runLive(
  repeat: RepeatPlan,
  {
    isBroken = () => false,
    maxUsd,
    approve,
    folder = tempFolder(),
    lastFailed = false,
  }: {
    readonly isBroken?: (repeat: number) => boolean;
    readonly maxUsd?: number;
    readonly approve?: (estimate: Estimate) => Promise<boolean>;
    readonly folder?: string;
    readonly lastFailed?: boolean;
  } = {},
) {
  const bin = writeFakeAgents(join(folder, 'bin'), 'adds numbers', { costUsd: 0.1 });
  const started: string[] = [];
  let current = 1;
  const onEvent = (event: JournalEvent): void => {
    if (event.type !== 'attempt-started') return;
    current = event.repeat ?? 1;
    started.push(`${event.scenarioId} ${event.repeat}`);
  };
  const addition = (id: string, sum: () => number): Scenario =>
    scenario({
      id,
      tier: 2,
      priority: 'should',
      phase: 'green',
      description: 'The agent adds',
      covers: [],
      expectedIterations: 1,
      arrange: () => ({ config: loop({ maxIterations: 3 }), prompt: 'Work out 2 + 3.' }),
      expect: () => ({ ends: completed(), said: agentSaid(`ANSWER=${sum()}`) }),
      agent: [
        onObjective(/Work out/)
          .says('ANSWER=5')
          .completes(),
      ],
    });
  const catalogue = [addition('one', () => 5), addition('two', () => (isBroken(current) ? 6 : 5))];
  const { report } = await runHarness({
    ...liveRun(folder, bin),
    ...{ catalogue, repeat, maxUsd: maxUsd ?? null, onEvent, lastFailed, jobs: 1, backends: ['claude'] },
    ...(approve === undefined ? {} : { approve }),
  });
  return { report, started, folder };
}

describe('--repeat', () => {
  test('runs all tests once, then all again, and reports the rate of each', async () => {
    const { report, started } = await runLive({ times: 3, threshold: null }, { isBroken: (n) => n === 2 });
    expect(started).toEqual(['one 1', 'two 1', 'one 2', 'two 2', 'one 3', 'two 3']);
    expect(report.results.map(({ repeats }) => repeats?.passed)).toEqual([3, 2]);
    expect(report.results[1]?.repeats).toMatchObject({ flips: 2, failures: [{ repeat: 2 }] });
    expect(report.results[1]?.repeats?.spread.cost_usd?.median).toBeCloseTo(0.1);
    expect(report.passed).toBe(false);
  });

  test('a test with one failed repeat is one that failed last', async () => {
    const { folder } = await runLive({ times: 2, threshold: null }, { isBroken: (n) => n === 1 });
    const { started } = await runLive({ times: 2, threshold: null }, { folder, lastFailed: true });
    expect(started).toEqual(['two 1', 'two 2']);
  });

  test('a test that reached its threshold is not one that failed last', async () => {
    const plan = { times: 2, threshold: 0.5 };
    const { report, folder } = await runLive(plan, { isBroken: (n) => n === 1 });
    expect([report.results[1]?.outcome, exitCodeOf(report)]).toEqual(['flaky', 0]);
    await expect(runLive(plan, { folder, lastFailed: true })).rejects.toThrow('no test failed');
  });

  test('estimates all repeats before it starts', async () => {
    const estimates: Estimate[] = [];
    const approve = async (estimate: Estimate) => {
      estimates.push(estimate);
      return true;
    };
    await runLive({ times: 2, threshold: null }, { approve });
    await runLive({ times: 4, threshold: null }, { approve, maxUsd: 0.05 });
    expect(estimates[1]?.usd).toBeCloseTo(2 * (estimates[0]?.usd ?? 0));
  });

  test('says which repeats the budget did not pay', async () => {
    const { report, started } = await runLive({ times: 5, threshold: null }, { maxUsd: 0.3 });
    expect(started).toHaveLength(3);
    expect(report.results[0]?.repeats).toMatchObject({
      ran: 2,
      left_reason: 'not run: --max-cost was reached',
    });
    expect([report.repeat?.incomplete, exitCodeOf(report)]).toEqual([2, 2]);
  });
});

test('--threshold runs every repeat, and fails the test with too few passes', async () => {
  const { report, started } = await runLive({ times: 3, threshold: 0.6 }, { isBroken: (n) => n < 3 });
  expect(started).toHaveLength(6);
  expect(report.results.map(({ outcome, repeats }) => [outcome, repeats?.below_threshold])).toEqual([
    ['passed', false],
    ['failed', true],
  ]);
  expect(exitCodeOf(report)).toBe(1);
});

describe('the command line', () => {
  test('repeats offline, shows one line for each test, and keeps the rates for show --history', async () => {
    const cwd = tempFolder();
    const call = ['claude', '--mock', '--ralph', 'embedded', '--filter', 'claude-connect'];
    const { code, stdout } = await callCli([...call, '--repeat', '3', '--report', 'json,markdown,html'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Repeats: 3 of each test, without retries\n');
    expect(stdout.match(/claude-connect/g)).toHaveLength(1);
    expect(stdout).toMatch(/✅ claude-connect \(3 of 3 passed, interval 43 to 100 %, median /);
    const read = (name: string) => readFileSync(join(cwd, '.e2e-tests', name), 'utf8');
    const report = reportSchema.parse(JSON.parse(read('report.json')));
    expect(report.results[0]?.repeats).toMatchObject({ ran: 3, passed: 3, defect: false });
    expect(read('report.md')).toMatch(/## 🎲 Repeats[\s\S]*\| `claude-connect` \| 3 of 3 passed, 100 %/);
    expect(read('report.html')).toMatch(/<section id="repeats"[\s\S]*3 of 3 passed, 100 %/);

    const history = await callCli(['show', '--history'], { cwd });
    expect(history.stdout).toMatch(/^Test .*\nclaude-connect +sim \(stand-in\) +3 of 3 \(100 %\)/);
    const one = await callCli(['show', '--history', 'claude-connect'], { cwd });
    expect(one.stdout).toContain('\nPassed: 3 of 3 (100 %), 95 % interval: 43 to 100 %\n');
    const page = await callCli(['show', '--history', '--format', 'html'], { cwd });
    expect(page.code).toBe(2);
    const unknown = await callCli(['show', '--history', 'claude-conect'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('Did you mean claude-connect?'),
    ]);
  });

  test('passes at a threshold that all repeats reach', async () => {
    const call = ['claude', '--mock', '--ralph', 'embedded', '--filter', 'claude-connect', '--repeat', '10'];
    const { code, stdout } = await callCli([...call, '--threshold', '0.9'], { cwd: tempFolder() });
    expect(stdout).toContain('Repeats: 10 of each test, without retries; at least 0.9 of them must pass\n');
    expect(stdout).toMatch(/✅ claude-connect \(10 of 10 passed, interval 72 to 100 %, median /);
    expect(stdout).toContain('the only test passed on the stand-in');
    expect(code).toBe(0);
  });

  test('goes on with a killed run where it stopped', async () => {
    const cwd = writeEndingRun(['SIGKILL']);
    await runCli([...ENDING_CALL, '--repeat', '2'], { cwd });
    const { code, stdout } = await runCli(['resume', '--json'], { cwd });
    expect(code).toBe(1);
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.results.map(({ outcome, repeats }) => [outcome, repeats?.ran])).toEqual([
      ['passed', 2],
      ['failed', 2],
      ['passed', 2],
      ['passed', 2],
    ]);
  });
});
