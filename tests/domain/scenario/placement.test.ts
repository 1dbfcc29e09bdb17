import { readdirSync, readFileSync } from 'node:fs';
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

describe('a scenario of Ralph', () => {
  const LOOP = {
    id: 'loop',
    description: 'It ends',
    arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'x' }),
    expect: () => ({ ends: completed() }),
    agent: [onAnyPrompt().completes()],
  } as const;

  test('is about loops, should pass and is normal work, unless its author says otherwise', () => {
    const plain = scenario(LOOP);
    requireScenario(plain);
    expect(plain).toMatchObject({ placed: true, tier: 2, priority: 'should', phase: 'green', covers: [] });
    expect(groupTitle(plain)).toBe('Tier 2: Orchestration Loop');
  });

  test('keeps what its author says', () => {
    const own = { tier: 5, priority: 'must', phase: 'red', covers: ['FR1'] } as const;
    expect(scenario({ ...LOOP, ...own })).toMatchObject(own);
  });
});

test('a scenario of the catalogue names no tier: its list gives it one', () => {
  const folder = new URL('../../../scenarios/', import.meta.url);
  const naming = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /^\s*tier:/m.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(naming).toEqual([]);
});
