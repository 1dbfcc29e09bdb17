import { describe, expect, test } from 'vitest';
import * as checks from '../../../../src/authoring.js';
import type { Check } from '../../../../src/domain/check.js';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { makeEvidence } from '../../../domain/support/evidence.js';

const EVIDENCE = makeEvidence({
  iterations: [
    {
      number: 1,
      hat: 'builder',
      prompt: 'asked',
      said: 'answered\nLOOP_COMPLETE',
      toolCalls: [],
      durationSeconds: 2,
    },
  ],
  events: [
    { topic: 'a.one', payload: '1', timestamp: '', hat: null, iteration: null, source: 'agent' },
    { topic: 'loop.note', payload: null, timestamp: '', hat: 'loop', iteration: 1, source: 'ralph' },
    { topic: 'a.two', payload: null, timestamp: '', hat: null, iteration: null, source: 'agent' },
  ],
  scratchpad: { before: null, after: 'noted' },
  files: [
    { path: 'new.txt', change: 'added', sizeBytes: 5, preview: 'hello\n' },
    { path: 'old.txt', change: 'unchanged', sizeBytes: 5, preview: 'hello\n' },
  ],
  backendErrors: ['API error 401'],
});

/** Iterations that differ from the one above. */
function ended(changes: readonly Partial<Evidence['iterations'][number]>[]): Partial<Evidence> {
  return {
    iterations: EVIDENCE.iterations.flatMap((iteration) =>
      changes.map((change, index) => ({ ...iteration, number: index + 1, ...change })),
    ),
  };
}

/** For each check: evidence on which it passes, and the smallest change that must make it fail. */
const CASES: [Check, Partial<Evidence>, Partial<Evidence>][] = [
  [checks.completed(), {}, { exit: { kind: 'exited', code: 2 } }],
  [checks.completed(), {}, { termination: null }],
  [checks.completed(), {}, { configYaml: 'event_loop:\n  completion_promise: ALL_DONE\n' }],
  [
    checks.terminatedBecause('completed', 0),
    {},
    { termination: { reason: 'max_iterations', status: '', iterations: 1, exitCode: 0 } },
  ],
  [checks.failedToRun(0, /^$/), { termination: null }, {}],
  [checks.iterationCount(1), {}, { iterations: [] }],
  [checks.iterationsAtLeast(1), {}, { iterations: [] }],
  [checks.iterationsAtLeast(1), {}, ended([{ durationSeconds: null }])],
  [checks.endedAtOnce(), {}, { iterations: [] }],
  [checks.endedAtOnce(), {}, ended([{ durationSeconds: null }])],
  [checks.endedAtOnce(), ended([{ said: 'first' }, {}]), ended([{}, { said: 'more' }])],
  [checks.endedAtOnce(), ended([{ said: '**LOOP_COMPLETE**' }, {}]), ended([{}, {}])],
  [checks.endedAtOnce('answered'), {}, ended([{}, {}])],
  [checks.endedAtOnce('answered'), {}, ended([{ said: 'much', saidCut: true }, {}])],
  [checks.iterationLasted('last', 2), {}, ended([{}, { durationSeconds: 1 }])],
  [
    checks.iterationLasted(1, 2),
    {},
    { iterations: [{ number: 1, hat: null, prompt: null, said: '', toolCalls: [], durationSeconds: 1.9 }] },
  ],
  [
    checks.agentSaid('answered', { iteration: 1 }),
    {},
    {
      iterations: [
        { number: 2, hat: null, prompt: null, said: 'answered', toolCalls: [], durationSeconds: 1 },
      ],
    },
  ],
  [
    checks.promptContained(/^asked$/),
    {},
    {
      iterations: [{ number: 1, hat: null, prompt: null, said: 'asked', toolCalls: [], durationSeconds: 1 }],
    },
  ],
  [checks.hatActive('builder'), {}, { iterations: [] }],
  [checks.backendReported(/401/), {}, { backendErrors: [] }],
  [checks.eventEmitted('a.one', '1'), {}, { events: [] }],
  [checks.eventsInOrder('a.one', 'a.two'), {}, { events: [...EVIDENCE.events].reverse() }],
  [
    checks.fileContains('new.txt', 'hello'),
    {},
    { files: [{ path: 'new.txt', change: 'unchanged', sizeBytes: 5, preview: 'hello' }] },
  ],
  [
    checks.fileEquals('new.txt', 'hello'),
    {},
    { files: [{ path: 'new.txt', change: 'added', sizeBytes: 6, preview: 'hello!' }] },
  ],
  [checks.scratchpadContains('noted'), {}, { scratchpad: { before: 'noted', after: null } }],
  [
    checks.harnessWouldSkip(/absent/),
    {
      readiness: {
        backend: 'claude',
        ready: false,
        available: false,
        path: null,
        version: null,
        authentication: null,
        reason: 'absent',
        fix: null,
      },
    },
    {},
  ],
  [checks.backendNeverCalled(), { iterations: [] }, {}],
  [checks.nothingLeftBehind(), {}, { leftBehind: [{ pid: 4, command: 'sleep' }] }],
  [checks.endedByItself(), {}, { exit: { kind: 'exited', code: 101 } }],
  [checks.endedByItself(), {}, { exit: { kind: 'timed-out', afterSeconds: 3 } }],
  [
    checks.scriptAnswered(),
    {},
    {
      invocations: [
        {
          at: '',
          backend: 'claude',
          argv: [],
          cwd: '',
          environmentNames: [],
          promptSource: 'stdin',
          promptBytes: 1,
          conversation: '',
          place: null,
          matched: null,
          outcome: 'no-match',
        },
      ],
    },
  ],
  [checks.anyOf('either', checks.agentSaid('nowhere'), checks.completed()), {}, { termination: null }],
];

describe('checks', () => {
  test.each(CASES.map(([check, holds, breaks]) => [check.kind, check, holds, breaks] as const))(
    '%s holds and can be broken',
    (_kind, check, holds, breaks) => {
      expect(check.judge({ ...EVIDENCE, ...holds }).passed).toBe(true);
      const verdict = check.judge({ ...EVIDENCE, ...breaks });
      expect(verdict.passed).toBe(false);
      expect(verdict.expected).not.toBe('');
      expect(verdict.actual).not.toBe('');
    },
  );

  test("Ralph's own records do not count as events of an agent", () => {
    expect(checks.eventEmitted('loop.note').judge(EVIDENCE).passed).toBe(false);
  });

  test('a file that existed before and did not change proves nothing', () => {
    expect(checks.fileContains('old.txt', 'hello').judge(EVIDENCE).passed).toBe(false);
  });
});

test('an agent that stays silent said nothing, however many iterations it had', () => {
  const silent = { hat: null, prompt: null, said: ' \n', toolCalls: [], durationSeconds: 1 };
  const iterations = [1, 2, 3].map((number) => ({ ...silent, number }));
  const { actual } = checks.agentSaid('x').judge({ ...EVIDENCE, iterations });
  expect(actual).toBe('nothing in 3 iterations');
});
