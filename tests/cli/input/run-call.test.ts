import { expect, test } from 'vitest';
import { chooseVerbosity } from '../../../src/cli/input/run-call.js';

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
