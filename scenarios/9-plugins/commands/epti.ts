import {
  type ConversationErrand,
  commitIs,
  commitsMade,
  errandAnswered,
  fileContains,
  fileLacks,
  fileUntouched,
  hookRan,
  stageReached,
  toolAnswered,
} from '../../../src/authoring.js';
import { arrives } from '../../support/plugins.js';
import { type CommandSetup, commandScenario } from './command-scenario.js';

const CODE = 'calculator/power.py';
const TESTS = 'tests/test_power.py';
const TEST_TEXT = `import unittest

from calculator.power import power


class PowerTest(unittest.TestCase):
    def test_power(self):
        self.assertEqual(power(2, 3), 8)
`;
const POWER = 'def power(a, b):\n    return a ** b\n';
const RUN_TESTS = 'python3 -m unittest discover -s tests';
const SETUP = {
  plugin: 'epti',
  project: { type: 'library', language: 'python', name: 'Calculator' },
} as const satisfies CommandSetup;

/** The state after /commit-tests: the newest commit has the tests and nothing else. */
const TESTS_COMMITTED: readonly ConversationErrand[] = [
  arrives(TESTS, TEST_TEXT),
  { git: ['add', 'tests'] },
  { git: ['commit', '-q', '-m', 'test: add tests for power'] },
];
/** A test file without any test. */
const WEAKENED = { do: 'write', path: TESTS, text: 'import unittest\n' } as const;

