import { describe, expect, test } from 'vitest';
import type { Invocation } from '../../../../src/domain/agent-script.js';
import type { EventRecord, Evidence } from '../../../../src/domain/evidence/evidence.js';
import { endReported, pausedBefore } from '../../../../src/kinds/ralph/checks/record.js';
import { attempt } from '../../../report/support/journal.js';

const { evidence } = attempt();
if (evidence === null) throw new Error('an attempt with evidence expected');

const RESUME = '  Resume: ralph run --continue --loop-id primary-1\n';
const box = (label: string, iterations: number, resume = RESUME) =>
  `\n+--+\n| ? Loop terminated: ${label}\n+--+\n|   Iterations:  ${iterations}\n|   Elapsed:     0.3s\n+--+\n${resume}`;

const ENDED: Evidence = {
  ...evidence,
  stdout: { ...evidence.stdout, text: box('Maximum iterations reached', 2) },
  termination: {
    reason: 'max_iterations',
    status: 'Stopped at iteration limit.',
    iterations: 2,
    exitCode: 2,
  },
  iterations: [1, 2].map((number) => ({
    number,
    hat: 'ralph',
    prompt: '',
    said: '',
    toolCalls: [],
    durationSeconds: 1,
  })),
};

describe('endReported', () => {
  const check = endReported({
    label: 'Maximum iterations reached',
    status: 'Stopped at iteration limit.',
    exitCode: 2,
    resumable: true,
  });

  test('passes if the screen and the record tell of the same end', () => {
    expect(check.judge(ENDED).passed).toBe(true);
  });

  test('believes the record where the loop had no iteration', () => {
    expect(check.judge({ ...ENDED, iterations: [] }).passed).toBe(true);
  });

  const { termination } = ENDED;
  if (termination === null) throw new Error('a termination expected');
  test.each<readonly [string, Partial<Evidence>]>([
    ['another label is printed', { stdout: { ...ENDED.stdout, text: box('Stale loop detected', 2) } }],
    ['another count is printed', { stdout: { ...ENDED.stdout, text: box('Maximum iterations reached', 3) } }],
    [
      'it is not printed how to resume',
      { stdout: { ...ENDED.stdout, text: box('Maximum iterations reached', 2, '') } },
    ],
    ['nothing is printed', { stdout: { ...ENDED.stdout, text: '' } }],
    ['nothing is recorded', { termination: null }],
    ['another status is recorded', { termination: { ...termination, status: 'Manually stopped.' } }],
    ['another exit code is recorded', { termination: { ...termination, exitCode: 1 } }],
    ['another count is recorded', { termination: { ...termination, iterations: 1 } }],
    ['both counts differ from the iterations', { iterations: ENDED.iterations.slice(0, 1) }],
  ])('fails if %s', (_why, change) => {
    expect(check.judge({ ...ENDED, ...change }).passed).toBe(false);
  });
});

describe('pausedBefore', () => {
  const summary = (iteration: number, timestamp: string): EventRecord => ({
    topic: 'iteration.summary',
    payload: '{}',
    timestamp,
    hat: 'loop',
    iteration,
    source: 'ralph',
  });
  // The second one took 1 s and ended 4 s after the first: Ralph waited for 3 s.
  const PAUSED: Evidence = {
    ...ENDED,
    events: [
      summary(1, '2026-01-01T00:00:00.500000000+00:00'),
      summary(2, '2026-01-01T00:00:04.500000000+00:00'),
    ],
  };

  test('measures from the end of one iteration to the beginning of the next', () => {
    expect(pausedBefore(2, { atLeast: 3 }).judge(PAUSED).passed).toBe(true);
    expect(pausedBefore(2, { below: 3.1 }).judge(PAUSED).passed).toBe(true);
  });

  test('fails if the pause is too short or too long', () => {
    expect(pausedBefore(2, { atLeast: 3.1 }).judge(PAUSED)).toMatchObject({
      passed: false,
      actual: '3.00 s',
    });
    expect(pausedBefore(2, { below: 3 }).judge(PAUSED).passed).toBe(false);
  });

  test('fails if there is no such iteration, or no record of it', () => {
    expect(pausedBefore(3, { below: 9 }).judge(PAUSED).passed).toBe(false);
    expect(pausedBefore(1, { below: 9 }).judge(PAUSED).passed).toBe(false);
    expect(pausedBefore(2, { below: 9 }).judge({ ...PAUSED, events: [] }).passed).toBe(false);
  });

  describe('of a Ralph that records no ends', () => {
    const invocation = (at: string): Invocation => ({
      at,
      backend: 'claude',
      argv: [],
      cwd: '/w',
      environmentNames: [],
      promptSource: 'stdin',
      promptBytes: 1,
      conversation: 'c',
      place: null,
      matched: null,
      outcome: 'played',
    });
    const called = (...seconds: readonly string[]): Evidence => ({
      ...PAUSED,
      events: [],
      invocations: seconds.map((second) => invocation(`2026-01-01T00:00:${second}Z`)),
    });

    test('is between the shortest and the longest that the calls of the agent allow', () => {
      // The first iteration took 1 s, as Ralph prints it: up to 2 s.
      const patient = called('00.000', '05.000');
      expect(pausedBefore(2, { atLeast: 5 }).judge(patient).passed).toBe(true);
      expect(pausedBefore(2, { atLeast: 5.1 }).judge(patient).passed).toBe(false);
      expect(pausedBefore(2, { below: 3.1 }).judge(patient).passed).toBe(true);
      expect(pausedBefore(2, { below: 3 }).judge(patient)).toMatchObject({
        passed: false,
        actual: '3.00 s to 5.00 s',
      });
    });

    test('is unknown if not every iteration has its call, or one end is recorded', () => {
      const calls = called('00.000', '05.000');
      expect(pausedBefore(2, { below: 9 }).judge(called('00.000')).passed).toBe(false);
      expect(pausedBefore(3, { below: 9 }).judge(calls).passed).toBe(false);
      const half = { ...calls, events: PAUSED.events.slice(0, 1) };
      expect(pausedBefore(2, { below: 9 }).judge(half).passed).toBe(false);
    });
  });
});
