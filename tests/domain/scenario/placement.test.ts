import { describe, expect, test } from 'vitest';
import {
  completed,
  conversation,
  loop,
  onAnyPrompt,
  scenario,
  turnsCompleted,
} from '../../../src/authoring.js';
import { requireScenario } from '../../../src/domain/scenario/schema.js';
import { comparePlaces, groupTitle } from '../../../src/domain/vocabulary.js';

const TALK = {
  id: 'talk',
  description: 'The agent answers',
  arrange: () => ({ turns: ['Hello'] }),
  expect: () => ({ completed: turnsCompleted() }),
  agent: [onAnyPrompt().says('Hello')],
} as const;

describe('a conversation', () => {
  test('needs no tier, priority, phase or requirements', () => {
    const talk = conversation(TALK);
    requireScenario(talk);
    expect(talk).toMatchObject({ placed: false, priority: 'must', covers: [] });
    expect(groupTitle(talk)).toBe('Conversations');
  });

  test('keeps those that its author gives', () => {
    const talk = conversation({ ...TALK, tier: 8, priority: 'should', phase: 'red', covers: ['H1'] });
    expect(talk).toMatchObject({ placed: true, tier: 8, priority: 'should', phase: 'red', covers: ['H1'] });
    expect(groupTitle(talk)).toBe('Tier 8: Conversations');
  });

  test('comes after all that have a tier', () => {
    const last = conversation(TALK);
    const others = [conversation({ ...TALK, tier: 9 }), conversation({ ...TALK, tier: 8 })];
    expect([last, ...others].toSorted(comparePlaces).map(groupTitle)).toEqual([
      'Tier 8: Conversations',
      'Tier 9: Plugins',
      'Conversations',
    ]);
  });
});

/** `npm run typecheck` judges the expected error. */
test('a scenario of Ralph needs its tier and phase', () => {
  const loopScenario = {
    id: 'tierless',
    description: 'It ends',
    arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'x' }),
    expect: () => ({ ends: completed() }),
    agent: [onAnyPrompt().completes()],
  } as const;
  // @ts-expect-error: it has no tier, priority, phase and requirements
  const tierless = scenario(loopScenario);
  expect(() => requireScenario(tierless)).toThrow(/scenario "tierless": tier: /);
});
