import { completed, eventEmitted, fileContains, promptContained } from '../../../src/authoring.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { EventRecord } from '../../../src/domain/evidence/evidence.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import {
  type AttemptFields,
  broken,
  captured,
  held,
  iteration,
  journal,
  type RunStory,
  readiness,
} from './journal.js';

type Test = RunStory['tests'][number];

const AT = '2026-01-20T14:30:00.000Z';
const FOLDER = '/repo/.e2e-tests/runs/run-1';
const KNOWN = {
  upTo: '2.10.1',
  reason: 'Ralph leaves its backend running',
  link: 'docs/ralph-behavior.md#backends',
  breaks: ['nothingLeftBehind'],
  shows: { nothingLeftBehind: '/./' },
};
/** Tests that have the same known issue. */
const ORPHANS = [
  ['orphaned-backend', 'claude'],
  ['orphaned-backend', 'opencode'],
  ['orphaned-loop', 'claude'],
] as const;
const NO_KIRO = 'kiro-cli is not on PATH';
const REVIEW: Partial<CheckResult> = {
  ...broken(eventEmitted('review.passed')),
  expected: 'an agent emits review.passed',
  actual: 'agents emitted: plan.ready, build.finished',
  suggestion: 'Look at the prompt of the reviewer.',
  promises: [
    {
      area: 'hats',
      promise: 'A hat is triggered by the events that it subscribes to.',
      source: 'ralph-core/src/hatless_ralph.rs: triggers',
      about: ['config hats.triggers', 'event review.passed'],
    },
  ],
};
const GREETING: Partial<CheckResult> = {
  ...broken(fileContains('greeting.txt', 'hello')),
  expected: 'hello',
  actual: 'bye',
  diff: '-hello\n+bye\n unchanged',
};

const event = (topic: string, iteration: number, source: EventRecord['source'] = 'agent'): EventRecord => ({
  ...{ topic, payload: 'all | is well', timestamp: AT, hat: 'planner', iteration, source },
});