/** The six commands of epti, each with the promise that only it makes. */
export const eptiCommands = [
  commandScenario(SETUP, {
    command: 'write-tests',
    promise: 'tests and no code are written, and a hook reports that they fail',
    covers: ['C26'],
    stage: 'writing-tests',
    nextCommand: 'verify-fail',
    argument: () =>
      `for power(a, b), which calculator/power.py will have: exactly one, in ${TESTS}, with the Write tool and unittest. It checks \`self.assertEqual(power(2, 3), 8)\`.`,
    asks: /Change (\w+) files only\. No implementation, no stubs/,
    agentDoes: (rule) => rule.writes('{{3}}s/test_power.py', TEST_TEXT),
    agentSays: 'one test: two to the third is eight.',
    expect: () => ({
      file: fileContains(TESTS, 'power(2, 3), 8'),
      reached: stageReached('writing-tests', { turn: 1 }),
      hook: hookRan(1, 'PostToolUse:Write', { says: /unittest.* fails/ }),
      lacks: fileLacks(CODE, 'def power'),
    }),
    withoutText: { kills: ['file', 'reached', 'hook'] },
    forbidden: {
      // The hook that denies early code sees Write and Edit, not what a program writes.
      steps: [{ do: 'run', command: `python3 -c "open('${CODE}', 'w').write('def power(a, b): pass')"` }],
      kills: ['lacks'],
    },
  }),
  commandScenario(SETUP, {
    command: 'verify-fail',
    promise: 'the tests run, fail because the code is missing, and stay unchanged',
    covers: ['C27', 'C28'],
    stage: 'verifying-failure',
    nextCommand: 'commit-tests',
    argument: () => `with exactly this command, without a pipe: \`${RUN_TESTS}\`.`,
    asks: /Each new one must fail because the implementation is missing/,
    agentDoes: (rule) => rule.runs(RUN_TESTS),
    agentSays: 'one failed: its module is missing.',
    files: { [TESTS]: TEST_TEXT },
    expect: () => ({
      tool: toolAnswered(1, 'Bash', /No module named 'calculator\.power'/, { failed: true }),
      reached: stageReached('verifying-failure', { turn: 1 }),
      untouched: fileUntouched(TESTS),
    }),
    withoutText: { kills: ['tool', 'reached'] },
    forbidden: { steps: [{ do: 'read', path: TESTS }, WEAKENED], kills: ['untouched', 'tool'] },
  }),
  commandScenario(SETUP, {
    command: 'commit-tests',
    promise: 'the tests are committed alone, while they still fail',
    covers: ['C29'],
    stage: 'committing-tests',
    nextCommand: 'implement',
    argument: (nonce) => `in one commit, and name ${nonce} in the first line of the message.`,
    asks: /Stage the test files and nothing else[\s\S]+a message such as `(\w+): add tests/,
    agentDoes: (rule) => rule.runs('git add tests && git commit -q -m "{{3}}: add tests for {{2}}"'),
    agentSays: 'the tests are committed.',
    before: [arrives(TESTS, TEST_TEXT), arrives('notes.txt', 'Mine.\n')],
    after: [{ git: ['status', '--porcelain'] }],
    expect: (nonce) => ({
      commit: commitIs(1, { message: new RegExp(`^test: .*${nonce}`), only: 'tests/**' }),
      reached: stageReached('committed-tests', { turn: 1 }),
      answered: errandAnswered('status --porcelain', { stdout: /^\?\? notes\.txt$/m }),
    }),
    withoutText: { kills: ['commit', 'reached'] },
    forbidden: {
      steps: [{ do: 'run', command: 'git add notes.txt' }],
      kills: ['commit', 'reached', 'answered'],
    },
  }),
  commandScenario(SETUP, {
    command: 'implement',
    promise: 'code is written after the tests are committed, and the unchanged tests pass',
    covers: ['C30'],
    stage: 'implementing',
    nextCommand: 'iterate',
    argument: () => `power(a, b) in ${CODE}, with the Write tool. Its body is \`return a ** b\`.`,
    asks: /Write the simplest code that makes the tests pass\. Leave the tests as they are/,
    agentDoes: (rule) => rule.writes(CODE, POWER),
    agentSays: 'power is written.',
    before: TESTS_COMMITTED,
    expect: () => ({
      file: fileContains(CODE, 'return a ** b'),
      reached: stageReached('implementing', { turn: 1 }),
      hook: hookRan(1, 'PostToolUse:Write', { says: /unittest.* passes/ }),
      untouched: fileUntouched(TESTS),
    }),
    withoutText: { kills: ['file', 'reached', 'hook'] },
    forbidden: { steps: [{ do: 'read', path: TESTS }, WEAKENED], kills: ['untouched'] },
  }),
  commandScenario(SETUP, {
    command: 'iterate',
    promise: 'failing tests pass after a change of the code',
    covers: ['C31'],
    stage: 'iterating',
    nextCommand: 'commit-code',
    argument: () =>
      `and run the tests before the first change, with exactly this command and without a pipe: \`${RUN_TESTS}\`.`,
    asks: /Run the tests, fix the code, and repeat until all of them pass/,
    agentDoes: (rule) => rule.runs(RUN_TESTS).readsFile(CODE).edits(CODE, 'a * b', 'a ** b').runs(RUN_TESTS),
    agentSays: 'all tests passed.',
    before: [...TESTS_COMMITTED, arrives(CODE, 'def power(a, b):\n    return a * b\n')],
    after: [{ run: ['python3', '-m', 'unittest', 'discover', '-s', 'tests'] }],
    expect: () => ({
      tool: toolAnswered(1, 'Bash', /FAILED/, { failed: true }),
      reached: stageReached('iterating', { turn: 1 }),
      answered: errandAnswered(RUN_TESTS, { exitCode: 0, stderr: /\bOK\b/ }),
      untouched: fileUntouched(TESTS),
    }),
    withoutText: { kills: ['tool', 'reached', 'answered'] },
    forbidden: { steps: [{ do: 'read', path: TESTS }, WEAKENED], kills: ['untouched', 'tool'] },
  }),
  commandScenario(SETUP, {
    command: 'commit-code',
    promise: 'the code is committed alone, after its tests, and while they pass',
    covers: ['C32', 'C49'],
    stage: 'committing-code',
    nextCommand: 'write-tests',
    argument: (nonce) =>
      `power, in one commit with the scope calculator. The file notes.txt is not part of it. Name ${nonce} in the first line of the message.`,
    asks: /Commit the code alone, with a message such as `(\w+)\(/,
    agentDoes: (rule) =>
      rule.runs('git add calculator && git commit -q -m "{{3}}(calculator): implement {{2}}"'),
    agentSays: 'two commits, the tests and the code.',
    before: [...TESTS_COMMITTED, arrives(CODE, POWER), arrives('notes.txt', 'Mine.\n')],
    expect: (nonce) => ({
      commits: commitsMade(1),
      commit: commitIs(1, {
        message: new RegExp(`^feat\\(calculator\\): .*${nonce}`),
        only: 'calculator/**',
      }),
      reached: stageReached('complete', { turn: 1 }),
    }),
    withoutText: { kills: ['commits', 'commit', 'reached'] },
    forbidden: { steps: [{ do: 'run', command: 'git add notes.txt' }], kills: ['commit'] },
  }),
];
