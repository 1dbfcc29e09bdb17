import { expect, test } from 'vitest';
import { joinParts, keepFinished, sumActiveSeconds } from '../../src/domain/joined-parts.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal } from '../report/support/journal.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 20) + seconds * 1000).toISOString();

function resumed(activeSeconds: number, seconds: number): JournalEvent {
  return { type: 'run-resumed', at: at(seconds), activeSeconds, takenOver: 1, left: 2, endedOrphans: [] };
}

const TESTS = ['done', 'cut', 'waiting'].map((scenarioId) => ({ scenarioId }));

/** A run of three tests: one is done, Ctrl-C ended another, and the third did not start. */
const FIRST = journal({
  tests: [
    { scenarioId: 'done', attempts: [{ durationSeconds: 1 }] },
    {
      scenarioId: 'cut',
      attempts: [{ outcome: 'error', error: 'interrupted by the user', interrupted: true }],
    },
    { scenarioId: 'waiting', skipped: 'not run: the run was interrupted', cause: { kind: 'run-ended' } },
  ],
  end: { interrupted: true, durationSeconds: 5 },
});
const SECOND = journal({
  tests: [
    { ...TESTS[1], attempts: [{}] },
    { ...TESTS[2], attempts: [{}] },
  ],
  end: { durationSeconds: 12 },
}).slice(1);

test('a later part takes over what was finished, and nothing else', () => {
  expect(keepFinished(FIRST).map(({ type }) => type)).toEqual([
    'run-started',
    'attempt-started',
    'attempt-finished',
  ]);
});

test('a resumed run is reported as one run: nothing is flaky, skipped or interrupted', () => {
  const report = buildReport([...FIRST, resumed(5, 100), ...SECOND]);
  expect(
    report.results.map(({ scenario_id, outcome, attempts }) => [scenario_id, outcome, attempts.length]),
  ).toEqual(TESTS.map(({ scenarioId }) => [scenarioId, 'passed', 1]));
  expect(report).toMatchObject({
    passed: true,
    interrupted: false,
    duration_seconds: 12,
    resumed: { times: 1, taken_over: 1 },
    resume_command: null,
  });
});

test('a run that was not resumed stays as it is', () => {
  expect(joinParts(FIRST)).toBe(FIRST);
  expect(buildReport(FIRST).resumed).toBeNull();
});

test('a resumed run that was killed again has not come to its end', () => {
  const report = buildReport([...FIRST, resumed(5, 100), ...SECOND.slice(0, 2)]);
  expect(report.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'skipped']);
  expect(report).toMatchObject({ passed: false, interrupted: true });
});

test('what an interrupted attempt cost is part of the cost of the run', () => {
  const spending = { calls: 1, tokens: 10, usd: 0.25, estimatedUsd: 0 };
  const estimate = { tests: 3, calls: 3, tokens: 1, usd: 1, seconds: 1, measured: 0, unpriced: [] };
  const paid = [...FIRST, resumed(5, 100), ...SECOND].map((event): JournalEvent => {
    if (event.type === 'run-started') return { ...event, budget: { estimate, maxUsd: 1 } };
    return event.type === 'attempt-finished' ? { ...event, spending } : event;
  });
  expect(buildReport(paid).spending).toMatchObject({ cost_usd: 1, calls: 4 });
});

test('the time between two parts does not count, and a killed part ends with its last record', () => {
  const [started, ...others] = journal({ tests: [{ attempts: [{}] }], end: null });
  const timed = [started, ...others].flatMap((event, index) =>
    event ? [{ ...event, at: at(index * 2) }] : [],
  );
  expect(sumActiveSeconds(timed)).toBe(4);
  expect(sumActiveSeconds([...timed, resumed(4, 1000)])).toBe(4);
  const attempt = { ...others[0], at: at(1007) } as JournalEvent;
  expect(sumActiveSeconds([...timed, resumed(4, 1000), attempt])).toBe(11);
  expect(sumActiveSeconds(FIRST)).toBe(5);
});
