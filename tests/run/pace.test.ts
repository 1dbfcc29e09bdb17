import { expect, test } from 'vitest';
import type { AttemptFinished } from '../../src/domain/attempt.js';
import type { Fault } from '../../src/domain/fault.js';
import type { BackendId } from '../../src/domain/vocabulary.js';
import { createPace, runScheduled } from '../../src/run/schedule.js';

const RATE_LIMIT: Fault = { whose: 'infrastructure', because: ['429'], trouble: 'rate-limit' };
const OVERLOAD: Fault = { whose: 'infrastructure', because: ['529'], trouble: 'overload' };

const started = (scenarioId: string, backend: BackendId = 'claude') =>
  ({ type: 'attempt-started', at: '', scenarioId, backend, attempt: 1 }) as const;
function finished(scenarioId: string, fault?: Fault, backend: BackendId = 'claude'): AttemptFinished {
  return {
    ...{
      type: 'attempt-finished',
      at: '',
      scenarioId,
      backend,
      attempt: 1,
      outcome: fault ? 'error' : 'passed',
    },
    ...{ durationSeconds: 1, checks: [], quality: [], evidence: null, error: null, interrupted: false },
    ...{ artifacts: '', workspace: null, ...(fault === undefined ? {} : { fault }) },
  };
}

/** Plays tests one after another. */
function play(pace: ReturnType<typeof createPace>, faults: readonly (Fault | undefined)[]): number {
  faults.forEach((fault, index) => {
    pace.onEvent(started(`test-${index}`));
    pace.onEvent(finished(`test-${index}`, fault));
  });
  return pace.limitOf('claude');
}

test('each rate limit halves what runs at the same time, down to one', () => {
  const pace = createPace();
  expect(pace.limitOf('claude')).toBe(4);
  expect(play(pace, [RATE_LIMIT])).toBe(2);
  expect(play(pace, [RATE_LIMIT])).toBe(1);
  expect(play(pace, [RATE_LIMIT])).toBe(1);
});

test('a rate limit slows its own backend only', () => {
  const pace = createPace();
  play(pace, [RATE_LIMIT]);
  expect(pace.limitOf('opencode')).toBe(4);
});

test('other trouble slows nothing', () => {
  expect(play(createPace(), [OVERLOAD, undefined])).toBe(4);
});

test('tests that ran side by side meet one rate limit, not four', () => {
  const pace = createPace();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) pace.onEvent(started(name));
  for (const name of names) pace.onEvent(finished(name, RATE_LIMIT));
  expect(pace.limitOf('claude')).toBe(2);
});

test('calm raises it step by step, never above the start', () => {
  const pace = createPace();
  play(pace, [RATE_LIMIT, RATE_LIMIT]);
  const calm = Array.from({ length: 8 }, () => undefined);
  expect(play(pace, calm.slice(1))).toBe(1);
  expect(play(pace, [undefined])).toBe(2);
  expect(play(pace, [...calm, ...calm, ...calm])).toBe(4);
});

test('the schedule follows: after a rate limit fewer jobs start', async () => {
  const pace = createPace();
  const open = new Map<string, () => void>();
  const jobs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((job) => ({ job, lane: 'claude', first: false }));
  const done = runScheduled(
    jobs,
    { total: Number.POSITIVE_INFINITY, perLane: pace.limitOf },
    (name) => {
      pace.onEvent(started(name));
      return new Promise<void>((resolve) => open.set(name, resolve));
    },
    () => false,
  );
  const end = async (name: string, fault?: Fault) => {
    pace.onEvent(finished(name, fault));
    open.get(name)?.();
    open.delete(name);
    await new Promise((resolve) => setImmediate(resolve));
    return [...open.keys()];
  };
  expect([...open.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(await end('a', RATE_LIMIT)).toEqual(['b', 'c', 'd']);
  expect(await end('b')).toEqual(['c', 'd']);
  expect(await end('c')).toEqual(['d', 'e']);
  for (const name of ['d', 'e', 'f', 'g']) await end(name);
  expect(await done).toEqual([]);
});
