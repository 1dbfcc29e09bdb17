import {
  commitIs,
  conversation,
  epti,
  fileContains,
  fixturePluginFolder,
  hookRan,
  onPrompt,
  stageReached,
  stagesWere,
  toolAnswered,
  turnMentions,
  turnsCompleted,
} from '../../src/authoring.js';
import { EPTI_STAGES } from './epti-parts.js';
import { anotherWord, leavesOut, puts, wordless } from './flows-parts.js';
import { ALLOWED, ending, onCommand } from './parts.js';

const USER = `class User:
    def __init__(self, name, password):
        self.name = name
        self.password = password
`;

/** A file of tests with these cases: what is tried, and whether it lets one in. */
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

const SIGNATURE = `${USER}
    def authenticate(self, password):
        return False
`;

/** The second pattern of the conversation document, all its eleven turns of the user. */
export const eptiTwentyTwoTurns = conversation({
  id: 'epti-twenty-two-turns',
  tier: 8,
  programs: ['python3'],
  priority: 'must',
  phase: 'green',
  description: 'Tests first, in twenty-two turns: red, committed, green, refactored, committed',
  covers: ['H38', 'C1', 'C26', 'C27', 'C28', 'C29', 'C30', 'C31', 'C32', 'C33'],
  timeoutSeconds: 180,

  arrange: ({ nonce }) => ({
    files: { 'accounts/__init__.py': '', 'accounts/user.py': USER, '.gitignore': '__pycache__/\n' },
    plugins: [fixturePluginFolder('epti')],
    workflow: epti,
    allowedTools: ALLOWED,
    turns: [
      '/write-tests for user authentication',
      `create unit tests for User.authenticate() in tests/test_user.py, with the password ${nonce}`,
      '/verify-fail',
      'run the tests',
      '/commit-tests',
      'commit the test suite',
      '/implement',
      'implement User.authenticate() method',
      '/iterate',
      'refactor for better error handling',
      '/commit-code',
    ],
  }),

  expect: ({ nonce }) => [
    turnsCompleted(),
    turnMentions(1, ['TDD', 'discipline', 'tests first']),
    stageReached('writing-tests', { turn: 1 }),
    fileContains('tests/test_user.py', nonce),
    stageReached('verifying-failure', { turn: 3 }),
    toolAnswered(4, 'Bash', /has no attribute 'authenticate'[\s\S]*FAILED \(errors=\d+\)/, {
      failed: true,
    }),
    stageReached('committing-tests', { turn: 5, proof: 'commanded' }),
    hookRan(5, 'PreToolUse:Bash'),
    stageReached('committed-tests'),
    commitIs(1, { message: /^tests?(?:\(.+\))?: /, only: 'tests/**' }),
    stageReached('implementing', { turn: 7 }),
    stageReached('iterating', { turn: 9 }),
    toolAnswered(10, 'Bash', /Ran \d+ tests[\s\S]*OK/),
    commitIs(2, { message: /^feat(?:\(.+\))?: /, only: 'accounts/**', turn: 11 }),
    stageReached('complete', { turn: 11 }),
    stagesWere(...EPTI_STAGES),
  ],

  agent: [
    onCommand('epti:write-tests')
      .writes('tests/__init__.py', '')
      .writes('tests/test_user.py', FIRST_TEST)
      .says(`TDD discipline: the tests first.${ending('writing-tests', 'epti:verify-fail')}`),
    onPrompt(/create unit tests for User\.authenticate\(\).* with the password (\w+)/)
      .writes('tests/__init__.py', '')
      .writes('tests/test_user.py', FIVE_TESTS)
      .says('Five cases are written.'),
    onCommand('epti:verify-fail')
      .runs('python3 -m unittest')
      .says(`They fail, for want of the method.${ending('verifying-failure', 'epti:commit-tests')}`),
    onPrompt('run the tests').runs('python3 -m unittest -v').says('Five failed, as they should.'),
    onCommand('epti:commit-tests')
      .runs('git add tests')
      .says(`The tests are staged.${ending('committing-tests', 'epti:implement')}`),
    onPrompt('commit the test suite')
      .runs('git commit -q -m "test: add user auth tests"')
      .says('The tests are committed.'),
    onCommand('epti:implement')
      .writes('accounts/user.py', SIGNATURE)
      .says(`The signature is there.${ending('implementing', 'epti:iterate')}`),
    onPrompt('implement User.authenticate() method')
      .edits('accounts/user.py', 'return False', 'return password == self.password')
      .says('It compares.'),
    onCommand('epti:iterate')
      .runs('python3 -m unittest')
      .says(`All five pass.${ending('iterating', 'epti:commit-code')}`),
    onPrompt('refactor for better error handling')
      .edits(
        'accounts/user.py',
        'return password == self.password',
        'return isinstance(password, str) and password == self.password',
      )
      .runs('python3 -m unittest')
      .says('Refactored, and still green.'),
    onCommand('epti:commit-code')
      .runs('git add accounts && git commit -q -m "feat(accounts): users authenticate"')
      .says(`Two commits: tests, then code.${ending('committing-code', 'epti:write-tests')}`),
  ],

  saboteurs: {
    'never says a word': wordless('turnMentions'),
    'writes no test when it is told to': leavesOut(['writes'], ['epti:write-tests'], 'stage writing-tests'),
    'believes that the tests fail': leavesOut(
      ['runs'],
      ['epti:verify-fail', 'run the tests'],
      'stage verifying-failure',
      "has no attribute 'authenticate'",
    ),
    'skips the commit of the tests': {
      ...leavesOut(
        ['runs'],
        ['epti:commit-tests', 'commit the test suite'],
        'hookRan',
        'stage committed-tests',
        'commit 1',
        'stage implementing',
        'turnsCompleted',
        'stagesWere',
      ),
      why: 'The hook must keep the agent from implementing before the tests are committed.',
    },
    'calls it green without a run': leavesOut(['runs'], ['epti:iterate'], 'stage iterating'),
    'breaks it in the refactoring': puts(
      'return isinstance(password, str)',
      { insteadOf: 'return isinstance(password, str) and password == self.password', in: 'refactor' },
      'in turn 10',
      'commit 2',
      'stage complete',
    ),
    'the user means another password': anotherWord('fileContains'),
    'the user does not ask to commit the tests': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.map((turn) => (turn === '/commit-tests' ? 'run the tests' : turn)),
      }),
      kills: ['stage committing-tests'],
      failure: 'PromptIneffective',
    },
  },
});
