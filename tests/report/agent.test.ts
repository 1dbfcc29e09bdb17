import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/domain/report/report.js';
import { analysis } from '../../src/harness/analysis.js';
import { makeFailureEntry, renderAgentPrompt, renderFailures } from '../../src/report/agent.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { placePaths } from '../../src/report/model/places.js';
import { renderRelease } from '../../src/report/release.js';
import { sourcesOf } from '../../src/report/sections/causes.js';
import { chooseLogLines } from '../../src/report/words/evidence.js';
import { RECORD } from '../kinds/conversation/support/record.js';
import { captured, iteration, journal, type RunStory } from './support/journal.js';

const PROMISE = {
  area: 'limits',
  promise: 'A loop ends after max_iterations iterations.',
  source: 'ralph-core/src/event_loop/mod.rs: check_termination',
  about: ['config event_loop.max_iterations', 'flag run --max-iterations', 'reason max_iterations'],
};

const STORY: RunStory = {
  run: {
    lane: 'sim',
    target: { kind: 'real', path: '/opt/ralph', version: '2.10.1', sha256: 'ab'.repeat(32) },
  },
  tests: [
    {
      scenarioId: 'max-iterations',
      attempts: [
        {
          outcome: 'failed',
          artifacts: '/repo/.e2e-tests/runs/run-1/max-iterations-claude/1',
          workspace: '/repo/.e2e-tests/max-iterations-claude',
          checks: [
            {
              key: 'limit',
              name: 'the loop takes 3 iterations',
              category: 'IterationCount',
              passed: false,
              expected: '3 finished iterations',
              actual: '4 finished',
              promises: [PROMISE],
            },
          ],
          evidence: {
            configYaml: 'event_loop:\n  max_iterations: 3\n',
            iterations: [1, 2, 3, 4].map((number) => iteration({ number })),
            log: [
              {
                at: 't',
                level: 'WARN',
                module: 'ralph_core::event_loop',
                text: 'Loop is going on with 4 left',
              },
            ],
          },
        },
      ],
    },
    { scenarioId: 'good', attempts: [{ checks: [{}] }] },
  ],
};

const build = (story = STORY): Report => buildReport(journal(story), analysis);

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('Expected at least one.');
  return first;
}

it('a prompt about a stand-in that was broken on purpose sends nobody to its source', () => {
  const target = {
    ...{ kind: 'stand-in' as const, path: '/dist/ralph', version: '2.10.1', because: 'asked' as const },
    faults: ['wrong-exit-code'],
  };
  const report = build({ ...STORY, run: { lane: 'sim', target } });
  const prompt = renderAgentPrompt(report, firstOf(report.causes));
  expect(prompt).toContain(
    'RALPH_STANDIN_FAULT=wrong-exit-code broke it on purpose: there is nothing to fix.',
  );
  expect(prompt).not.toMatch(/src\/standin|Find why|When you have a fix/);
});

describe('failures.json', () => {
  it('has paths that work where the folder is, and names the binary by its hash', () => {
    const text = (place: 'top' | 'run') => [...renderFailures(placePaths(build(), place))].join('');
    expect(JSON.parse(text('top'))).toMatchObject({
      target: { sha256: 'ab'.repeat(32) },
      causes: [
        {
          example: {
            files: {
              page: 'report/failures/max-iterations-claude.md',
              everything: 'report/tests/max-iterations-claude.md',
              evidence: 'runs/run-1/max-iterations-claude/1/evidence.json',
              workspace: 'max-iterations-claude',
            },
          },
        },
      ],
    });
    expect(JSON.parse(text('run')).causes[0].example.files).toMatchObject({
      evidence: 'max-iterations-claude/1/evidence.json',
      workspace: '../../max-iterations-claude',
    });
  });

  const [failing] = STORY.tests ?? [];
  const manyTests = (count: number) =>
    build({
      ...STORY,
      tests: Array.from({ length: count }, (_, index) => ({
        ...failing,
        scenarioId: `limit-${index}`,
        attempts: (failing?.attempts ?? []).map((attempt) => ({
          ...attempt,
          checks: attempt.checks?.map((check) => ({
            ...check,
            expected: `${index} iterations`,
            actual: `${index + 1}`,
          })),
        })),
      })),
    });

  it('has what each test of a cause expected and received, on one line', () => {
    const report = manyTests(4);
    expect(makeFailureEntry(report, firstOf(report.causes))?.tests).toEqual([
      'limit-0 [claude]',
      'limit-1 [claude]: expected 1 iterations, received 2',
      'limit-2 [claude]: expected 2 iterations, received 3',
      'limit-3 [claude]: expected 3 iterations, received 4',
    ]);
  });

  it('stays within its size, however many tests a cause has', () => {
    const report = manyTests(60);
    const entry = makeFailureEntry(report, firstOf(report.causes));
    expect((entry?.tests.length ?? 0) + (entry?.tests_left_out ?? 0)).toBe(60);
    expect(entry?.tests_left_out).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(entry, null, 2))).toBeLessThanOrEqual(6_500);
  });

  it('gets shorter, not longer, when texts are long', () => {
    const long = {
      ...STORY,
      tests: STORY.tests?.map((test) => ({ ...test, description: 'd'.repeat(9_000) })),
    };
    const report = build(long);
    const entry = makeFailureEntry(report, firstOf(report.causes));
    expect(Buffer.byteLength(JSON.stringify(entry, null, 2))).toBeLessThanOrEqual(6_500);
  });
});

