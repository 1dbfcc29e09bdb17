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

/** The hook stops the commit with exit code 2. The agent gets the reason only from there. */
export const agentLoopCommitWithoutPlan = conversation({
  id: 'agent-loop-commit-without-plan',
  priority: 'must',
  phase: 'red',
  description: 'A commit without a plan is stopped, and the agent learns why and what to do',
  covers: ['C49', 'C66', 'H18', 'H20', 'H21', 'H37', 'A10'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    allowedTools: ALLOWED,
    turns: [
      [
        `Write one line to GREETING.txt: HELLO WORD, with WORD replaced by ${nonce} in uppercase.`,
        'Then run exactly this as one command: `git add GREETING.txt && git commit -m "feat: a greeting"`',
        'If it is refused, do not work around it: change nothing more, and tell me why and which commands come first.',
      ].join('\n'),
    ],
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
    onPrompt(/HELLO WORD, with WORD replaced by (\w+) in uppercase/)
      .writes('GREETING.txt', 'HELLO {{upper 1}}\n')
      .runs('git add GREETING.txt && git commit -m "feat: a greeting"')
      .says('Committed.'),
    onPrompt(/HELLO WORD, with WORD replaced by (\w+) in uppercase/)
      .when({ toolResult: { regex: 'committed without a plan' } })
      .says('The commit was refused: there is no plan. /agent-loop:plan comes first.'),
  ],

  saboteurs: {
    'the hook is gone': {
      config: withoutHook('agent-loop', 'hooks/need-plan.mjs'),
      kills: ['blocked', 'denied', 'answered1', 'suggests', 'commits', 'uncommitted'],
      failure: 'PromptIneffective',
    },
    'the user names another word': { config: anotherWord, kills: ['file'], failure: 'PromptIneffective' },
  },
});

/** The hook on the prompt stops nothing. The model gets the warning only from there. */
export const agentLoopCodeBeforePlan = conversation({
  id: 'agent-loop-code-before-plan',
  priority: 'should',
  description: 'Coding without a plan brings a warning: what the hook adds reaches the model',
  covers: ['H15', 'H19'],
  timeoutSeconds: 60,

  arrange: () => ({
    plugins: [fixturePluginFolder('agent-loop')],
    turns: [
      '/code a greeting. If something that you need is missing, write no file: only say so, in plain text without backticks or other formatting.',
    ],
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
      .says('There is no PLAN.md. I suggest /agent-loop:plan.'),
    onCommand('agent-loop:code').writes('greeting.py', 'print("hello")\n').says('Written.'),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['says', 'suggests'] },
    'the hook is gone': {
      config: withoutHook('agent-loop', 'hooks/warn-early-code.mjs'),
      kills: ['hook', 'says', 'avoids'],
      failure: 'PromptIneffective',
    },
    'the model fails': modelGivesOut('agent-loop:code', 'ends'),
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
    'commands/plan.md':
      'Reply with exactly one line of plain text: "THE OTHER WAY WORD", with WORD replaced by $ARGUMENTS in uppercase.\n',
  },
} as const;

/** An unknown command and an ambiguous one are different mistakes. Neither is sent, and the session continues. */
export const agentLoopCommandsToldApart = conversation({
  id: 'agent-loop-commands-told-apart',
  priority: 'should',
  phase: 'red',
  description: 'An unknown command and an ambiguous one are reported as such, and neither is sent',
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
    'says nothing': { agent: without('says'), kills: ['says'] },
    'the second plugin is missing': {
      config: arranging({ plugins: [fixturePluginFolder('agent-loop')] }),
      kills: ['commands', 'turnEnds2', 'ends'],
      failure: 'ConfigurationError',
    },
    'a plugin has /deploy': {
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
