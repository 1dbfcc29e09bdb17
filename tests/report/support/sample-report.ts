import type { Report } from '../../../src/domain/report/report.js';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { captured, iteration, journal, type RunStory } from './journal.js';

type Test = RunStory['tests'][number];

const ROOT = '/repo/.e2e-tests/runs/run-1';
const LONG = Array.from({ length: 900 }, (_, line) => `line ${line}: ${'lorem ipsum dolor '.repeat(4)}`).join(
  '\n',
);

/** A test of every outcome, with everything that a report can tell of one. */
const EVERY_OUTCOME: readonly Test[] = [
  {
    scenarioId: 'hat-handover',
    description: 'The planner hands over to the builder, the builder to the reviewer',
    covers: ['FR15', 'FR19'],
    pressure: [
      { name: 'A tempting shortcut', description: 'The plan looks finished', why: 'Agents like to stop' },
    ],
    attempts: [
      {
        outcome: 'failed',
        durationSeconds: 12.3,
        artifacts: `${ROOT}/hat-handover-claude/1`,
        workspace: '/repo/.e2e-tests/hat-handover',
        quality: [
          {
            name: 'Iterations',
            optimal: 'at most 3',
            acceptable: 'at most 5',
            concerning: 'more',
            grade: 'concerning',
          },
        ],
        checks: [
          {},
          {
            name: 'event review.passed is emitted',
            category: 'EventEmitted',
            passed: false,
            expected: 'review.passed',
            actual: 'agents emitted: plan.ready, build.finished',
            suggestion: 'Look at what the reviewer was sent',
          },
          {
            name: 'greeting.txt contains "hello"',
            category: 'FileContains',
            passed: false,
            expected: 'hello',
            actual: 'bye',
            diff: '-hello\n+bye\n unchanged',
          },
        ],
        evidence: {
          stdout: captured(LONG, 'stdout'),
          stderr: captured('warning: the model was busy\n', 'stderr'),
          exit: { kind: 'exited', code: 2 },
          termination: { reason: 'max_iterations', status: 'stopped', iterations: 3, exitCode: 2 },
          iterations: ['planner', 'builder', 'reviewer'].map((hat, index) =>
            iteration({
              number: index + 1,
              hat,
              prompt: `${'A line of every prompt.\n'.repeat(40)}You are the ${hat}.\n${'The end.\n'.repeat(20)}`,
              said: hat === 'builder' ? LONG : `I am the ${hat}.`,
              durationSeconds: 2 + index,
              toolCalls: [
                {
                  id: null,
                  name: 'Bash',
                  input: `{"command":"ralph emit ${hat}.done"}`,
                  result: null,
                  isError: index === 2,
                },
              ],
            }),
          ),
          events: ['plan.ready', 'build.finished'].map((topic, index) => ({
            topic,
            payload: 'all is well',
            timestamp: '2026-01-20T14:30:00.000Z',
            hat: 'planner',
            iteration: index + 1,
            source: 'agent' as const,
          })),
          scratchpad: { before: null, after: '- [ ] review' },
          files: [{ path: 'greeting.txt', change: 'added', sizeBytes: 3, preview: 'bye' }],
          usage: { model: 'model-1', turns: 6, inputTokens: 12_345, outputTokens: 678, costUsd: 0.0421 },
          backendErrors: ['overloaded_error: try again'],
          leftBehind: [{ pid: 4242, command: 'sleep 999' }],
        },
      },
    ],
  },
  {
    scenarioId: 'broken-machine',
    attempts: [
      {
        outcome: 'error',
        error: 'the disk is full',
        evidence: null,
        artifacts: `${ROOT}/broken-machine-claude/1`,
      },
    ],
  },
  {
    scenarioId: 'second-try',
    backend: 'opencode',
    attempts: [
      {
        outcome: 'failed',
        artifacts: `${ROOT}/second-try-opencode/1`,
        checks: [{ passed: false, name: 'the loop completes' }],
      },
      { artifacts: `${ROOT}/second-try-opencode/2`, checks: [{}] },
    ],
  },
  {
    scenarioId: 'orphaned-backend',
    tier: 7,
    knownIssue: {
      upTo: '2.10.1',
      reason: 'ralph leaves its backend running',
      link: 'docs/ralph-behavior.md',
      breaks: ['x'],
      shows: { x: '/./' },
    },
    attempts: [
      {
        outcome: 'known-issue',
        artifacts: `${ROOT}/orphaned-backend-claude/1`,
        checks: [{ passed: false, name: 'nothing is left behind' }],
      },
    ],
  },
  {
    scenarioId: 'simple-pass',
    tier: 1,
    expectedIterations: 1,
    attempts: [{ artifacts: `${ROOT}/simple-pass-claude/1`, checks: [{}, { name: 'the agent answers' }] }],
  },
  { scenarioId: 'slow-pass', tier: 2, timeoutSeconds: 2, attempts: [{ durationSeconds: 1.9, checks: [{}] }] },
  { scenarioId: 'kiro-connect', tier: 1, backend: 'kiro', skipped: 'kiro-cli is not on PATH' },
  { scenarioId: 'kiro-loop', tier: 2, backend: 'kiro', skipped: 'kiro-cli is not on PATH' },
];

/** A run with a test of every outcome. */
export function sampleReport(story: Partial<RunStory> = {}): Report {
  return buildReport(journal({ tests: [...EVERY_OUTCOME], ...story }), analysis);
}

/** A run in which all is well. */
export function passedReport(): Report {
  return sampleReport({
    tests: Array.from({ length: 12 }, (_, index) => ({
      scenarioId: `pass-${index + 1}`,
      tier: index < 6 ? (1 as const) : (2 as const),
      backend: index % 2 === 0 ? ('claude' as const) : ('opencode' as const),
      expectedIterations: 1,
      attempts: [{ checks: [{}] }],
    })),
  });
}

/** What later reports know besides: earlier runs, and what `prove` found. */
export function withPast(report: Report): Report {
  const history = Array.from({ length: 9 }, (_, index) => ({
    run_id: `run-${index}`,
    timestamp: `2026-01-1${index}T08:00:00.000Z`,
    pass_rate: index === 8 ? 0.6 : 1 - (index % 3) / 10,
    duration_seconds: 60 + index * 7,
    cost_usd: 0.4 + index / 50,
  }));
  const proof = {
    timestamp: '2026-01-19T08:00:00.000Z',
    target: { kind: 'stand-in', version: '2.10.1' },
    lane: 'sim',
    passed: false,
    checks: 14,
    proved: 12,
    saboteurs: 9,
    guards: 1,
    survivors: ['hat-handover: says it, does not do it'],
    scenarios: [
      { scenario_id: 'hat-handover', backend: 'claude', checks: 5, proved: 3 },
      { scenario_id: 'hat-handover', backend: 'opencode', checks: 5, proved: 5 },
      { scenario_id: 'simple-pass', backend: 'claude', checks: 4, proved: 4 },
    ],
  };
  return Object.assign({}, report, { history, proof });
}
