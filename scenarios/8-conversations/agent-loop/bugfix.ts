import {
  agentLoop,
  commitIs,
  commitsMade,
  conversation,
  errandAnswered,
  fileContains,
  fixturePluginFolder,
  noStageSkipped,
  onlyIn,
  renderProject,
  stageReached,
  stagesWere,
  turnMentions,
  turnSuggests,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { changingEach } from '../../support/agent-changes.js';
import { ALLOWED, ending, onCommand } from '../../support/plugins.js';
import { modelGivesOut } from '../../support/saboteurs.js';

const TESTS = ['python3', '-m', 'unittest'] as const;

/** Explore, plan, code, commit: a planted bug is found, fixed and committed, and every stage leaves evidence. */
export const agentLoopBugfix = conversation({
  id: 'agent-loop-bugfix',
  priority: 'must',
  description: 'A bug is fixed in four stages, and each leaves evidence in files, tools or commits',
  covers: ['H37', 'H38', 'C49', 'H84', 'H85', 'H86'],
  timeoutSeconds: 120,
  programs: ['python3'],

  arrange: ({ nonce }) => ({
    files: renderProject({
      type: 'cli',
      language: 'python',
      name: 'Calculator App',
      defect: 'add-subtracts',
    }),
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    allowedTools: ALLOWED,
    turns: [
      '/explore the calculator: find the bug, and report on your systematic investigation',
      `/plan the fix for ticket ${nonce}`,
      '/code the plan',
      `/commit the fix in one commit, and name ${nonce} in the first line of the message`,
    ],
    after: [{ run: TESTS }],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    mentions1: turnMentions(1, ['systematic', 'investigation', 'code-exploration', 'understand']),
    uses: turnUses(1, 'read'),
    suggests1: turnSuggests(1, '/plan'),
    mentions2: turnMentions(2, ['implementation', 'strategy', 'plan', 'steps']),
    suggests2: turnSuggests(2, '/code'),
    mentions3: turnMentions(3, ['implement', 'code', 'fix', 'test']),
    suggests3: turnSuggests(3, '/commit'),
    mentions4: turnMentions(4, ['commit', 'complete', 'git']),
    reachedExploring: stageReached('exploring', { turn: 1 }),
    reachedPlanning: stageReached('planning', { turn: 2 }),
    reachedCoding: stageReached('coding', { turn: 3 }),
    reachedComplete: stageReached('complete', { turn: 4 }),
    stages: stagesWere('idle', 'exploring', 'planning', 'coding', 'committing', 'complete'),
    noneSkipped: noStageSkipped(),
    file: fileContains('calculator/operations.py', 'return a + b'),
    commits: commitsMade(1),
    commit: commitIs(1, {
      message: new RegExp(`^(?:fix|feat|refactor)(?:\\(.+\\))?: .*${nonce}`),
      touches: 'calculator/**',
    }),
    answered: errandAnswered('python3 -m unittest', { exitCode: 0 }),
  }),

  agent: [
    onCommand('agent-loop:explore')
      .readsFile('calculator/operations.py')
      .says(`A systematic investigation: add subtracts.${ending('exploring', 'agent-loop:plan')}`),
    onCommand('agent-loop:plan')
      .writes('PLAN.md', '# Plan\n\n1. Let add return a + b.\n2. Run the tests.\n')
      .says(`The strategy has two steps.${ending('planning', 'agent-loop:code')}`),
    onCommand('agent-loop:code')
      .readsFile('calculator/operations.py')
      .edits(
        'calculator/operations.py',
        'def add(a, b):\n    return a - b',
        'def add(a, b):\n    return a + b',
      )
      .runs('python3 -m unittest')
      .says(`The fix is in, the tests pass.${ending('coding', 'agent-loop:commit')}`),
    onCommand('agent-loop:commit')
      .reads(/and name (\w+) in the first line/)
      .runs('git add calculator PLAN.md && git commit -q -m "fix(calculator): add adds, for {{2}}"')
      .says(`The commit is made, the work is complete.${ending('committing', 'agent-loop:explore')}`),
  ],

  saboteurs: {
    'does everything and says nothing': {
      agent: without('says'),
      kills: ['mentions1', 'mentions2', 'mentions3', 'mentions4', 'suggests1', 'suggests2', 'suggests3'],
    },
    'explores without reading': {
      agent: onlyIn('agent-loop:explore', without('readsFile')),
      kills: ['uses', 'reachedExploring'],
    },
    'claims the fix and leaves the bug': {
      agent: onlyIn('agent-loop:code', without('edits')),
      kills: ['reachedCoding', 'file', 'commit', 'answered'],
    },
    'claims the commit and makes none': {
      agent: onlyIn('agent-loop:commit', without('runs')),
      kills: ['reachedComplete', 'stages', 'commits', 'commit'],
    },
    'commits with another form of message': {
      agent: onlyIn(
        'agent-loop:commit',
        changingEach('run', (step) => ({
          ...step,
          command: step.command.replace('fix(calculator)', 'Fixed it'),
        })),
      ),
      kills: ['commit'],
    },
    'the user forgets to ask for a plan': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.filter((turn) => !String(turn).includes('plan the')),
      }),
      kills: ['stages', 'noneSkipped', 'reachedPlanning'],
      failure: 'PromptIneffective',
      why: 'The workflow must notice code without a plan.',
    },
    'the model fails in the third turn': modelGivesOut('agent-loop:code', 'ends'),
  },
});
