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
const end = (scenarioId: string, rest: Parameters<typeof attempt>[0] = {}): JournalEvent =>
  attempt({ scenarioId, ...rest });
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

function follow(first = 'a') {
  let clock = 0;
  const progress = createProgress(() => clock);
  const [started] = journal({
    tests: [
      { scenarioId: first, timeoutSeconds: 300 },
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

it('counts first, then says how long it took and will take, by earlier runs of the same tests', () => {
  const { onEvent, describe, at } = follow();
  onEvent(known({ a: 60, b: 100, c: 50 }));
  onEvent(start('a'));
  at(20);
  expect(describe()).toBe('[0/3] 0:20, about 3:10 left · a [claude] (0:20, usually 1:00)');
  onEvent(start('b'));
  expect(describe()).toBe('[0/3] 0:20, about 3:10 left · a [claude] (0:20, usually 1:00) +1');
  at(60);
  onEvent(end('a', { durationSeconds: 60 }));
  expect(describe()).toBe('[1/3] 1:00, about 1:06 left · b [claude] (0:40, usually 1:40)');
});

it('goes by what the tests of this run took where no earlier run tells, and promises nothing before', () => {
  const { onEvent, describe, at } = follow();
  onEvent(start('a'));
  at(5);
  expect(describe()).toBe('[0/3] 0:05 · a [claude]');
  onEvent(end('a', { durationSeconds: 5 }));
  onEvent(start('b'));
  expect(describe()).toBe('[1/3] 0:05, about 0:10 left · b [claude]');
});

it('says the limit of a long test that no earlier run knows', () => {
  const { onEvent, describe, at } = follow();
  onEvent(start('a'));
  at(75);
  expect(describe()).toBe('[0/3] 1:15 · a [claude] (1:15, limit 5:00)');
});

it('never promises less than nothing when a test takes longer than it used to', () => {
  const { onEvent, describe, at } = follow();
  onEvent(known({ a: 1, b: 1, c: 1 }));
  for (const id of ['b', 'c']) onEvent(end(id));
  onEvent(start('a'));
  at(600);
  expect(describe()).toBe('[2/3] 10:00, about 0:01 left · a [claude] (10:00, usually 0:01)');
});

it('counts what failed so far, and not what passed when tried again', () => {
  const { onEvent, describe } = follow();
  onEvent(start('a'));
  onEvent(end('a', { outcome: 'failed', retryInSeconds: 0 }));
  onEvent(start('b'));
  onEvent(end('b', { outcome: 'failed' }));
  expect(describe()).toContain('[1/3] 0:00, about 0:03 left, 2 failed');
  onEvent(start('a'));
  onEvent(end('a'));
  expect(describe()).toMatch(/^\[2\/3\] .*, 1 failed/);
});

it.each([80, 60])('cuts only the name of what runs on %i columns', (columns) => {
  const { onEvent, describe, at } = follow(
    'a-scenario-with-a-name-that-is-much-longer-than-a-screen-of-eighty-columns',
  );
  onEvent(known({ b: 4000, c: 9000 }));
  onEvent(end('b', { outcome: 'failed', durationSeconds: 3700 }));
  onEvent(start('a-scenario-with-a-name-that-is-much-longer-than-a-screen-of-eighty-columns'));
  onEvent(start('c'));
  at(3700);
  const line = describe(columns, true);
  expect(line.length).toBeLessThanOrEqual(columns);
  expect(line).toMatch(/^\[1\/3\] (?:[█░]{12} )?1:01:40, about \S+ left, 1 failed · a-sce\S*… \+1$/);
});

it('draws a bar as long as there is room', () => {
  const { onEvent, describe } = follow();
  onEvent(end('a'));
  onEvent(start('b'));
  expect(describe(80, true)).toContain('[1/3] ████░░░░░░░░ 0:00');
  expect(describe(40, true)).not.toContain('░');
});

it('is busy from the first test until the end of the run: failures are looked at after the last test', () => {
  const { onEvent, isBusy, describe } = follow();
  expect(isBusy()).toBe(false);
  onEvent(start('a'));
  expect(isBusy()).toBe(true);
  onEvent(end('a', { outcome: 'failed' }));
  const skipped = { type: 'scenario-skipped', at: 't', backend: 'claude', reason: 'why not' } as const;
  for (const scenarioId of ['b', 'c']) onEvent({ ...skipped, scenarioId, cause: { kind: 'not-ready' } });
  expect(describe()).toBe('[3/3] 0:00, 1 failed · looking at the failures');
  expect(isBusy()).toBe(true);
  onEvent({ type: 'run-finished', at: 't', interrupted: true, durationSeconds: 1 });
  expect(isBusy()).toBe(false);
});
