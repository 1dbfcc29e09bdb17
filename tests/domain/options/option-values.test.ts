import { expect, test } from 'vitest';
import {
  readAmount,
  readListOf,
  readOneOf,
  readRate,
  readTime,
  readWhole,
} from '../../../src/domain/options/option-values.js';

const LANES = ['live', 'scripted', 'sim'] as const;

test('values are read as people write them', () => {
  expect(readOneOf(LANES)('sim', '--lane')).toBe('sim');
  expect(readListOf(LANES)('sim, live', '--lanes')).toEqual(['sim', 'live']);
  expect(readWhole(1)('12', '--jobs')).toBe(12);
  expect(['90', '90s', '1.5m'].map((text) => readTime(text, '--timeout'))).toEqual([90, 90, 90]);
  expect(['5', '$0.50'].map((text) => readAmount(text, '--max-cost'))).toEqual([5, 0.5]);
  expect(readRate('.9', '--threshold')).toBe(0.9);
});

test('a misspelled name is refused with those that there are, and the nearest', () => {
  expect(() => readOneOf(LANES)('scriptd', '--lane')).toThrow(
    expect.objectContaining({
      message: '--lane scriptd: expected live, scripted or sim.',
      hint: 'Did you mean scripted?',
    }),
  );
  expect(() => readListOf(LANES)('sim,livee', '--lanes')).toThrow(
    expect.objectContaining({
      message: '--lanes sim,livee: expected a comma-separated list of live, scripted, sim; found "livee".',
      hint: 'Did you mean live?',
    }),
  );
});

test.each([
  [readWhole(1), '0', 'a whole number of at least 1, such as --option 3'],
  [readWhole(0), '-1', 'a whole number of at least 0, such as --option 3'],
  [readWhole(1, 10), '11', 'at most 10'],
  [readWhole(1), '9'.repeat(400), 'at most 9007199254740991'],
  [readTime, '9'.repeat(400), 'a time such as 90, 90s or 2m'],
  [readTime, '0', 'a time such as 90, 90s or 2m'],
  [readAmount, 'five', 'an amount in US dollars such as 5 or 0.50'],
  [readRate, '90', 'a rate between 0 and 1 such as 0.9'],
])('%o refuses %j', (read, text, expected) => {
  expect(() => read(text, '--option')).toThrow(`--option ${text}: expected ${expected}.`);
});
