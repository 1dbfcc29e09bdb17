import {
  agentLoop,
  callDenied,
  commandsOffered,
  commitsMade,
  conversation,
  errandAnswered,
  fileContains,
  fixturePluginFolder,
  hookBlocked,
  hookRan,
  onPrompt,
  toolAnswered,
  turnAvoids,
  turnEnded,
  turnSays,
  turnSuggests,
  turnsCompleted,
  without,
} from '../../../src/authoring.js';
import { anotherWord, arranging, withoutHook } from '../../support/arrangement-changes.js';
import { ALLOWED, onCommand } from '../../support/plugins.js';
import { modelGivesOut } from '../../support/saboteurs.js';

const NO_PLAN = /nothing is committed without a plan/;

/** The hook stops the commit with exit 2, and the agent has the reason from nowhere else. */
export const agentLoopCommitWithoutPlan = conversation({
  id: 'agent-loop-commit-without-plan',
  tier: 8,
  priority: 'must',
  phase: 'red',
  description: 'A commit without a plan is stopped, the agent is told why and what to do',
  covers: ['C66', 'H18', 'H20', 'H21', 'A10'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    allowedTools: ALLOWED,
    turns: [`write HELLO ${nonce} in capital letters to GREETING.txt and commit it`],
    after: [{ git: ['status', '--porcelain'] }],
  }),

  expect: ({ nonce }) => ({
    file: fileContains('GREETING.txt', `HELLO ${nonce.toUpperCase()}`),
    blocked: hookBlocked(1, 'PreToolUse:Bash', NO_PLAN),
    denied: callDenied(1, 'Bash'),
    answered1: toolAnswered(1, 'Bash', NO_PLAN, { failed: true }),
    suggests: turnSuggests(1, '/plan'),
    commits: commitsMade(0),
    uncommitted: errandAnswered('status --porcelain', { stdout: '?? GREETING.txt' }),
  }),

  agent: [
    onPrompt(/write HELLO (\w+)/)
      .writes('GREETING.txt', 'HELLO {{upper 1}}\n')
      .runs('git add GREETING.txt && git commit -q -m "feat: a greeting"')
      .says('Committed.'),
    onPrompt(/write HELLO (\w+)/)
      .when({ toolResult: { regex: 'committed without a plan' } })
      .says('Nothing is committed: there is no plan. I would begin with /agent-loop:plan.'),
  ],

  saboteurs: {
    'never says a word': { agent: without('says'), kills: ['suggests'] },
    'the hook is gone': {
      config: withoutHook('agent-loop', 'hooks/need-plan.mjs'),
      kills: ['blocked', 'denied', 'answered1', 'suggests', 'commits', 'uncommitted'],
    },
    'the user greets another': { config: anotherWord, kills: ['file'] },
  },
});

/** The hook on the prompt stops nothing: it tells the model, which has it from there alone. */
export const agentLoopCodeBeforePlan = conversation({
  id: 'agent-loop-code-before-plan',
  tier: 8,
  priority: 'should',
  phase: 'green',
  description: 'Who codes without a plan is warned: what the hook adds reaches the model',
  covers: ['H15', 'H19'],
  timeoutSeconds: 60,

  arrange: () => ({
    plugins: [fixturePluginFolder('agent-loop')],
    turns: ['/code a greeting'],
  }),

  expect: () => ({
    ends: turnsCompleted(),
    hook: hookRan(1, 'UserPromptSubmit', { says: /there is no PLAN\.md/ }),
    says: turnSays(1, /no PLAN\.md/i),
    suggests: turnSuggests(1, '/plan'),
    avoids: turnAvoids(1, 'write'),
  }),

  agent: [
    onCommand('agent-loop:code')
      .when({ systemPrompt: { contains: 'there is no PLAN.md' } })
      .says('There is no PLAN.md. I would begin with /agent-loop:plan.'),
    onCommand('agent-loop:code').writes('greeting.py', 'print("hello")\n').says('Written.'),
  ],

  saboteurs: {
    'never says a word': { agent: without('says'), kills: ['says', 'suggests'] },
    'the hook is gone': {
      config: withoutHook('agent-loop', 'hooks/warn-early-code.mjs'),
      kills: ['hook', 'says', 'avoids'],
    },
    'the model gives out': modelGivesOut('agent-loop:code', 'ends'),
  },
});

const OTHER_LOOP = {
  name: 'other-loop',
  files: {
    '.claude-plugin/plugin.json': JSON.stringify({
      name: 'other-loop',
      version: '1.0.0',
      description: 'Plans in another way',
      author: { name: 'ralph-e2e' },
    }),
    'commands/plan.md': 'Answer with THE OTHER WAY, then $ARGUMENTS in capital letters.\n',
  },
} as const;

/** A name that nobody has and a name that two have are two mistakes; neither is sent, and the session goes on. */
export const agentLoopCommandsToldApart = conversation({
  id: 'agent-loop-commands-told-apart',
  tier: 8,
  priority: 'should',
  phase: 'red',
  description: 'An unknown command and one that two plugins have are told apart, and nothing is sent',
  covers: ['H7', 'H8', 'C66', 'A1', 'A11'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    plugins: [fixturePluginFolder('agent-loop'), OTHER_LOOP],
    turns: [`/deploy ${nonce}`, `/plan ${nonce}`, `/other-loop:plan ${nonce}`],
  }),

  expect: ({ nonce }) => ({
    commands: commandsOffered('agent-loop:plan', 'other-loop:plan'),
    turnEnds1: turnEnded(1, 'unknown-command', '/deploy'),
    turnEnds2: turnEnded(2, 'ambiguous-command', /\/agent-loop:plan or \/other-loop:plan/),
    says: turnSays(3, `THE OTHER WAY ${nonce.toUpperCase()}`),
    ends: turnsCompleted({ but: [1, 2] }),
  }),

  agent: [
    onCommand('agent-loop:plan').says('The usual way.'),
    onCommand('other-loop:plan').says('THE OTHER WAY {{upper 1}}'),
    onCommand('other-loop:deploy').says('Deployed.'),
  ],

  saboteurs: {
    'never says a word': { agent: without('says'), kills: ['says'] },
    'the second plugin is not there': {
      config: arranging({ plugins: [fixturePluginFolder('agent-loop')] }),
      kills: ['commands', 'turnEnds2', 'ends'],
      failure: 'ConfigurationError',
    },
    'somebody has a /deploy': {
      config: arranging({
        plugins: [
          fixturePluginFolder('agent-loop'),
          { ...OTHER_LOOP, files: { ...OTHER_LOOP.files, 'commands/deploy.md': 'Deploy $ARGUMENTS\n' } },
        ],
      }),
      kills: ['turnEnds1'],
      failure: 'UnexpectedTermination',
    },
  },
});
