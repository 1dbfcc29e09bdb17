import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { journal, readiness } from '../support/journal.js';

const STAND_IN = { kind: 'stand-in', path: '/dist/standin/bin/ralph', version: '0.1.0' } as const;
const RED = { name: 'greeting.txt contains "hello"', category: 'FileContains', passed: false } as const;

describe('the verdict', () => {
  it.each([
    [0, 1, 'nothing but known issues was found, 1 known issue'],
    [1, 1, '1 test passed, 1 known issue'],
    [2, 2, '2 tests passed, 2 known issues'],
  ])('counts no known issue as a pass: %i passed, %i known', (passed, known, verdict) => {
    const tests = Array.from({ length: passed + known }, (_, index) => ({
      scenarioId: `s${index}`,
      attempts: [index < passed ? {} : { outcome: 'known-issue' as const }],
    }));
    expect(buildReport(journal({ tests }))).toMatchObject({ verdict, passed: true });
  });

  it('is green when all that ran passed', () => {
    const report = buildReport(journal({ tests: [{ attempts: [{}] }, { scenarioId: 'b', attempts: [{}] }] }));
    expect(report).toMatchObject({ passed: true, verdict: 'all 2 tests passed', interrupted: false });
  });

  it('does not claim to have tested Ralph when a stand-in was the target', () => {
    const report = buildReport(journal({ run: { target: STAND_IN }, tests: [{ attempts: [{}] }] }));
    expect(report.passed).toBe(true);
    expect(report.verdict).toContain('Ralph itself was not tested');
    expect(report.ralph_version).toBe('stand-in 0.1.0');
  });

  it.each([
    ['scripted', 'conversation', 'the only test passed (conversations: Ralph has no part in them)'],
    ['sim', 'conversation', 'the only test passed on the stand-in (Ralph itself was not tested)'],
    ['scripted', 'ralph', 'the only test passed on the stand-in (Ralph itself was not tested)'],
  ] as const)('in the %s lane says of a %s: %s', (lane, kind, verdict) => {
    const tests = [{ kind, attempts: [{}] }];
    expect(buildReport(journal({ run: { target: STAND_IN, lane }, tests })).verdict).toBe(verdict);
  });

  it('counts failures and what could not be carried out', () => {
    const report = buildReport(
      journal({
        tests: [
          { attempts: [{ outcome: 'failed', checks: [RED] }] },
          { scenarioId: 'b', attempts: [{ outcome: 'error', evidence: null, error: 'no space' }] },
          { scenarioId: 'c', attempts: [{}] },
        ],
      }),
    );
    expect(report).toMatchObject({
      passed: false,
      verdict: '1 of 3 tests failed, 1 could not be carried out - action required',
      summary: { total: 3, passed: 1, failed: 1, errors: 1, skipped: 0, flaky: 0 },
    });
  });

  it('does not say that tests failed when the harness did', () => {
    const error = { outcome: 'error', evidence: null, error: 'no space' } as const;
    const report = buildReport(
      journal({ tests: [{ attempts: [error] }, { scenarioId: 'b', attempts: [error] }] }),
    );
    expect(report.verdict).toBe('2 of 2 tests could not be carried out - action required');
  });

  it('names the stand-in when tests failed on it', () => {
    const report = buildReport(
      journal({ run: { target: STAND_IN }, tests: [{ attempts: [{ outcome: 'failed' }] }] }),
    );
    expect(report.verdict).toBe(
      'the only test failed on the stand-in (Ralph itself was not tested) - action required',
    );
  });

  it.each([
    ['the only one', [], 'the only test passed, but only when tried again'],
    [
      'one of two',
      [{ scenarioId: 'b', attempts: [{}] }],
      'all 2 tests passed, 1 of them only when tried again',
    ],
  ])('tells that a test needed a retry: %s', (_, others, verdict) => {
    const retried = { attempts: [{ outcome: 'failed' as const }, {}] };
    expect(buildReport(journal({ tests: [retried, ...others] })).verdict).toBe(verdict);
    expect(buildReport(journal({ tests: [retried, ...others], end: { interrupted: true } })).verdict).toMatch(
      /that ran passed, .*only when tried again, 0 did not run$/,
    );
  });

  it.each([
    ['no test was planned', journal({ tests: [] }), 'nothing was tested'],
    [
      'all were skipped',
      journal({ tests: [{ skipped: 'logged out' }] }),
      'nothing was tested: the only test was skipped',
    ],
    ['the journal is empty', [], 'nothing was tested: the run was interrupted'],
  ])('is never green when %s', (_, events, verdict) => {
    expect(buildReport(events)).toMatchObject({ passed: false, verdict, summary: { total: 0 } });
  });

  it('is not green when the run was interrupted, although all that ran passed', () => {
    const report = buildReport(
      journal({ tests: [{ attempts: [{}] }, { scenarioId: 'b' }], end: { interrupted: true } }),
    );
    expect(report).toMatchObject({
      passed: false,
      interrupted: true,
      verdict: 'interrupted: the only test that ran passed, 1 did not run',
    });
  });
});

