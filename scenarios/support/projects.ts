import {
  type ConversationArrangement,
  type ConversationErrand,
  fixturePluginFolder,
  renderProject,
  visualIteration,
} from '../../src/authoring.js';
import { ALLOWED, SCREENSHOT } from './plugins.js';

/** A Python library without `power`, and the file with its code. */
export const LIBRARY = renderProject({ type: 'library', language: 'python', name: 'Calculator' });
export const CODE = 'calculator/operations.py';

/** Tests for `power`, and the path of their file. */
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

/** The library, with the tests for `power` committed on their own before the conversation starts. */
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

/** The style sheet of the web page. */
export const STYLE = 'public/style.css';

type Defect = Exclude<Parameters<typeof renderProject>[0]['defect'], undefined>;

/** A web page that differs from its design, and the plugin that fixes it. */
export function pageWith(defect: Defect): Pick<
  ConversationArrangement,
  'plugins' | 'workflow' | 'allowedTools'
> & {
  readonly files: Readonly<Record<string, string>>;
} {
  return {
    files: renderProject({ type: 'web-app', language: 'javascript', name: 'Task Board', defect }),
    plugins: [fixturePluginFolder('visual-iteration')],
    workflow: visualIteration,
    allowedTools: [...ALLOWED, SCREENSHOT],
  };
}

/** The edit that fixes each defect in the style sheet: old text and new text. */
export const FIXES = {
  padding: ['padding: 32px', 'padding: 24px'],
  corners: ['border-radius: 4px', 'border-radius: 12px'],
  heading: ['font-size: 20px', 'font-size: 28px'],
} as const;

/** Matches what the browser tool reports about a picture: its path and what it shows. */
export function pictureOf(
  path: string,
  values: { readonly cardPadding?: number; readonly cardRadius?: number; readonly headingSize?: number },
): RegExp {
  const { cardPadding, cardRadius, headingSize } = values;
  const measured = [
    ...(cardPadding === undefined ? [] : [`.card padding ${cardPadding}px`]),
    ...(cardRadius === undefined ? [] : [`.card border-radius ${cardRadius}px`]),
    ...(headingSize === undefined ? [] : [`.card h1 font-size ${headingSize}px`]),
  ];
  return new RegExp([path, ...measured].map((text) => text.replaceAll('.', '\\.')).join('.*'));
}