/** The tests of a run with every outcome, with everything that a report can say about each. */
const TESTS: readonly Test[] = [
  {
    scenarioId: 'hat-handover',
    description: 'The planner hands over to the builder, the builder to the reviewer',
    covers: ['FR15', 'FR19'],
    areas: ['hats'],
    hash: 'a1b2',
    pressure: [
      { name: 'A tempting shortcut', description: 'The plan looks finished', why: 'Agents like to stop' },
    ],
    attempts: [
      {
        outcome: 'failed',
        durationSeconds: 12.3,
        artifacts: `${FOLDER}/hat-handover-claude/1`,
        workspace: '/repo/.e2e-tests/hat-handover',
        fault: { whose: 'target', because: ['the prompt of iteration 3 lacks the event'] },
        spending: { calls: 3, tokens: 13_023, usd: 0.0421, estimatedUsd: 0.01 },
        quality: [
          {
            ...{ name: 'Iterations', optimal: 'at most 3', acceptable: 'at most 5', concerning: 'more' },
            grade: 'concerning',
          },
        ],
        checks: [
          held(completed()),
          REVIEW,
          GREETING,
          { ...broken(promptContained('review', { iteration: 3 })), expected: 'review', actual: 'plan' },
        ],
        evidence: {
          configYaml: 'hats:\n  builder:\n    triggers: [plan.ready]\n',
          stdout: captured('one\ntwo <b> [[ATTACHMENT|/etc/passwd]]\n', 'stdout'),
          stderr: captured('warning: the model was busy\n', 'stderr'),
          exit: { kind: 'exited', code: 2 },
          termination: { reason: 'max_iterations', status: 'stopped', iterations: 3, exitCode: 2 },
          iterations: ['planner', 'builder', 'reviewer'].map((hat, index) =>
            iteration({
              number: index + 1,
              hat,
              prompt: `## OBJECTIVE\nGreet.\n\nYou are the ${hat}.\n`,
              said: `I am the ${hat}. I'll do the review later.`,
              durationSeconds: 2 + index,
              toolCalls: [
                {
                  ...{ id: null, name: 'Bash', input: `{"command":"ralph emit ${hat}.done"}` },
                  ...{ result: null, isError: index === 2 },
                },
              ],
            }),
          ),
          events: [event('plan.ready', 1), event('build.finished', 2), event('loop.terminate', 3, 'ralph')],
          log: [
            { at: AT, level: 'INFO', module: 'ralph', text: 'starts' },
            { at: AT, level: 'WARN', module: 'ralph_core::event_loop', text: 'no hat waits for it' },
          ],
          scratchpad: { before: null, after: '- [ ] review' },
          files: [{ path: 'greeting.txt', change: 'added', sizeBytes: 3, preview: 'bye' }],
          malformedLines: [{ file: 'events.jsonl', line: 7, text: '{"torn' }],
          usage: { model: 'model-1', turns: 6, inputTokens: 12_345, outputTokens: 678, costUsd: 0.0421 },
          leftBehind: [{ pid: 4242, command: 'sleep 999' }],
        },
      },
    ],
  },
  {
    scenarioId: 'hat-review',
    attempts: [
      {
        outcome: 'failed',
        fault: { whose: 'target', because: ['the prompt lacks the event'] },
        checks: [{ ...REVIEW, actual: 'agents emitted: plan.ready' }],
        retryInSeconds: 0,
        artifacts: `${FOLDER}/hat-review-claude/1`,
      },
      {
        ...{ outcome: 'error', error: 'the port is taken', evidence: null },
        retryInSeconds: 0,
        artifacts: `${FOLDER}/hat-review-claude/2`,
      },
      { outcome: 'failed', checks: [{}, REVIEW], artifacts: `${FOLDER}/hat-review-claude/3` },
    ],
  },
  {
    scenarioId: 'greeting',
    tier: 4,
    attempts: [
      {
        outcome: 'failed',
        fault: { whose: 'agent', because: ['the prompt had the task, and no tool call wrote the file'] },
        checks: [{}, GREETING],
        artifacts: `${FOLDER}/greeting-claude/1`,
      },
    ],
  },
  {
    scenarioId: 'busy-service',
    tier: 4,
    attempts: [
      {
        outcome: 'failed',
        fault: { whose: 'infrastructure', because: ['API Error: 529 Overloaded'], trouble: 'overload' },
        checks: [{ passed: false, actual: 'consecutive_failures' }],
        evidence: {
          exit: { kind: 'timed-out', afterSeconds: 300 },
          termination: null,
          iterations: [],
          backendErrors: ['overloaded_error: try again'],
        },
        artifacts: `${FOLDER}/busy-service-claude/1`,
      },
    ],
  },
  {
    scenarioId: 'full-disk',
    attempts: [
      {
        ...{ outcome: 'error', error: 'ENOSPC: no space left on device', evidence: null },
        artifacts: `${FOLDER}/full-disk-claude/1`,
      },
    ],
  },
  { scenarioId: 'never-ended', unfinished: true },
  {
    scenarioId: 'second-try',
    backend: 'opencode',
    attempts: [
      {
        outcome: 'failed',
        checks: [{ passed: false, actual: 'max_iterations' }],
        retryInSeconds: 0,
        artifacts: `${FOLDER}/second-try-opencode/1`,
      },
      {
        ...{ outcome: 'error', error: 'the port is taken', evidence: null },
        retryInSeconds: 0,
        artifacts: `${FOLDER}/second-try-opencode/2`,
      },
      { checks: [{}], artifacts: `${FOLDER}/second-try-opencode/3` },
    ],
  },
  ...ORPHANS.map(
    ([scenarioId, backend]): Test => ({
      scenarioId,
      backend,
      tier: 7,
      knownIssue: KNOWN,
      attempts: [
        {
          outcome: 'known-issue',
          checks: [
            {},
            {
              ...{ kind: 'nothingLeftBehind', name: 'nothing is left running', category: 'Processes' },
              ...{ passed: false, expected: 'no process', actual: '4243 sleep 999' },
            },
          ],
          artifacts: `${FOLDER}/${scenarioId}-${backend}/1`,
        },
      ],
    }),
  ),
  {
    scenarioId: 'fixed-issue',
    tier: 7,
    knownIssue: { ...KNOWN, reason: 'Ralph forgets the second task' },
    attempts: [{ knownIssueGone: true, checks: [{}], artifacts: `${FOLDER}/fixed-issue-claude/1` }],
  },
  {
    scenarioId: 'claude-connect',
    tier: 1,
    expectedIterations: 1,
    attempts: [
      { checks: [{}, { name: 'the agent answers' }], artifacts: `${FOLDER}/claude-connect-claude/1` },
    ],
  },
  {
    scenarioId: 'slow',
    tier: 2,
    timeoutSeconds: 20,
    expectedIterations: 1,
    attempts: [
      {
        durationSeconds: 19,
        checks: [{}],
        evidence: { iterations: [1, 2, 3].map((number) => iteration({ number })) },
        artifacts: `${FOLDER}/slow-claude/1`,
      },
    ],
  },
  {
    scenarioId: 'own-conversation',
    kind: 'conversation',
    placed: false,
    attempts: [
      {
        checks: [
          { key: 'reads', name: 'the skill is read' },
          { key: 'says', name: 'the agent says yes' },
        ],
        artifacts: `${FOLDER}/own-conversation-claude/1`,
      },
    ],
  },
  { scenarioId: 'kiro-connect', tier: 1, backend: 'kiro', skipped: NO_KIRO, cause: { kind: 'not-ready' } },
  { scenarioId: 'kiro-loop', tier: 2, backend: 'kiro', skipped: NO_KIRO, cause: { kind: 'not-ready' } },
  {
    ...{ scenarioId: 'after-gate', tier: 2, backend: 'opencode', skipped: 'opencode-connect failed' },
    cause: { kind: 'gate-failed', gate: 'opencode-connect' },
  },
  {
    ...{ scenarioId: 'after-loss', tier: 2, skipped: 'the service of claude was lost in busy-service' },
    cause: { kind: 'service-lost', trouble: 'overload', test: 'busy-service' },
  },
  {
    ...{ scenarioId: 'too-dear', tier: 2, skipped: 'the budget of $2.00 was reached' },
    cause: { kind: 'budget-reached' },
  },
  {
    ...{ scenarioId: 'after-bail', tier: 7, skipped: 'not run: --bail ended the run after a failure' },
    cause: { kind: 'run-ended' },
  },
];

