import { expect, test } from 'vitest';
import { drawSeed, shuffle } from '../../../src/run/select/shuffle.js';

const NAMES = Array.from({ length: 40 }, (_, index) => `scenario ${index}`);
const order = (seed: number, names: readonly string[] = NAMES) => shuffle(names, seed, (name) => name);

test('a seed names one order of all members, another seed another', () => {
  expect(order(7)).toEqual(order(7));
  expect(order(7)).not.toEqual(order(8));
  expect(order(7)).not.toEqual(NAMES);
  expect([...order(7)].sort()).toEqual([...NAMES].sort());
});

test('what is left out does not change how the rest stands to each other', () => {
  const some = NAMES.filter((_, index) => index % 3 === 0);
  expect(order(7, some)).toEqual(order(7).filter((name) => some.includes(name)));
});

test('it does not matter in which order they come in', () => {
  expect(order(7, [...NAMES].reverse())).toEqual(order(7));
});

test('a seed that is drawn is short, and seldom drawn twice', () => {
  const seeds = Array.from({ length: 5 }, drawSeed);
  expect(new Set(seeds).size).toBeGreaterThan(1);
  for (const seed of seeds) expect(String(seed)).toMatch(/^\d{1,6}$/);
});
