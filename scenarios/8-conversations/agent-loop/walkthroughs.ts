import {
  agentLoop,
  commandsChained,
  commandsWere,
  commitIs,
  commitsMade,
  conversation,
  errandAnswered,
  fileContains,
  fixturePluginFolder,
  hookRan,
  noStageSkipped,
  onlyIn,
  onPrompt,
  renderProject,
  stageReached,
  stagesWere,
  turnMentions,
  turnSuggests,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { ALLOWED, ending, onCommand } from '../../support/plugins.js';
import { modelGivesOut } from '../../support/saboteurs.js';

const AGENT_LOOP = {
  files: renderProject({ type: 'web-app', language: 'python', name: 'Task Manager' }),
  plugins: [fixturePluginFolder('agent-loop')],
  workflow: agentLoop,
  allowedTools: ALLOWED,
} as const;
const AUTH_TESTS = ['python3', '-m', 'unittest', 'tests.test_auth'] as const;
const STAGES = ['idle', 'exploring', 'planning', 'coding', 'committing', 'complete'] as const;

const TEST_AUTH = `import unittest

from app.auth import check


class AuthTest(unittest.TestCase):
    def test_right_password(self):
        self.assertTrue(check("anna", "secret"))

    def test_wrong_password(self):
        self.assertFalse(check("anna", "guess"))
`;

const AUTH = `REALM = "{{1}}"
USERS = {"anna": "secret"}


def check(name, password):
    return USERS.get(name) == password
`;

/** Commands and plain prompts alternate. Only the commands move the stage; the plan file carries the details. */
export const agentLoopFourteenTurns = conversation({
  id: 'agent-loop-fourteen-turns',
  programs: ['python3'],
  priority: 'must',
  description:
    'Commands and plain prompts alternate: details planned in a plain prompt are coded and committed',
  covers: ['C1', 'C5', 'C17', 'C18', 'C19', 'C20', 'C21', 'C22', 'C23', 'C24', 'C25', 'C49', 'H37'],
  timeoutSeconds: 120,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore the app, and report on your systematic investigation',
      'Explore the database layer, too: read app/tasks.py.',
      '/plan user authentication. A short outline is enough for now: the details follow.',
      `Add the details to PLAN.md: app/auth.py with the line REALM = "${nonce}" and a function check(name, password), and unit tests in tests/test_auth.py.`,
      '/code only the tests of the plan',
      'Now implement the authentication module as planned, and run its tests.',
      '/commit tests and code in one commit of type feat',
    ],
    after: [{ run: AUTH_TESTS }],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    mentions: turnMentions(1, ['systematic', 'investigation', 'explore']),
    reachedExploring: stageReached('exploring', { turn: 1 }),
    uses: turnUses(2, 'read'),
    reachedPlanning: stageReached('planning', { turn: 3 }),
    suggests: turnSuggests(3, '/code'),
    reachedCoding: stageReached('coding', { turn: 5 }),
    file: fileContains('app/auth.py', new RegExp(`REALM = ["']${nonce}["']`)),
    answered: errandAnswered(AUTH_TESTS.join(' '), { exitCode: 0 }),
    commits: commitsMade(1),
    commit: commitIs(1, { message: /^feat(?:\(.+\))?: /, touches: 'app/auth.py', turn: 7 }),
    reachedComplete: stageReached('complete', { turn: 7 }),
    stages: stagesWere(...STAGES),
  }),

  agent: [
    onCommand('agent-loop:explore')
      .readsFile('README.md')
      .says(`A systematic investigation before any decision.${ending('exploring', 'agent-loop:plan')}`),
    onPrompt('Explore the database layer')
      .readsFile('app/tasks.py')
      .says('The tasks are in a list in memory. There are no users.'),
    onCommand('agent-loop:plan')
      .writes('PLAN.md', '# Plan\n\nTo be filled in.\n')
      .says(`An outline of the plan.${ending('planning', 'agent-loop:code')}`),
    onPrompt(/Add the details to PLAN\.md: app\/auth\.py with the line REALM = "(\w+)"/)
      .writes('PLAN.md', '# Plan\n\n1. Write tests/test_auth.py.\n2. Write app/auth.py, REALM = "{{1}}".\n')
      .says('The plan has two steps: a test, then the module.'),
    onCommand('agent-loop:code')
      .writes('tests/test_auth.py', TEST_AUTH)
      .says(`The test of the plan is in place.${ending('coding', 'agent-loop:commit')}`),
    // The realm is not in this prompt: the agent reads it from the plan.
    onPrompt(/implement the authentication module/).readsFile('PLAN.md'),
    onPrompt(/implement the authentication module/)
      .when({ toolResult: { regex: 'REALM = "(\\w+)"' } })
      .once()
      .writes('app/auth.py', AUTH)
      .runs('python3 -m unittest tests.test_auth')
      .says('The module is written, and its tests pass.'),
    onCommand('agent-loop:commit')
      .runs('git add app tests PLAN.md && git commit -q -m "feat(app): check passwords"')
      .says(`Committed.${ending('committing', 'agent-loop:explore')}`),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['mentions', 'suggests'] },
    'reads neither the code nor its own plan': {
      agent: without('readsFile'),
      kills: ['reachedExploring', 'uses', 'file', 'answered'],
    },
    'writes no plan when told to': {
      agent: onlyIn('agent-loop:plan', without('writes')),
      kills: ['reachedPlanning'],
    },
    'writes no code when told to': {
      agent: onlyIn('agent-loop:code', without('writes')),
      kills: ['reachedCoding'],
    },
    'accepts every password': {
      agent: onlyIn('authentication module', replacing('return USERS.get(name) == password', 'return True')),
      kills: ['answered'],
    },
    'claims the commit and makes none': {
      agent: onlyIn('agent-loop:commit', without('runs')),
      kills: ['commits', 'commit', 'reachedComplete', 'stages'],
    },
    'the model fails in the second turn': modelGivesOut('database layer', 'ends'),
  },
});