describe('attempts of one test', () => {
  it('are one flaky result when an early one failed and the last passed', () => {
    const report = buildReport(
      journal({ tests: [{ attempts: [{ outcome: 'failed', checks: [RED] }, { checks: [{}] }] }] }),
      analysis,
    );
    expect(report.results).toHaveLength(1);
    expect(report.results[0]).toMatchObject({
      outcome: 'flaky',
      passed: true,
      assertions: [{ passed: true }],
      attempts: [
        { attempt: 1, outcome: 'failed', failed_assertions: ['greeting.txt contains "hello"'] },
        { attempt: 2, outcome: 'passed', failed_assertions: [] },
      ],
      analysis: { metrics: { retries_needed: 1 } },
    });
    expect(report.results[0]?.diagnosis).not.toBeNull();
    expect(report.summary).toMatchObject({ total: 1, flaky: 1, passed: 0 });
  });

  it('are failed when the last one failed, however the others ended', () => {
    const report = buildReport(
      journal({ tests: [{ attempts: [{ outcome: 'error' }, { outcome: 'failed', checks: [RED] }] }] }),
    );
    expect(report.results[0]?.outcome).toBe('failed');
  });

  it('are failed when the target failed once and the harness afterwards, and tell of that failure', () => {
    const report = buildReport(
      journal({
        tests: [
          {
            attempts: [
              { outcome: 'failed', checks: [RED], durationSeconds: 7, workspace: '/ws/hat-single' },
              { outcome: 'error', evidence: null, error: 'disk full', durationSeconds: 0 },
            ],
          },
        ],
      }),
      analysis,
    );
    expect(report.summary).toMatchObject({ failed: 1, errors: 0 });
    expect(report.results[0]).toMatchObject({
      outcome: 'failed',
      error: null,
      assertions: [{ name: RED.name, passed: false }],
      duration_seconds: 7,
      artifacts: '/repo/.e2e-tests/runs/run-1/hat-single-claude/1',
      // The folder was made anew for the second attempt: what is in it now does not belong to this failure.
      workspace: null,
      context: { exit_code: 0 },
      diagnosis: { rule: 'agent-did-not-do-it' },
      attempts: [{ outcome: 'failed' }, { outcome: 'error', error: 'disk full' }],
    });
  });

  it('are told in their order, also when the journal holds them in another', () => {
    const events = journal({ tests: [{ attempts: [{ outcome: 'failed' }, {}] }] });
    const [start, first1, end1, first2, end2, finish] = events;
    if (!start || !first1 || !end1 || !first2 || !end2 || !finish) throw new Error('six records expected');
    const report = buildReport([start, first2, end2, first1, end1, finish]);
    expect(report.results[0]).toMatchObject({ outcome: 'flaky', attempts: [{ attempt: 1 }, { attempt: 2 }] });
  });

  it('on two backends are two results', () => {
    const report = buildReport(
      journal({ tests: [{ attempts: [{}] }, { backend: 'kiro', attempts: [{ outcome: 'failed' }] }] }),
    );
    expect(report.results.map(({ backend, outcome }) => [backend, outcome])).toEqual([
      ['claude', 'passed'],
      ['kiro', 'failed'],
    ]);
    expect(report.summary.by_backend).toMatchObject({ claude: { passed: 1 }, kiro: { failed: 1 } });
    expect(report.summary.by_tier['Tier 5: Hat Collections']).toMatchObject({ total: 2 });
  });

  it('that Ctrl-C ended say nothing: the test counts as not run', () => {
    const report = buildReport(
      journal({
        tests: [
          { attempts: [{ outcome: 'error', error: 'broken off', interrupted: true, evidence: null }] },
          { scenarioId: 'b', attempts: [{ outcome: 'error', evidence: { exit: { kind: 'interrupted' } } }] },
        ],
        end: { interrupted: true },
      }),
      analysis,
    );
    expect(report.summary).toMatchObject({ total: 0, errors: 0, skipped: 2 });
    expect(report.results[0]).toMatchObject({
      skip_reason: expect.stringContaining('while this test was running'),
    });
  });

  it('that began and have no end are errors, in a run that came to its end', () => {
    const report = buildReport(journal({ tests: [{ unfinished: true }] }), analysis);
    expect(report).toMatchObject({ passed: false, summary: { errors: 1, skipped: 0 } });
    expect(report.results[0]?.error).toBe('Attempt 1 started but never finished.');
  });

  it('that only speak of an interrupt are errors', () => {
    const attempts = [{ outcome: 'error' as const, error: 'interrupted by the user', evidence: null }];
    expect(buildReport(journal({ tests: [{ attempts }] }), analysis).summary).toMatchObject({ errors: 1 });
  });

  it('that Ctrl-C ended do not hide that an earlier one failed', () => {
    const report = buildReport(
      journal({
        tests: [
          {
            attempts: [
              { outcome: 'failed', checks: [RED] },
              { outcome: 'error', evidence: { exit: { kind: 'interrupted' } } },
            ],
          },
        ],
        end: { interrupted: true },
      }),
    );
    expect(report.results[0]?.outcome).toBe('failed');
  });
});

