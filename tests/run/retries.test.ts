import { describe, expect, test } from 'vitest';
import type { AttemptFinished } from '../../src/domain/attempt.js';
import type { Fault, Trouble } from '../../src/domain/fault.js';
import { decideRetry, LONGEST_WAIT, pauseFor, watchServices } from '../../src/run/retries.js';
import { attempt } from '../report/support/journal.js';

const LIVE = { retries: 0, hasService: true };

const trouble = (kind: Trouble = 'overload', asked?: number) =>
  failed({
    whose: 'infrastructure',
    because: [],
    trouble: kind,
    ...(asked === undefined ? {} : { retryAfterSeconds: asked }),
  });
const deviation = () => failed({ whose: 'agent', because: ['it did otherwise'] });
const broken = () => failed({ whose: 'target', because: [] });
const passed = () => attempt();

function failed(fault: Fault): AttemptFinished {
  return attempt({ outcome: 'failed', fault });
}

/** The pauses between attempts that end like these, one after the other. The last is null if the test does not run again. */
function pausesOf(ends: readonly AttemptFinished[], rules = LIVE): (number | null)[] {
  const attempts: AttemptFinished[] = [];
  return ends.map((end) => {
    const pause = decideRetry([...attempts, end], rules);
    attempts.push(pause === null ? end : { ...end, retryInSeconds: pause });
    return pause;
  });
}

describe('a test whose service fails', () => {
  test('runs again up to three times, after growing pauses', () => {
    const pauses = pausesOf([trouble(), trouble(), trouble(), trouble()]);
    expect(pauses.at(-1)).toBeNull();
    const waited = pauses.slice(0, -1).map(Number);
    expect(waited).toEqual(waited.toSorted((a, b) => a - b));
    expect(new Set(waited).size).toBe(3);
  });

  test('waits as long as the service asks', () => {
    expect(pausesOf([trouble('rate-limit', 100)])).toEqual([100]);
  });

  test('does not wait for a limit that resets too late', () => {
    expect(pausesOf([trouble('rate-limit', LONGEST_WAIT + 1)])).toEqual([null]);
  });

  test('waits no longer than the limit in all', () => {
    const asked = LONGEST_WAIT / 2 + 1;
    expect(pausesOf([trouble('overload', asked), trouble('overload', asked)])).toEqual([asked, null]);
  });

  test('runs again once, without a pause, if the login was refused', () => {
    expect(pausesOf([trouble('login'), trouble('login')])).toEqual([0, null]);
  });

  test('keeps the retries that the user asked for', () => {
    const rules = { retries: 1, hasService: true };
    expect(pausesOf([trouble('login'), broken(), broken()], rules)).toEqual([0, 0, null]);
  });

  test('does not run again once it passes', () => {
    expect(pausesOf([trouble(), passed()]).at(-1)).toBeNull();
  });
});

describe('a test whose agent did otherwise', () => {
  test('runs again once', () => {
    expect(pausesOf([deviation(), deviation()])).toEqual([0, null]);
  });

  test('does not run again for a failure of Ralph after that', () => {
    expect(pausesOf([deviation(), broken()])).toEqual([0, null]);
  });

  test('has its second try also after trouble with the service', () => {
    expect(pausesOf([trouble('login'), deviation(), deviation()])).toEqual([0, 0, null]);
  });
});

test('a failure of Ralph runs again only if the user asks', () => {
  expect(pausesOf([broken()])).toEqual([null]);
  expect(pausesOf([broken(), broken(), broken()], { retries: 2, hasService: true })).toEqual([0, 0, null]);
});

test('without a real service only the user decides', () => {
  const offline = { retries: 0, hasService: false };
  expect([pausesOf([trouble()], offline), pausesOf([deviation()], offline)]).toEqual([[null], [null]]);
  expect(pausesOf([trouble(), trouble()], { ...offline, retries: 1 })).toEqual([0, null]);
});

test('a pause ends at once when the run is interrupted', async () => {
  const controller = new AbortController();
  const pause = pauseFor(1_000_000, controller.signal);
  controller.abort();
  await expect(pause).resolves.toBeUndefined();
  await expect(pauseFor(1_000_000, controller.signal)).resolves.toBeUndefined();
});

describe('the rest of a backend', () => {
  test('does not run after a refused login', () => {
    expect(watchServices().take(trouble('login'))).toEqual({
      reason: 'the login of claude was refused in hat-single, so no other scenario ran on claude',
      cause: { kind: 'service-lost', trouble: 'login', test: 'hat-single' },
    });
  });

  test('does not run while a limit resets too late', () => {
    expect(watchServices().take(trouble('rate-limit', LONGEST_WAIT + 1))?.cause).toMatchObject({
      trouble: 'rate-limit',
    });
  });

  test('does not run after two tests in a row that the service failed', () => {
    const services = watchServices();
    expect(services.take(trouble())).toBeNull();
    expect(services.take(trouble('network'))?.cause).toMatchObject({ trouble: 'network' });
  });

  test('runs if the service answers in between, or fails on another backend', () => {
    const services = watchServices();
    expect(services.take(trouble())).toBeNull();
    expect(services.take(passed())).toBeNull();
    expect(services.take(trouble())).toBeNull();
    expect(services.take({ ...trouble(), backend: 'opencode' })).toBeNull();
  });

  test('runs after a failure of Ralph or of the agent', () => {
    const services = watchServices();
    for (const end of [broken(), deviation(), deviation()]) expect(services.take(end)).toBeNull();
  });
});

describe('a test that is repeated', () => {
  const rules = { ...LIVE, repeated: true };

  test('runs again only after trouble with its service', () => {
    expect(pausesOf([deviation()], rules)).toEqual([null]);
    expect(pausesOf([broken()], rules)).toEqual([null]);
    expect(pausesOf([trouble('login'), broken()], rules)).toEqual([0, null]);
  });
});
