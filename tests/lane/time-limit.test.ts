import { describe, expect, test } from 'vitest';
import { completed, conversation, loop, onObjective, scenario, turnSays } from '../../src/authoring.js';
import { timeLimitOf } from '../../src/lane/time-limit.js';

const COMMON = {
  id: 'a-scenario',
  priority: 'must',
  phase: 'green',
  description: 'A scenario',
  covers: [],
  agent: [onObjective('work')],
} as const;

function loopOf(maxIterations: number, timeoutSeconds = 60) {
  return scenario({
    ...COMMON,
    tier: 2,
    timeoutSeconds,
    arrange: () => ({ config: loop({ maxIterations }), prompt: 'work' }),
    expect: () => ({ ends: completed() }),
  });
}

const talk = conversation({
  ...COMMON,
  tier: 8,
  timeoutSeconds: 60,
  arrange: () => ({ turns: ['one', 'two', 'three'] }),
  expect: () => ({ says: turnSays(1, 'one') }),
});

describe('a real model gets', () => {
  test('two minutes for each iteration that the loop may take', () => {
    expect(timeLimitOf(loopOf(5), 'claude', 'live')).toBe(600);
  });

  test('a minute and a half for each turn', () => {
    expect(timeLimitOf(talk, 'claude', 'live')).toBe(270);
  });

  test('the time that the scenario asks for, if that is more', () => {
    expect(timeLimitOf(loopOf(1, 400), 'claude', 'live')).toBe(400);
  });
});

test.each(['sim', 'scripted'] as const)('a script gets the time that the scenario asks for (%s)', (lane) => {
  expect(timeLimitOf(loopOf(5), 'claude', lane)).toBe(60);
});