it('release notes have the versions, the hash and the counts in at most 15 lines', () => {
  const text = [...renderRelease(build())].join('').trimEnd();
  expect(text).toContain(`ralph 2.10.1 (SHA-256 \`${'ab'.repeat(32)}\`)`);
  expect(text).toContain('- Tests: 1 passed, 1 failed, 0 errors, 0 skipped');
  expect(text).toMatch(
    /- Failures: 1 cause, 1 test\n {2}- 1 test: Failed check: the loop takes 3 iterations\./,
  );
  const known = Array.from({ length: 20 }, (_, index) => ({
    scenarioId: `known-${index}`,
    knownIssue: { upTo: '2.10.1', reason: `reason ${index}`, link: 'l', breaks: [], shows: {} },
    attempts: [{ outcome: 'known-issue' as const, checks: [{ passed: false }] }],
  }));
  const long = [...renderRelease(build({ ...STORY, tests: [...(STORY.tests ?? []), ...known] }))].join('');
  expect(long).toContain('- Known issues of this version: 20');
  expect(long.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
});

describe('the lines of the log that matter', () => {
  const debug = [
    'DEBUG ralph::loop_runner: started',
    'DEBUG ralph::loop_runner: Iteration 1/6 - ralph active',
    'DEBUG ralph_core::event_loop: Publishing event',
    'DEBUG ralph::loop_runner: Iteration 2/6 - ralph active',
    'WARN ralph_core::event_loop: rejected',
    'DEBUG ralph::loop_runner: Iteration 3/6 - ralph active',
    'INFO ralph_core::landing: landed',
  ];

  it('are those of the iteration, with what came just before', () => {
    expect(chooseLogLines(debug, 2, 20)).toEqual(debug.slice(0, 6));
    expect(chooseLogLines(debug, 3, 3)).toEqual(debug.slice(2, 5));
  });

  it('are warnings and errors where no iteration is marked', () => {
    expect(chooseLogLines(debug, null, 20)).toEqual(['WARN ralph_core::event_loop: rejected']);
    expect(chooseLogLines(['INFO a: 1', 'ERROR a: 2', 'INFO a: 3'], 1, 2)).toEqual(['ERROR a: 2']);
  });
});

describe('the prompt about a cause', () => {
  const cause = firstOf(build().causes);
  const promptWith = (hypothesis: string) => renderAgentPrompt(build(), { ...cause, hypothesis });

  it('states a promise with its place, unless the hypothesis quotes it where it can be read', () => {
    expect(promptWith('It goes on.')).toMatch(
      /- Ralph promises: .*\n {2}- Look at: `ralph-core\/src\/event_loop\/mod\.rs: check_termination`/,
    );
    expect(promptWith(`Ralph promises: ${PROMISE.promise}`)).not.toMatch(/- Ralph promises: /);
    expect(promptWith(`${'It goes on. '.repeat(70)}Ralph promises: ${PROMISE.promise}`)).toMatch(
      /- Ralph promises: /,
    );
  });
});

describe('the prompt about a conversation', () => {
  it('sends nobody to Ralph, also in a run that tests Ralph', () => {
    const conversation = { ...RECORD, startError: 'Claude Code did not answer "initialize" within 60 s' };
    const exit = { kind: 'killed', signal: 'SIGTERM' } as const;
    const run = buildReport(
      journal({
        ...STORY,
        tests: [
          {
            scenarioId: 'talk',
            kind: 'conversation',
            attempts: [
              {
                outcome: 'failed',
                checks: [{ passed: false }],
                evidence: { conversation, exit, termination: null },
              },
            ],
          },
        ],
      }),
      analysis,
    );
    const [cause] = run.causes;
    if (cause === undefined) throw new Error('no cause');
    const prompt = renderAgentPrompt(run, cause);
    expect(prompt).toContain('in the source of the plugin');
    expect(`${prompt} ${JSON.stringify(run.results[0]?.diagnosis)}`).not.toMatch(
      /in Ralph|Ralph reacts|its loop|RUST_BACKTRACE/i,
    );
  });
});

it('a cause shows the check that its hypothesis speaks of, though nothing happened in an iteration', () => {
  const asked = { passed: false, category: 'OutputContains' } as const;
  const checks = [
    { ...asked, key: 'list', name: 'the list is empty' },
    { ...asked, key: 'limit', name: 'the limit is shown', promises: [PROMISE] },
  ];
  const evidence = { iterations: [] };
  const report = build({
    ...STORY,
    tests: [{ scenarioId: 'asks', attempts: [{ outcome: 'failed', checks, evidence }] }],
  });
  const cause = firstOf(report.causes);
  expect(cause.hypothesis).toContain('the limit is shown');
  expect(makeFailureEntry(report, cause)).toMatchObject({
    example: { divergence: { check: 'the limit is shown' } },
  });
});

describe('a cause that is a panic', () => {
  it('leads to its file first: to look at and to search for', () => {
    const evidence = {
      exit: { kind: 'exited', code: 101 },
      termination: null,
      stderr: captured("thread 'main' panicked at crates/x/src/main.rs:7:9:\nboom\n", 'stderr'),
    } as const;
    const checks = [{ passed: false, promises: [PROMISE] }];
    const run = buildReport(
      journal({
        ...STORY,
        tests: [{ scenarioId: 'dies', attempts: [{ outcome: 'failed', checks, evidence }] }],
      }),
      analysis,
    );
    const [cause] = run.causes;
    if (cause === undefined) throw new Error('no cause');
    expect(makeFailureEntry(run, cause)).toMatchObject({
      hypothesis: 'Ralph panicked at crates/x/src/main.rs:7: boom (exit 101)',
      grep: ['crates/x/src/main.rs', 'check_termination', 'max_iterations'],
    });
    expect(sourcesOf(cause)[0]).toBe('crates/x/src/main.rs:7');
  });
});
