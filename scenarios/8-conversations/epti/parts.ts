import { type ConversationErrand, renderProject } from '../../../src/authoring.js';

/** All stages of the workflow, in their order. */
export const EPTI_STAGES = [
  'idle',
  'writing-tests',
  'verifying-failure',
  'committing-tests',
  'committed-tests',
  'implementing',
  'iterating',
  'committing-code',
  'complete',
] as const;

/** A library that has no `power` yet, and where its code is. */
export const LIBRARY = renderProject({ type: 'library', language: 'python', name: 'Calculator' });
export const CODE = 'calculator/operations.py';
export const POWER_TESTS_FILE = 'tests/test_power.py';

export const POWER_TESTS = `import unittest

from calculator import operations


class PowerTest(unittest.TestCase):
    def test_square(self):
        self.assertEqual(operations.power(3, 2), 9)

    def test_cube(self):
        self.assertEqual(operations.power(2, 3), 8)
`;

const MULTIPLY = 'def multiply(a, b):';

/** The edit that adds `power` to the library. */
export const ADD_POWER = [CODE, MULTIPLY, `def power(a, b):\n    return a ** b\n\n\n${MULTIPLY}`] as const;

/** The library, and what commits the tests of `power` alone before the conversation begins. */
export const LIBRARY_WITH_COMMITTED_TESTS: {
  readonly files: Readonly<Record<string, string>>;
  readonly before: readonly ConversationErrand[];
} = {
  files: { ...LIBRARY, 'drafts/power.txt': POWER_TESTS },
  before: [
    { run: ['cp', 'drafts/power.txt', POWER_TESTS_FILE] },
    { git: ['add', POWER_TESTS_FILE] },
    { git: ['commit', '--quiet', '--message', 'test: powers'] },
  ],
};