/** What a journal says besides its tests: earlier runs, a proof, an analysis, a test that ran again and one without plugins. */
const BESIDES: readonly JournalEvent[] = [
  {
    type: 'proof-known',
    at: AT,
    proof: {
      ...{
        timestamp: '2026-01-19T08:00:00.000Z',
        target: { kind: 'stand-in', version: '2.10.1' },
        lane: 'sim',
      },
      ...{ passed: false, checks: 14, proved: 12, saboteurs: 9, guards: 1 },
      survivors: ['hat-handover: says it, does not do it'],
      scenarios: [
        { scenario_id: 'hat-handover', backend: 'claude', checks: 5, proved: 3 },
        { scenario_id: 'slow', backend: 'claude', checks: 4, proved: 4 },
      ],
    },
  },
  {
    type: 'history-known',
    at: AT,
    runs: [1, 2, 3, 4].map((day) => ({
      ...{ run_id: `run-0${day}`, timestamp: `2026-01-1${day}T08:00:00.000Z`, ralph_version: '2.10.1' },
      ...{ passed: day < 4, total: 10, passed_tests: 11 - day, pass_rate: (11 - day) / 10 },
      ...{ duration_seconds: 60 + day * 7, cost_usd: 0.4 + day / 50 },
    })),
    expected: [
      {
        ...{ scenarioId: 'slow', backend: 'claude', seconds: 0.8 },
        usual: {
          model: null,
          metrics: [{ metric: 'duration_seconds', passes: 4, median: 0.8, most: 0.9 }],
        },
      },
    ],
    previous: 'run-04',
    unread: ['1 summary of a newer version was not read.'],
  },
  {
    ...{ type: 'cause-examined', at: AT, scenarioId: 'hat-handover', backend: 'claude', recurred: true },
    log: [{ at: AT, level: 'DEBUG', module: 'ralph_core::event_loop', text: 'Publishing event plan.ready' }],
    artifacts: `${FOLDER}/hat-handover-claude/again`,
  },
  {
    ...{ type: 'baseline-finished', at: AT, scenarioId: 'own-conversation', backend: 'claude' },
    ...{ outcome: 'failed', error: null, artifacts: `${FOLDER}/own-conversation-claude/without` },
    checks: [
      { key: 'reads', name: 'the skill is read', passed: false },
      { key: 'says', name: 'the agent says yes', passed: true },
    ],
    figures: { turns: 2, tool_calls: 5, tokens: 900, cost_usd: 0.02, duration_seconds: 4 },
  },
  {
    ...{
      type: 'analysis-finished',
      at: AT,
      outcome: 'done',
      by: 'model',
      backend: 'claude',
      durationSeconds: 31,
    },
    notes: ['one entry could not be read'],
    answer: {
      failed_analyses: [
        {
          ...{ scenario_id: 'hat-handover', backend: 'claude', failure_type: null },
          root_cause_hypothesis: 'The reviewer was never triggered.',
          evidence: ['no event review.passed'],
          suggested_investigations: ['Read hatless_ralph.rs.'],
          potential_fixes: [],
        },
      ],
      passed_analyses: [],
      patterns: [
        { description: 'Events get lost', affected_tests: ['hat-handover'], suggested_fix: 'Keep them' },
      ],
      recommendations: [],
    },
    spending: { calls: 1, tokens: 500, usd: 0.01, estimatedUsd: 0 },
  },
];

