import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentSaid, completed, loop, onObjective, type Scenario, scenario } from '../../src/authoring.js';
import { exitCodeOf } from '../../src/cli/exit-codes.js';
import type { Estimate } from '../../src/domain/money/spending.js';
import { reportSchema } from '../../src/domain/report/report.js';
import type { BackendId } from '../../src/domain/vocabulary.js';
import { runHarness } from '../../src/harness/harness.js';
import { bareSystemPath, callCli, startCli, tempFolder } from '../support/cli.js';
import { type FakeOptions, writeFakeAgents } from '../support/fake-agents.js';
import { liveRun } from '../support/live-run.js';

/** A loop of one iteration. With `sum`, it wants another result than the agent finds. */
function addition(id: string, { sum = 5 } = {}): Scenario {
  return scenario({
    id,
    tier: 2,
    priority: 'should',
    phase: 'green',
    description: 'The agent adds',
    covers: [],
    expectedIterations: 1,
    arrange: () => ({ config: loop({ maxIterations: 3 }), prompt: 'Work out 2 + 3.' }),
    expect: () => ({ ends: completed(), said: agentSaid(`ANSWER=${sum}`) }),
    agent: [
      onObjective(/Work out/)
        .says('ANSWER=5')
        .completes(),
    ],
  });
}
const SIX = ['one', 'two', 'three', 'four', 'five', 'six'].map((id) => addition(id));

interface Choice {
  readonly catalogue?: readonly Scenario[];
  readonly backends?: readonly BackendId[];
  readonly maxUsd?: number;
  readonly jobs?: number;
  readonly approve?: (estimate: Estimate) => Promise<boolean>;
  /** Let ralph analyse the results. The fake agent cannot. */
  readonly analysis?: boolean;
}

/** Runs scenarios live, with fakes on PATH where the real CLIs would be. */
async function runLive(folder: string, agents: FakeOptions, choice: Choice = {}) {
  const bin = writeFakeAgents(join(folder, 'bin'), 'adds numbers', agents);
  const { report } = await runHarness({
    ...liveRun(folder, bin),
    catalogue: choice.catalogue ?? SIX,
    backends: choice.backends ?? ['claude'],
    jobs: choice.jobs ?? null,
    maxUsd: choice.maxUsd ?? null,
    ...(choice.approve === undefined ? {} : { approve: choice.approve }),
    analysis: choice.analysis ? { analyzer: null } : null,
  });
  return report;
}

describe('--max-cost', () => {
  test('starts nothing once it is reached, and lists the rest as not run', async () => {
    const report = await runLive(tempFolder(), { costUsd: 0.4 }, { maxUsd: 1, jobs: 1 });
    expect(report.results.map(({ outcome }) => outcome)).toEqual([
      ...['passed', 'passed', 'passed'],
      ...['skipped', 'skipped', 'skipped'],
    ]);
    expect(report.results[3]?.skip_cause).toEqual({ kind: 'budget-reached' });
    expect(report.spending).toMatchObject({
      calls: 3,
      tokens: 3000,
      estimated_usd: 0,
      max_usd: 1,
      not_run: 3,
    });
    expect(report.spending?.cost_usd).toBeCloseTo(1.2);
    expect([report.passed, exitCodeOf(report)]).toEqual([false, 2]);
    expect(report.verdict).toContain('3 tests did not run: --max-cost $1.00 was reached');
  });

  test('counts what runs by its estimate, so that tests side by side do not overrun it together', async () => {
    // The package estimates $0.077 for each: three of them reach $0.20.
    const report = await runLive(tempFolder(), { costUsd: 0.4 }, { maxUsd: 0.2, jobs: 6 });
    expect(report.spending).toMatchObject({ calls: 3, not_run: 3 });
  });

  test('goes on when what ran was cheaper than its estimate', async () => {
    const report = await runLive(tempFolder(), { costUsd: 0.001 }, { maxUsd: 0.2, jobs: 6 });
    expect([report.spending?.calls, report.spending?.not_run, exitCodeOf(report)]).toEqual([6, 0, 0]);
  });

  test('does not hide that Ralph broke a promise', async () => {
    const catalogue = [addition('wrong', { sum: 6 }), ...SIX];
    const report = await runLive(tempFolder(), { costUsd: 2 }, { catalogue, maxUsd: 1, jobs: 1 });
    expect([report.summary.failed, report.spending?.not_run, exitCodeOf(report)]).toEqual([1, 6, 1]);
  });

  test('estimates a CLI that reports no cost, and says so', async () => {
    const report = await runLive(tempFolder(), {}, { maxUsd: 0.2, jobs: 1 });
    expect(report.spending).toMatchObject({ calls: 3, tokens: null, not_run: 3 });
    expect(report.spending?.estimated_usd).toBeCloseTo(3 * 0.077);
    expect(report.spending?.cost_usd).toBe(report.spending?.estimated_usd);
  });

  test('is refused for a CLI whose cost nobody can estimate, before anything is made', async () => {
    const folder = tempFolder();
    const catalogue = [{ ...addition('one'), backends: ['codex' as const] }];
    await expect(runLive(folder, {}, { catalogue, backends: ['codex'], maxUsd: 1 })).rejects.toThrow(
      /--max-cost cannot be kept on codex/,
    );
    expect(existsSync(join(folder, '.e2e-tests'))).toBe(false);
  });

  test('is an option of the command line; the estimate comes first and is not part of the result', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers', { costUsd: 0.4 });
    const tests = ['--test', 'claude-connect', '--test', 'custom-connect'];
    const { code, stdout, stderr } = await callCli(
      ['claude', '--ralph', 'embedded', '--json', '--max-cost', '0.30', ...tests],
      { cwd, env: { PATH: `${bin}:${bareSystemPath()}` } },
    );
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.results.map(({ outcome }) => outcome)).toEqual(['passed', 'skipped']);
    expect(stderr).toMatch(/^Estimate: 2 tests, about 2 agent calls, 96 thousand tokens, \$0\.15, /);
    expect(stderr).toContain('Cost: $0.40 of $0.30');
    expect(stderr).toContain('$0.10 more than --max-cost');
    expect(code).toBe(2);
  });

  test.each(['0', '-1', 'five', ''])('refuses %j', async (amount) => {
    const { code, stderr } = await callCli(['--mock', `--max-cost=${amount}`], { cwd: tempFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--max-cost/);
  });
});

