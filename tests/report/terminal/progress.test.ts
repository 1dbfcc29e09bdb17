import { expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { createProgress } from '../../../src/report/terminal/progress.js';
import { attempt, journal } from '../support/journal.js';

const start = (scenarioId: string): JournalEvent => ({
  type: 'attempt-started',
  at: 't',
  scenarioId,
  backend: 'claude',
  attempt: 1,
});
const end = (scenarioId: string): JournalEvent => attempt({ scenarioId });
const known = (seconds: Record<string, number>): JournalEvent => ({
  type: 'history-known',
  at: 't',
  runs: [],
  expected: Object.entries(seconds).map(([scenarioId, value]) => ({
    scenarioId,
    backend: 'claude',
    seconds: value,
  })),
});

function follow() {
  let clock = 0;
  const progress = createProgress(() => clock);
  const [started] = journal({
    tests: [
      { scenarioId: 'a', timeoutSeconds: 300 },
      { scenarioId: 'b', timeoutSeconds: 300 },
      { scenarioId: 'c', timeoutSeconds: 300 },
    ],
  });
  if (!started) throw new Error('a first record expected');
  progress.onEvent(started);
  return {
    ...progress,
    at: (seconds: number) => {
      clock = seconds * 1000;
    },
  };
}

it('tells elapsed and expected time by earlier runs', () => {
  const { onEvent, describe, at } = follow();
  onEvent(known({ a: 60, b: 100, c: 50 }));
  onEvent(start('a'));
  at(20);
  expect(describe()).toBe('a [claude] (20s, usually 1m 00s) · 0/3 done in 20.0s, about 3m 10s left');
  onEvent(start('b'));
  expect(describe()).toBe(
    'a [claude] (20s, usually 1m 00s) and 1 more · 0/3 done in 20.0s, about 1m 35s left',
  );
  at(50);
  onEvent(end('a'));
  expect(describe()).toBe('b [claude] (30s, usually 1m 40s) · 1/3 done in 50.0s, about 2m 00s left');
});

it('is bound by time limits where no earlier run tells', () => {
  const { onEvent, describe, at } = follow();
  onEvent(known({ b: 100 }));
  onEvent(start('a'));
  at(10);
  expect(describe()).toBe('a [claude] (10s, limit 5m 00s) · 0/3 done in 10.0s, at most 11m 30s left');
});

it('never promises less than nothing when a test takes longer than it used to', () => {
  const { onEvent, describe, at } = follow();
  onEvent(known({ a: 1, b: 1, c: 1 }));
  for (const id of ['b', 'c']) onEvent(end(id));
  onEvent(start('a'));
  at(600);
  expect(describe()).toContain('2/3 done in 10m 00s, about 0.00s left');
});

it('is busy while something runs: skipped tests are done, a test that is tried again is not', () => {
  const { onEvent, isBusy, describe } = follow();
  expect(isBusy()).toBe(false);
  onEvent(start('a'));
  expect(isBusy()).toBe(true);
  onEvent(end('a'));
  expect(isBusy()).toBe(false);
  onEvent({ type: 'scenario-skipped', at: 't', scenarioId: 'b', backend: 'claude', reason: 'why not' });
  expect(describe()).toContain('2/3 done');
  onEvent(start('a'));
  expect(describe()).toContain('1/3 done');
  onEvent({ type: 'run-finished', at: 't', interrupted: true, durationSeconds: 1 });
  expect(isBusy()).toBe(false);
});
