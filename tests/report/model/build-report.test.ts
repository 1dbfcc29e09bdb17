import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { journal } from '../support/journal.js';

const RED = { name: 'greeting.txt contains "hello"', category: 'FileContains', passed: false } as const;

describe('attempts of one test', () => {
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
      diagnosis: { rule: 'expectation-not-met' },
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