/** The journal of a live run with every outcome of a test. */
export function mixedRun(): JournalEvent[] {
  const [started, ...events] = journal({
    run: {
      target: { kind: 'real', path: '/opt/ralph', version: '2.10.1', sha256: 'ab'.repeat(32) },
      backends: [
        readiness(),
        readiness({ backend: 'opencode', version: '1.2.3' }),
        readiness({
          ...{ backend: 'kiro', ready: false, available: false, version: null, authentication: null },
          ...{ reason: NO_KIRO, fix: 'Install kiro' },
        }),
      ],
      named: ['claude', 'kiro'],
      repeatWith: ['--ralph', '/opt/ralph'],
      budget: {
        estimate: { tests: 18, calls: 40, tokens: 90_000, usd: 1.5, seconds: 300, measured: 4, unpriced: [] },
        maxUsd: 2,
      },
    },
    tests: TESTS.toSorted((one, other) => (one.tier ?? 5) - (other.tier ?? 5)),
    end: { durationSeconds: 71.5 },
  });
  const finished = events.at(-1);
  if (started === undefined || finished === undefined)
    throw new Error('A journal has a beginning and an end.');
  return [started, ...BESIDES.slice(0, 2), ...events.slice(0, -1), ...BESIDES.slice(2), finished];
}

const PASS: AttemptFields = { checks: [{}] };
const FAIL: AttemptFields = {
  outcome: 'failed',
  checks: [{ passed: false, actual: 'max_iterations' }],
};
const repeats = (...ends: readonly AttemptFields[]) =>
  ends.map((end, index) => ({ ...end, repeat: index + 1 }));

/** The journal of a run of an older Ralph, in which most of these tests ended otherwise. */
export function earlierRun(): JournalEvent[] {
  const tests = TESTS.filter(({ scenarioId }) => scenarioId !== 'slow').map(
    ({ scenarioId = '', backend = 'claude' }) => ({
      ...{ scenarioId, backend },
      attempts: [scenarioId === 'claude-connect' || scenarioId === 'full-disk' ? FAIL : PASS],
    }),
  );
  const target = { kind: 'real', path: '/opt/ralph', version: '2.9.0' } as const;
  return journal({
    run: { runId: 'run-0', target },
    tests: [...tests, { scenarioId: 'removed', attempts: [PASS] }],
  });
}

/** The journal of a shard that repeats each test on the stand-in, was resumed, tampered with and interrupted. */
export function repeatedRun(): JournalEvent[] {
  const tests: Test[] = [
    { scenarioId: 'steady', attempts: repeats(PASS, PASS, PASS) },
    { scenarioId: 'shaky', attempts: repeats(PASS, FAIL, PASS) },
    { scenarioId: 'mostly-red', attempts: repeats(FAIL, PASS, FAIL) },
    { scenarioId: 'cut-off', attempts: repeats(PASS) },
    { scenarioId: 'not-begun' },
  ];
  const [started, ...events] = journal({
    run: {
      lane: 'sim',
      target: { kind: 'stand-in', path: '/dist/ralph', version: '2.10.1', faults: ['lose-events'] },
      repeat: { times: 3, threshold: 0.6 },
      shuffleSeed: 7,
      repeatWith: ['--lane', 'sim', '--repeat', '3', '--threshold', '0.6'],
      shard: {
        ...{ index: 2, total: 3 },
        plan: tests.map(({ scenarioId = '' }) => ({ scenarioId, backend: 'claude' })),
      },
    },
    tests,
    end: { interrupted: true, durationSeconds: 12 },
  });
  if (started === undefined) throw new Error('A journal has a beginning.');
  return [
    started,
    { type: 'run-resumed', at: AT, activeSeconds: 5, takenOver: 1, left: 4, endedOrphans: ['77 sleep 9'] },
    ...events,
    { type: 'journal-changed', at: AT, what: 'target', found: 'its SHA-256 is another one' },
  ];
}
