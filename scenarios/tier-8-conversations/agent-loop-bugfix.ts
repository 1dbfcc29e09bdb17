import {
  agentLoop,
  changingResponses,
  changingSteps,
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
} from '../../src/authoring.js';
import { ALLOWED, ending, onCommand } from './parts.js';

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

  expect: ({ nonce }) => [
    turnsCompleted(),
    turnMentions(1, ['systematic', 'investigation', 'code-exploration', 'understand']),
    turnUses(1, 'read'),
    turnSuggests(1, '/plan'),
    turnMentions(2, ['implementation', 'strategy', 'plan', 'steps']),
    turnSuggests(2, '/code'),
    turnMentions(3, ['implement', 'code', 'fix', 'test']),
    turnSuggests(3, '/commit'),
    turnMentions(4, ['commit', 'complete', 'git']),
    stageReached('exploring', { turn: 1 }),
    stageReached('planning', { turn: 2 }),
    stageReached('coding', { turn: 3 }),
    stageReached('complete', { turn: 4 }),
    stagesWere('idle', 'exploring', 'planning', 'coding', 'committing', 'complete'),
    noStageSkipped(),
    fileContains('calculator/operations.py', 'return a + b'),
    commitsMade(1),
    commitIs(1, {
      message: new RegExp(`^(?:fix|feat|refactor)(?:\\(.+\\))?: .*${nonce}`),
      touches: 'calculator/**',
    }),
    errandAnswered('python3 -m unittest', { exitCode: 0 }),
  ],

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
      kills: ['turnMentions', 'turnSuggests'],
      failure: 'PromptIneffective',
    },
    'explores by hearsay': {
      agent: onlyIn('agent-loop:explore', without('readsFile')),
      kills: ['turnUses', 'stage exploring'],
      failure: 'PromptIneffective',
    },
    'keeps the plan to itself': {
      agent: onlyIn('agent-loop:plan', without('writes')),
      kills: ['stage planning', 'stage complete', 'commitsMade', 'commitIs'],
      failure: 'PromptIneffective',
    },
    'claims the fix and leaves the bug': {
      agent: onlyIn('agent-loop:code', without('edits')),
      kills: ['stage coding', 'fileContains', 'commitIs', 'errandAnswered'],
      failure: 'PromptIneffective',
    },
    'claims the commit and makes none': {
      agent: onlyIn('agent-loop:commit', without('runs')),
      kills: ['stage complete', 'stagesWere', 'commitsMade', 'commitIs'],
      failure: 'PromptIneffective',
    },
    'commits in its own words': {
      agent: onlyIn(
        'agent-loop:commit',
        changingSteps((step) =>
          step.do === 'run'
            ? [{ ...step, command: step.command.replace('fix(calculator)', 'Fixed it') }]
            : [step],
        ),
      ),
      kills: ['commitIs'],
      failure: 'PromptIneffective',
    },
    'the user forgets to ask for a plan': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.filter((turn) => !String(turn).includes('plan the')),
      }),
      kills: ['stagesWere', 'noStageSkipped', 'stage planning'],
      failure: 'PromptIneffective',
      why: 'A workflow that lets one code without a plan is no workflow.',
    },
    'the model gives out in the third turn': {
      agent: onlyIn(
        'agent-loop:code',
        changingResponses((response) => ({ ...response, failure: { type: 'out-of-credits' } })),
      ),
      kills: ['turnsCompleted'],
      failure: 'BackendError',
    },
  },
});
