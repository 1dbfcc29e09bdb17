import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentSaid, completed, loop, onAnyPrompt, promptContained, scenario } from '../../src/authoring.js';
import { exitCodeOf } from '../../src/cli/exit-codes.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { runHarness } from '../../src/harness/harness.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { liveRun } from '../support/live-run.js';
import { type Reply, writeTroubledClaude } from '../support/troubled-claude.js';

// A fake claude behind the live lane. No test waits: the pauses are recorded instead.

/** `told` is a text that Ralph should send to the agent in addition to the sum. */
const sum = (id: string, told = 'Work out') =>
  scenario({
    id,
    backend: 'claude',
    tier: 1,
    priority: 'must',
    phase: 'green',
    description: 'The agent adds two numbers',
    covers: ['FR4'],
    expectedIterations: 1,
    arrange: ({ numbers: [a, b] }) => ({
      // One failed call ends the loop, so that calls and attempts are the same.
      config: loop({ maxIterations: 2, maxConsecutiveFailures: 1 }),
      prompt: `Work out ${a} + ${b}. Say \`ANSWER=<sum>\`, then declare the objective complete.`,
    }),
    expect: ({ numbers: [a, b] }) => ({
      ends: completed(),
      told: promptContained(told, { iteration: 1 }),
      said: agentSaid(`ANSWER=${a + b}`),
    }),
    agent: [onAnyPrompt().completes()],
    saboteurs: { silent: { agent: [onAnyPrompt().says('nothing')], kills: ['ends', 'said'] } },
  });

const CATALOGUE = ['sum-one', 'sum-two', 'sum-three', 'sum-four'].map((id) => sum(id));

async function runLive(replies: readonly Reply[], { tests = CATALOGUE.length, catalogue = CATALOGUE } = {}) {
  const folder = tempFolder();
  const bin = join(folder, 'bin');
  const fake = writeTroubledClaude(bin, replies);
  const live = liveRun(folder, bin);
  const events: JournalEvent[] = [];
  const pauses: number[] = [];
  const { report } = await runHarness({
    ...live,
    catalogue: catalogue.slice(0, tests),
    backends: ['claude'],
    named: ['claude'],
    env: { ...live.env, IS_SANDBOX: '1' },
    jobs: 1,
    pause: async (seconds) => {
      pauses.push(seconds);
    },
    onEvent: (event) => events.push(event),
    reports: ['markdown'],
  });
  const attempts = events.filter((event) => event.type === 'attempt-finished');
  return { report, pauses, attempts, calls: fake.calls(), code: exitCodeOf(report) };
}

const outcomes = (results: readonly { outcome: string }[]) => results.map(({ outcome }) => outcome);