/** The first example of the conversation document: one command per stage, and one new commit at the end. */
export const agentLoopHappyPath = conversation({
  id: 'agent-loop-happy-path',
  programs: ['python3'],
  priority: 'must',
  description: 'A feature in four commands: hooks see it written, and there is one new commit',
  covers: ['H37', 'H38', 'C4', 'C5', 'C52', 'C65'],
  timeoutSeconds: 120,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore the tasks, and report on your systematic investigation',
      `/plan app/label.py, which prints only ${nonce} in uppercase`,
      '/code the label, with the Write tool',
      '/commit the label and the plan in one commit',
    ],
    after: [{ git: ['rev-list', '--count', 'HEAD'] }, { run: ['python3', '-m', 'app.label'] }],
  }),

  expect: ({ nonce }) => ({
    mentions1: turnMentions(1, ['systematic', 'investigation', 'explore']),
    suggests: turnSuggests(1, '/plan'),
    mentions2: turnMentions(2, ['implementation', 'strategy', 'plan']),
    commands: commandsWere('explore', 'plan', 'code', 'commit'),
    chained: commandsChained(),
    noneSkipped: noStageSkipped(),
    reachedCoding: stageReached('coding', { turn: 3 }),
    uses: turnUses(3, 'write'),
    hook: hookRan(3, 'PostToolUse', { says: /label\.py was changed\. Run the tests/ }),
    reachedComplete: stageReached('complete', { turn: 4 }),
    oneMoreCommit: errandAnswered('rev-list --count HEAD', { stdout: /^2\s*$/ }),
    label: errandAnswered('python3 -m app.label', { stdout: nonce.toUpperCase() }),
  }),

  agent: [
    onCommand('agent-loop:explore')
      .readsFile('app/tasks.py')
      .says(`A systematic investigation of the tasks.${ending('exploring', 'agent-loop:plan')}`),
    onCommand('agent-loop:plan')
      .reads(/Subject: app\/label\.py, which prints only (\w+) in uppercase/)
      .writes('PLAN.md', '# Plan\n\n1. app/label.py prints "{{upper 2}}".\n')
      .says(`The implementation strategy is one step.${ending('planning', 'agent-loop:code')}`),
    onCommand('agent-loop:code').readsFile('PLAN.md'),
    onCommand('agent-loop:code')
      .when({ toolResult: { regex: 'label.py prints "(\\w+)"' } })
      .once()
      .writes('app/label.py', 'print("{{2}}")\n')
      .says(`The label is printed.${ending('coding', 'agent-loop:commit')}`),
    onCommand('agent-loop:commit')
      .runs('git add app PLAN.md && git commit -q -m "feat(app): a label"')
      .says(`Committed.${ending('committing', 'agent-loop:explore')}`),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['mentions1', 'mentions2', 'suggests', 'chained'] },
    'writes the code with the shell': {
      agent: onlyIn('agent-loop:code', without('writes')),
      kills: ['uses', 'hook', 'reachedCoding', 'label'],
    },
    'claims the commit and makes none': {
      agent: onlyIn('agent-loop:commit', without('runs')),
      kills: ['reachedComplete', 'oneMoreCommit'],
    },
    'the user asks for a commit without code': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.filter((turn) => !String(turn).startsWith('/code')),
      }),
      kills: ['noneSkipped', 'commands'],
      failure: 'PromptIneffective',
    },
  },
});