describe('the estimate', () => {
  test('comes from averages at first, and then from what this folder measured', async () => {
    const folder = tempFolder();
    const seen: Estimate[] = [];
    const approve = async (estimate: Estimate) => {
      seen.push(estimate);
      return true;
    };
    await runLive(folder, { costUsd: 0.5 }, { approve });
    const second = await runLive(folder, { costUsd: 0.5 }, { approve });
    expect(seen[0]).toMatchObject({ tests: 6, calls: 6, tokens: 288_000, measured: 0, unpriced: [] });
    expect(seen[0]?.usd).toBeCloseTo(6 * 0.077);
    expect(seen[1]).toMatchObject({ tests: 6, calls: 6, tokens: 6000, usd: 3, measured: 6 });
    expect(second.spending?.estimate).toMatchObject({ usd: 3, measured: 6 });
  });

  test('that is declined leaves nothing', async () => {
    const folder = tempFolder();
    const declined = runLive(folder, {}, { approve: async () => false });
    await expect(declined).rejects.toThrow(/Nothing ran: the estimate was declined/);
    expect(existsSync(join(folder, '.e2e-tests'))).toBe(false);
  });

  test('that is declined keeps what was there', async () => {
    const folder = tempFolder();
    const first = await runLive(folder, {}, { catalogue: SIX.slice(0, 1) });
    await runLive(folder, {}, { approve: async () => false }).catch(() => {});
    expect(existsSync(join(folder, '.e2e-tests', 'runs', first.run_id))).toBe(true);
  });
});

describe('the analysis by Ralph', () => {
  const one = SIX.slice(0, 1);

  test('is estimated, and its cost counts although it fails', async () => {
    const report = await runLive(tempFolder(), { costUsd: 0.5 }, { catalogue: one, analysis: true });
    expect([report.analyst?.outcome, report.passed]).toEqual(['failed', true]);
    expect(report.spending?.estimate.calls).toBe(3);
    expect(report.spending?.analysis_usd).toBeGreaterThan(0);
    expect(report.spending?.cost_usd).toBeCloseTo(0.5 + (report.spending?.analysis_usd ?? 0));
  });

  test('does not run when the budget is used up', async () => {
    const report = await runLive(tempFolder(), { costUsd: 2 }, { catalogue: one, analysis: true, maxUsd: 1 });
    expect(report.analyst).toMatchObject({
      outcome: 'skipped',
      notes: ['--max-cost leaves no money for it'],
    });
    expect([report.spending?.analysis_usd, exitCodeOf(report)]).toEqual([0, 0]);
  });

  test('ends with Ctrl-C, and the run keeps its verdict', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers', { costUsd: 0.1, hangs: true });
    const { child, done, output } = startCli(
      ['claude', '--ralph', 'embedded', '--json', '--test', 'claude-connect'],
      { cwd, env: { PATH: `${bin}:${bareSystemPath()}` }, analysis: true },
    );
    await new Promise<void>((resolve) => {
      child.stderr.on('data', () => {
        if (output().includes('Ralph analyzes the results on claude')) resolve();
      });
      child.once('close', () => resolve());
    });
    child.kill('SIGINT');
    const { code, stdout } = await done;
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.analyst).toMatchObject({ outcome: 'skipped', notes: ['the user skipped it'] });
    expect([code, report.passed, report.interrupted]).toEqual([0, true, false]);
  });
});