describe('what did not run', () => {
  const ENDED = { kind: 'run-ended' };

  it.each([
    [
      'skipped',
      { tests: [{ skipped: 'kiro is logged out', cause: { kind: 'not-ready' as const } }] },
      'kiro is logged out',
      { kind: 'not-ready' },
    ],
    [
      'skipped by an older version',
      { tests: [{ skipped: 'kiro is logged out' }] },
      'kiro is logged out',
      null,
    ],
    ['interrupted', { tests: [{}], end: { interrupted: true } }, 'not run: the run was interrupted', ENDED],
    ['killed', { tests: [{}], end: null }, 'not run: the run did not come to its end', ENDED],
    [
      'bailed',
      { tests: [{}, { scenarioId: 'b', attempts: [{ outcome: 'failed' as const }] }] },
      '--bail',
      ENDED,
    ],
    ['cut off', { tests: [{ unfinished: true }], end: null }, 'while this test was running', ENDED],
  ])('is skipped with its reason: %s', (_, story, reason, cause) => {
    const [result] = buildReport(journal(story)).results;
    expect(result).toMatchObject({
      outcome: 'skipped',
      passed: false,
      skip_reason: expect.stringContaining(reason),
      skip_cause: cause,
    });
  });
});

describe('quick-fix commands', () => {
  it('repeat the run for each failed test, quoted so that they can be pasted', () => {
    const report = buildReport(
      journal({
        run: { repeatWith: ['--lane', 'sim', '--ralph', '/my builds/ralph'] },
        tests: [
          { backend: 'kiro', attempts: [{ outcome: 'failed' }] },
          { scenarioId: 'b', attempts: [{}] },
        ],
      }),
    );
    expect(report.quick_fix_commands.map(({ command }) => command)).toEqual([
      "ralph-e2e kiro --test hat-single --verbose --keep-workspace --keep-reports --lane sim --ralph '/my builds/ralph'",
    ]);
  });

  it('tell of flaky tests too, and run all failures again in the same lane on the same target', () => {
    const report = buildReport(
      journal({
        run: { repeatWith: ['--lane', 'sim'] },
        tests: [
          { scenarioId: 'a', attempts: [{ outcome: 'failed' }] },
          { scenarioId: 'b', attempts: [{ outcome: 'error' }] },
          { scenarioId: 'c', attempts: [{ outcome: 'failed' }, {}] },
        ],
      }),
    );
    expect(report.quick_fix_commands.map(({ command }) => command)).toEqual([
      'ralph-e2e claude --last-failed --keep-reports --lane sim',
      'ralph-e2e claude --test a --verbose --keep-workspace --keep-reports --lane sim',
      'ralph-e2e claude --test b --verbose --keep-workspace --keep-reports --lane sim',
      'ralph-e2e claude --test c --verbose --keep-workspace --keep-reports --lane sim',
    ]);
  });

  it('are not given when nothing is wrong', () => {
    expect(buildReport(journal({ tests: [{ attempts: [{}] }] })).quick_fix_commands).toEqual([]);
  });
});

