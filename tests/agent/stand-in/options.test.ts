import { expect, test } from 'vitest';
import { parseOptions } from '../../../src/agent/stand-in/options.js';

test('an option counts under its name and under its spelling, which conditions of scripts may ask for', () => {
  const table = { flags: [], values: ['--model'], spellings: { '-m': '--model' } };
  const { values, given } = parseOptions(['-m', 'a'], table, (option) => new Error(option));
  expect([...values]).toEqual([['--model', 'a']]);
  expect(given).toEqual(['-m', '--model']);
});