describe('a service in trouble', () => {
  test('that recovers costs nothing but time: a pass after a 429 and a 529 is a pass', async () => {
    const { report, pauses, attempts, code } = await runLive([429, 529, 'answers'], { tests: 2 });
    expect(outcomes(report.results)).toEqual(['passed', 'passed']);
    expect(report.summary).toMatchObject({ passed: 2, failed: 0, flaky: 0, inconclusive: 0 });
    expect(code).toBe(0);
    // The fake asks for 20 s, more than the first usual pause and less than the second.
    expect(pauses).toEqual([20, 45]);
    expect(attempts.map(({ outcome, fault }) => [outcome, fault?.trouble])).toEqual([
      ['failed', 'rate-limit'],
      ['failed', 'overload'],
      ['passed', undefined],
      ['passed', undefined],
    ]);
    expect(report.results[0]?.attempts.map(({ fault }) => fault?.whose)).toEqual([
      'infrastructure',
      'infrastructure',
      undefined,
    ]);
  });

  test('that stays overloaded makes a test inconclusive, and the next one pass', async () => {
    const { report, code, calls } = await runLive([529, 529, 529, 529, 'answers'], { tests: 2 });
    expect(outcomes(report.results)).toEqual(['failed', 'passed']);
    expect(report.results[0]).toMatchObject({
      passed: false,
      inconclusive: true,
      fault: { whose: 'infrastructure', trouble: 'overload' },
    });
    expect(report.summary).toMatchObject({ failed: 1, inconclusive: 1, passed: 1 });
    expect(report.verdict).toMatch(/^no verdict: 1 of 2 tests inconclusive: infrastructure \(1\)/);
    expect([code, calls]).toEqual([2, 5]);
    expect(exitCodeOf(report, { allow: ['inconclusive'] })).toBe(0);
  });

  test('that never comes back is given up after two tests, and nothing is lost', async () => {
    const { report, code, calls } = await runLive([529]);
    expect(outcomes(report.results)).toEqual(['failed', 'failed', 'skipped', 'skipped']);
    expect(report.results[3]?.skip_cause).toEqual({
      kind: 'service-lost',
      trouble: 'overload',
      test: 'sum-two',
    });
    expect([code, exitCodeOf(report, { allow: ['inconclusive'] }), calls]).toEqual([2, 2, 8]);
  });

  test('that loses the login midway burns no other scenario', async () => {
    const { report, pauses, calls, code } = await runLive(['answers', 401]);
    expect(outcomes(report.results)).toEqual(['passed', 'failed', 'skipped', 'skipped']);
    expect(report.results[1]).toMatchObject({ inconclusive: true, fault: { trouble: 'login' } });
    expect(report.results[2]?.skip_reason).toBe(
      'the login of claude was refused in sum-two, so no other scenario ran on claude',
    );
    expect([calls, pauses, code]).toEqual([3, [0], 2]);
  });

  test('is no excuse once the CLI got over it', async () => {
    const { attempts, pauses } = await runLive(['gets over a 529'], { tests: 1 });
    expect(attempts.map(({ fault }) => fault?.whose)).not.toContain('infrastructure');
    expect(pauses.filter((seconds) => seconds > 0)).toEqual([]);
  });

  test('is not what an agent says about it', async () => {
    const { report, attempts, pauses, code } = await runLive(['wanders'], { tests: 1 });
    expect(attempts.map(({ fault }) => fault?.whose)).toEqual(['agent', 'agent']);
    expect(report.results[0]).toMatchObject({ outcome: 'failed', inconclusive: true });
    expect([pauses, code]).toEqual([[0], 2]);
  });

  test('does not hide a prompt that Ralph lost', async () => {
    const { report, pauses, code } = await runLive([529], {
      catalogue: [sum('sum-lost', 'What nobody sends')],
    });
    expect(report.results[0]).toMatchObject({ inconclusive: false, fault: { whose: 'target' } });
    expect([pauses, code]).toEqual([[], 1]);
  });
});

describe('on the command line', () => {
  async function run(replies: readonly Reply[], ...args: readonly string[]) {
    const cwd = tempFolder();
    const bin = join(cwd, 'bin');
    writeTroubledClaude(bin, replies);
    const filter = '/^claude-(?:connect|single-iter)$/';
    const result = await callCli(['claude', '--ralph', 'embedded', '--filter', filter, '--json', ...args], {
      cwd,
      env: { PATH: `${bin}:${bareSystemPath()}`, IS_SANDBOX: '1', RALPH_STANDIN_TIME_SCALE: '0.01' },
    });
    return { ...result, report: reportSchema.parse(JSON.parse(result.stdout)) };
  }

  test('a limit that resets too late is reported at once, with exit code 2', async () => {
    const { code, stderr, report } = await run(['resets tomorrow']);
    expect(outcomes(report.results)).toEqual(['failed', 'skipped']);
    expect(report.results[0]).toMatchObject({ inconclusive: true, fault: { trouble: 'rate-limit' } });
    expect(stderr).toContain('└─ inconclusive: infrastructure (rate limit)');
    expect(stderr).toMatch(/🟠 no verdict: the only test is inconclusive: infrastructure \(1\)/);
    expect(code).toBe(2);
  });

  test('--fail-on skipped fails a run that skipped something', async () => {
    const { code } = await run(['resets tomorrow'], '--fail-on', 'skipped');
    expect(code).toBe(1);
  });

  test('--allow inconclusive does not accept a backend that was given up', async () => {
    const { code } = await run([401], '--allow', 'inconclusive');
    expect(code).toBe(2);
  });

  test('--fail-on refuses other outcomes', async () => {
    const { code, stderr } = await callCli(['--fail-on', 'slow'], { cwd: tempFolder() });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('expected a comma-separated list of skipped, flaky, fixed-issue; found "slow"'),
    ]);
  });
});
