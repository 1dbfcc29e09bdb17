import { expect, test } from 'vitest';
import { chooseVerbosity, readRunCall } from '../../../src/cli/input/run-call.js';

test('--fold folds, and -v and -q show more or less than that', () => {
  expect(chooseVerbosity({ fold: true })).toBe('folded');
  expect(chooseVerbosity({ fold: true, verbose: true })).toBe('verbose');
  expect(chooseVerbosity({ fold: true, quiet: true })).toBe('quiet');
});

test('--fold is refused with --repeat, which has a line for the rate of each test', () => {
  expect(() => chooseVerbosity({ fold: true, repeat: { times: 3, threshold: null } })).toThrow(
    '--fold and --repeat cannot be combined: choose one.',
  );
});

test('--repeat 1 is no repetition, so it goes with --retries', () => {
  const flags = { mock: true, repeat: { times: 1, threshold: null }, retries: 2 };
  expect(readRunCall(['claude'], flags, [])).toMatchObject({ repeat: null, retries: 2 });
  expect(chooseVerbosity({ ...flags, verbose: true })).toBe('verbose');
});
