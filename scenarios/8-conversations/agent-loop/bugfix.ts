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

/** Explore, plan, code, commit: a planted bug is found, fixed and committed, and every stage leaves its trace. */
export const agentLoopBugfix = conversation({
  id: 'agent-loop-bugfix',
  tier: 8,
  priority: 'must',
  phase: 'green',
  description: 'A bug is fixed in four stages, each of which the world shows',
  covers: ['H38', 'H84', 'H85', 'H86'],
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
    turns: ['/explore the calculator', `/plan the fix for ${nonce}`, '/code the plan', `/commit ${nonce}`],
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
      .says(
        `A systematic investigation: add takes one number from the other.${ending('exploring', 'agent-loop:plan')}`,
      ),
    onCommand('agent-loop:plan')
      .writes('PLAN.md', '# Plan\n\n1. Make add add.\n2. Run the tests.\n')
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
      .runs('git add calculator PLAN.md && git commit -q -m "fix(calculator): add adds, for {{1}}"')
      .says(`The commit is made, the work is complete.${ending('committing', 'agent-loop:explore')}`),
  ],

  saboteurs: {
    'does everything without a word': {
      agent: without('says'),
      kills: ['mentions1', 'mentions2', 'mentions3', 'mentions4', 'suggests1', 'suggests2', 'suggests3'],
    },
    'explores by hearsay': {
      agent: onlyIn('agent-loop:explore', without('readsFile')),
      kills: ['uses', 'reachedExploring'],
    },
    'keeps the plan to itself': {
      agent: onlyIn('agent-loop:plan', without('writes')),
      kills: ['reachedPlanning', 'reachedComplete', 'commits', 'commit'],
    },
    'claims the fix and leaves the bug': {
      agent: onlyIn('agent-loop:code', without('edits')),
      kills: ['reachedCoding', 'file', 'commit', 'answered'],
    },
    'claims the commit and makes none': {
      agent: onlyIn('agent-loop:commit', without('runs')),
      kills: ['reachedComplete', 'stages', 'commits', 'commit'],
    },
    'commits in its own words': {
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
      why: 'A workflow that lets one code without a plan is no workflow.',
    },
    'the model gives out in the third turn': modelGivesOut('agent-loop:code', 'ends'),
  },
});
