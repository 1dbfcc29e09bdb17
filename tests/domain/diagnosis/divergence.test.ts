import { expect, test } from 'vitest';
import type { CheckResult } from '../../../src/domain/check.js';
import { orderFailed } from '../../../src/domain/diagnosis/divergence.js';

type Failed = Pick<CheckResult, 'about' | 'category'>;

const silent: Failed = { category: 'Harness', about: { unanswered: 2 } };
const sent: Failed = { category: 'PromptContent', about: { turn: 2 } };
const hat: Failed = { category: 'Processes', about: { hat: 'builder', iteration: 2 } };
const earlier: Failed = { category: 'OutputContains', about: { turn: 1 } };
const effects: readonly Failed[] = [
  { category: 'PromptEffectiveness', about: { turn: 2 } },
  { category: 'PromptContent', about: { turn: 3 } },
  { category: 'FileContains', about: { path: 'a.txt' } },
  { category: 'TerminationReason' },
];

test('a prompt without an answer comes first, and what follows from it is set apart', () => {
  const { shown, consequences } = orderFailed([...effects, silent], []);
  expect(shown).toEqual([silent]);
  expect(consequences).toEqual(effects);
});

test('what went wrong before it, and what the agent was sent then, is no consequence', () => {
  const { shown, consequences } = orderFailed([...effects, silent, hat, sent, earlier], []);
  expect(shown).toEqual([earlier, sent, hat, silent]);
  expect(consequences).toEqual(effects);
});

test('the check that the diagnosis starts from leads', () => {
  const [, , file, end] = effects;
  const { shown, consequences } = orderFailed([...effects, silent], [], (check) => check === end);
  expect(shown).toEqual([end, silent]);
  expect(consequences).toContain(file);
});

test('without such a prompt, nothing is set apart', () => {
  expect(orderFailed(effects, []).consequences).toEqual([]);
});