it('lists only what the journal says is still there', () => {
  const report = buildReport(
    journal({
      tests: [
        {
          scenarioId: 'kept',
          attempts: [
            { outcome: 'failed', artifacts: '/runs/1/kept/1' },
            { outcome: 'failed', artifacts: '/runs/1/kept/2', workspace: '/ws/kept' },
          ],
        },
        { scenarioId: 'gone', attempts: [{ artifacts: '/runs/1/gone', workspace: null }] },
        { scenarioId: 'never', skipped: 'no reason' },
      ],
    }),
  );
  expect(report.artifacts.map(({ path }) => path)).toEqual([
    '/runs/1/kept/1',
    '/runs/1/kept/2',
    '/ws/kept',
    '/runs/1/gone',
  ]);
});

it('carries over backends, environment and evidence', () => {
  const report = buildReport(
    journal({
      run: {
        backends: [
          readiness(),
          readiness({ backend: 'kiro', available: false, authentication: null, reason: 'not found' }),
        ],
      },
      tests: [
        {
          attempts: [
            {
              evidence: {
                exit: { kind: 'killed', signal: 'SIGKILL' },
                events: [
                  {
                    topic: 'build.done',
                    payload: 'x',
                    timestamp: 't',
                    hat: 'builder',
                    iteration: 2,
                    source: 'agent',
                  },
                ],
                usage: { model: 'm', turns: 1, inputTokens: 2, outputTokens: 3, costUsd: 0.5 },
                leftBehind: [{ pid: 7, command: 'sleep 9' }],
              },
            },
          ],
        },
      ],
    }),
  );
  expect(report.backends_tested).toMatchObject([
    { backend: 'claude', authenticated: true, authentication_source: 'CLI login' },
    { backend: 'kiro', authenticated: null, available: false, reason: 'not found' },
  ]);
  expect(report.environment.env_vars).toEqual({ ANTHROPIC_API_KEY: true });
  expect(report.results[0]?.context).toMatchObject({
    command_line: '/opt/ralph run -c ralph.yml --no-tui -P prompt.md',
    exit_code: null,
    exit_signal: 'SIGKILL',
    timed_out: false,
    events_emitted: [{ topic: 'build.done', source_hat: 'builder', emitted_by: 'agent' }],
    usage: { input_tokens: 2, output_tokens: 3, cost_usd: 0.5 },
    processes_left_behind: ['7 sleep 9'],
  });
});

it('keeps the first and last of very many events and says how many it left out', () => {
  const events = Array.from({ length: 2_000 }, (_, index) => ({
    topic: `topic.${index}`,
    payload: null,
    timestamp: 't',
    hat: null,
    iteration: 1,
    source: 'agent' as const,
  }));
  const context = buildReport(journal({ tests: [{ attempts: [{ evidence: { events } }] }] })).results[0]
    ?.context;
  expect(context?.events_emitted).toHaveLength(500);
  expect(context?.events_left_out).toBe(1_500);
  expect(context?.events_emitted.at(0)?.topic).toBe('topic.0');
  expect(context?.events_emitted.at(-1)?.topic).toBe('topic.1999');
});

it('an event of an agent belongs to the iteration in whose time it falls', () => {
  const at = (second: number) => `2026-01-20T14:30:0${second}.000Z`;
  const record = (topic: string, second: number, iteration: number | null, source: 'agent' | 'ralph') => ({
    ...{ topic, payload: null, timestamp: at(second), hat: null, iteration, source },
  });
  const events = [
    record('build.done', 1, null, 'agent'),
    record('iteration.summary', 2, 1, 'ralph'),
    record('review.done', 3, null, 'agent'),
    record('iteration.summary', 4, 2, 'ralph'),
    record('loop.terminate', 5, null, 'ralph'),
    record('late.done', 6, null, 'agent'),
  ];
  const [result] = buildReport(journal({ tests: [{ attempts: [{ evidence: { events } }] }] })).results;
  expect(result?.context?.events_emitted.map(({ iteration }) => iteration)).toEqual([1, 1, 2, 2, null, null]);
});

it('tells of an attempt that the plan does not know', () => {
  const events = journal({ tests: [{ attempts: [{}] }] }).filter(({ type }) => type !== 'run-started');
  expect(buildReport(events).results[0]).toMatchObject({
    scenario_id: 'hat-single',
    tier: 'Tier unknown',
    passed: true,
  });
});
