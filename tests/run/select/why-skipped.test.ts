import { expect, test } from 'vitest';
import { conversation } from '../../../src/domain/scenario/scenario.js';
import { whySkipped } from '../../../src/run/select/why-skipped.js';

const define = (change: Partial<Parameters<typeof conversation>[0]>) =>
  conversation({
    id: 'talk',
    tier: 8,
    priority: 'must',
    phase: 'green',
    description: '',
    covers: [],
    arrange: () => ({ turns: [] }),
    expect: () => [],
    agent: [],
    ...change,
  });

const why = (change: Parameters<typeof define>[0], path = '/bin', kind: 'real' | 'stand-in' = 'stand-in') =>
  whySkipped({ scenario: define(change), backend: 'claude' }, new Map(), {
    lane: 'sim',
    env: { PATH: path },
    target: { kind },
  });

test('a scenario that can run has no reason', () => {
  expect(why({ programs: ['sh'] })).toBeNull();
});

test('the lane and the programs tell why not', () => {
  expect(why({ unplayable: { sim: 'it has a server' } })).toBe('it has a server');
  expect(why({ unplayable: { live: 'it has a server' } })).toBeNull();
  expect(why({ programs: ['sh'] }, '/nowhere')).toBe('needs sh, which is not on PATH');
});

test('what the stand-in for Ralph cannot do needs a real one', () => {
  expect(why({ beyondStandIn: 'waves' })).toContain(
    'needs a real ralph: the stand-in for it cannot do this (waves)',
  );
  expect(why({ beyondStandIn: 'waves' }, '/bin', 'real')).toBeNull();
});
