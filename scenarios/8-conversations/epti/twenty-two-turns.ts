import {
  commitIs,
  conversation,
  epti,
  fileContains,
  fixturePluginFolder,
  hookRan,
  onlyIn,
  onPrompt,
  stageReached,
  stagesWere,
  toolAnswered,
  turnMentions,
  turnsCompleted,
  without,
} from '../../../src/authoring.js';
import { onlyInEach, replacing } from '../../support/agent-changes.js';
import { anotherWord } from '../../support/arrangement-changes.js';
import { ALLOWED, EPTI_STAGES, ending, onCommand } from '../../support/plugins.js';

const USER = `class User:
    def __init__(self, name, password):
        self.name = name
        self.password = password
`;

/** Renders a test file with these cases: the password tried, and whether it is accepted. */
function renderTests(cases: readonly (readonly [name: string, tried: string, expected: boolean])[]): string {
  const methods = cases.map(
    ([name, tried, expected]) => `
    def test_${name}(self):
        self.assert${expected ? 'True' : 'False'}(User("anna", "{{1}}").authenticate(${tried}))
`,
  );
  return `import unittest

from accounts.user import User


class AuthenticateTest(unittest.TestCase):${methods.join('')}`;
}

const FIRST_TEST = renderTests([['wrong', '"guess"', false]]).replace('{{1}}', 'secret');
const FIVE_TESTS = renderTests([
  ['right', '"{{1}}"', true],
  ['wrong', '"guess"', false],
  ['empty', '""', false],
  ['other_case', '"{{upper 1}}!"', false],
  ['nothing', 'None', false],
]);

const TESTS = 'python3 -m unittest tests.test_user';

const SIGNATURE = `${USER}
    def authenticate(self, password):
        return False
`;

/** The second pattern of the conversation document, with all eleven turns of the user. */
export const eptiTwentyTwoTurns = conversation({
  id: 'epti-twenty-two-turns',
  programs: ['python3'],
  priority: 'must',
  description: 'Tests first, in eleven prompts and answers: red, committed, green, refactored, committed',
  covers: ['H37', 'H38', 'C1', 'C26', 'C27', 'C28', 'C29', 'C30', 'C31', 'C32', 'C33'],
  timeoutSeconds: 180,

  arrange: ({ nonce }) => ({
    files: { 'accounts/__init__.py': '', 'accounts/user.py': USER, '.gitignore': '__pycache__/\n' },
    plugins: [fixturePluginFolder('epti')],
    workflow: epti,
    allowedTools: ALLOWED,
    turns: [
      '/write-tests for user authentication: one test in tests/test_user.py for now. Say in one sentence what TDD demands.',
      `Create five unit tests for User.authenticate(password) in tests/test_user.py, with the password ${nonce}. It returns True for the right password and False otherwise. Call it on a User object in each test.`,
      `/verify-fail with exactly this command, without a pipe: \`${TESTS}\``,
      `Now run the tests again, with exactly this command and without a pipe: \`${TESTS}\``,
      '/commit-tests',
      'Commit the test suite, unless it is committed already.',
      '/implement the method User.authenticate(password): its signature for now',
      'Now implement the User.authenticate() method in full.',
      `/iterate with this command: \`${TESTS}\``,
      `Refactor the method for better error handling, and run \`${TESTS}\` again. Do not commit yet.`,
      '/commit-code in one commit of type feat',
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    mentions: turnMentions(1, ['TDD', 'discipline', 'tests first']),
    reachedWritingTests: stageReached('writing-tests', { turn: 1 }),
    file: fileContains('tests/test_user.py', nonce),
    reachedVerifyingFailure: stageReached('verifying-failure', { turn: 3 }),
    answered4: toolAnswered(4, 'Bash', /has no attribute 'authenticate'[\s\S]*FAILED \(errors=\d+\)/, {
      failed: true,
    }),
    reachedCommittingTests: stageReached('committing-tests', { turn: 5, proof: 'commanded' }),
    hook: hookRan(5, 'PreToolUse:Bash'),
    reachedCommittedTests: stageReached('committed-tests'),
    commit1: commitIs(1, { message: /^tests?(?:\(.+\))?: /, only: 'tests/**' }),
    reachedImplementing: stageReached('implementing', { turn: 7 }),
    reachedIterating: stageReached('iterating', { turn: 9 }),
    answered10: toolAnswered(10, 'Bash', /Ran \d+ tests[\s\S]*OK/),
    commit2: commitIs(2, { message: /^feat(?:\(.+\))?: /, only: 'accounts/**', turn: 11 }),
    reachedComplete: stageReached('complete', { turn: 11 }),
    stages: stagesWere(...EPTI_STAGES),
  }),

  agent: [
    onCommand('epti:write-tests')
      .writes('tests/__init__.py', '')
      .writes('tests/test_user.py', FIRST_TEST)
      .says(`TDD discipline: the tests first.${ending('writing-tests', 'epti:verify-fail')}`),
    onPrompt(/Create five unit tests for User\.authenticate.* with the password (\w+)/)
      .writes('tests/__init__.py', '')
      .writes('tests/test_user.py', FIVE_TESTS)
      .says('Five cases are written.'),
    onCommand('epti:verify-fail')
      .runs(TESTS)
      .says(`They fail because the method is missing.${ending('verifying-failure', 'epti:commit-tests')}`),
    onPrompt('run the tests again').runs(TESTS).says('Five failed, as they should.'),
    onCommand('epti:commit-tests')
      .runs('git add tests')
      .says(`The tests are staged.${ending('committing-tests', 'epti:implement')}`),
    onPrompt('Commit the test suite')
      .runs('git commit -q -m "test: add user auth tests"')
      .says('The tests are committed.'),
    onCommand('epti:implement')
      .writes('accounts/user.py', SIGNATURE)
      .says(`The signature is written.${ending('implementing', 'epti:iterate')}`),
    onPrompt('implement the User.authenticate() method')
      .edits('accounts/user.py', 'return False', 'return password == self.password')
      .says('It compares the passwords.'),
    onCommand('epti:iterate')
      .runs(TESTS)
      .says(`All five pass.${ending('iterating', 'epti:commit-code')}`),
    onPrompt('Refactor the method')
      .edits(
        'accounts/user.py',
        'return password == self.password',
        'return isinstance(password, str) and password == self.password',
      )
      .runs(TESTS)
      .says('Refactored, and still green.'),
    onCommand('epti:commit-code')
      .runs('git add accounts && git commit -q -m "feat(accounts): users authenticate"')
      .says(`Two commits: tests, then code.${ending('committing-code', 'epti:write-tests')}`),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['mentions'] },
    'writes no test when told to': {
      agent: onlyIn('epti:write-tests', without('writes')),
      kills: ['reachedWritingTests'],
    },
    'does not run the failing tests': {
      agent: onlyInEach(['epti:verify-fail', 'run the tests again'], without('runs')),
      kills: ['reachedVerifyingFailure', 'answered4'],
    },
    'skips the commit of the tests': {
      agent: onlyInEach(['epti:commit-tests', 'Commit the test suite'], without('runs')),
      kills: ['hook', 'reachedCommittedTests', 'commit1', 'reachedImplementing', 'ends', 'stages'],
      why: 'The hook must keep the agent from implementing before the tests are committed.',
    },
    'claims that the tests pass without running them': {
      agent: onlyIn('epti:iterate', without('runs')),
      kills: ['reachedIterating'],
    },
    'breaks the method in the refactoring': {
      agent: onlyIn(
        'Refactor the method',
        replacing(
          'return isinstance(password, str) and password == self.password',
          'return isinstance(password, str)',
        ),
      ),
      kills: ['answered10', 'commit2', 'reachedComplete'],
    },
    'the user names another password': { config: anotherWord, kills: ['file'], failure: 'PromptIneffective' },
    'the user does not ask to commit the tests': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.map((turn) => (turn === '/commit-tests' ? 'run the tests again' : turn)),
      }),
      kills: ['reachedCommittingTests'],
      failure: 'PromptIneffective',
    },
  },
});
