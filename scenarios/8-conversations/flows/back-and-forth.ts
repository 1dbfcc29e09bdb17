import {
  agentLoop,
  commandsWere,
  conversation,
  fileContains,
  fileEquals,
  fixturePluginFolder,
  noStageSkipped,
  onlyIn,
  onPrompt,
  stageReached,
  stagesWere,
  turnAvoids,
  turnSays,
  without,
} from '../../../src/authoring.js';
import { doingFirst } from '../../support/agent-changes.js';
import { anotherWord } from '../../support/arrangement-changes.js';
import { ending, onCommand } from '../../support/plugins.js';

const AGENT_LOOP = {
  files: { 'README.md': 'Totals are rounded.\n' },
  plugins: [fixturePluginFolder('agent-loop')],
  workflow: agentLoop,
} as const;

/** The user changes the plan after it was coded: the second plan is what is coded in the end. */
const backToPlanning = conversation({
  id: 'flow-back-to-planning',
  priority: 'should',
  description: 'The workflow allows the step from coding back to planning, and the second plan counts',
  covers: ['H37', 'C10', 'C62', 'C63', 'C65', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore',
      '/plan WORD.txt with only the word FIRST in it',
      '/code',
      `/plan WORD.txt with only the word ${nonce.toUpperCase()} in it instead`,
      '/code',
    ],
  }),

  expect: ({ nonce }) => ({
    stages: stagesWere('idle', 'exploring', 'planning', 'coding', 'planning', 'coding'),
    noneSkipped: noStageSkipped(),
    reached: stageReached('planning', { turn: 4, trigger: '/agent-loop:plan' }),
    commands: commandsWere('explore', 'plan', 'code', 'plan', 'code'),
    file: fileEquals('WORD.txt', nonce.toUpperCase()),
  }),

  agent: [
    onCommand('agent-loop:explore').readsFile('README.md').says('Read.'),
    onCommand('agent-loop:plan')
      .reads(/Subject: WORD\.txt with only the word (\w+)/)
      .writes('PLAN.md', 'WORD.txt: the word is {{2}}.\n')
      .says('Planned.'),
    onCommand('agent-loop:code').readsFile('PLAN.md'),
    onCommand('agent-loop:code')
      .when({ toolResult: { regex: 'the word is (\\w+)' } })
      .writes('WORD.txt', '{{2}}\n')
      .says('Coded.'),
  ],

  saboteurs: {
    'the user does not go back': {
      config: (arranged) => ({ ...arranged, turns: arranged.turns.slice(0, 3) }),
      kills: ['stages', 'reached', 'commands', 'file'],
      failure: 'PromptIneffective',
    },
    'the user starts with the code': {
      config: (arranged) => ({ ...arranged, turns: ['/code', ...arranged.turns] }),
      kills: ['noneSkipped', 'stages'],
      failure: 'PromptIneffective',
    },
  },

  notApplicable: { 'acts-silently': 'what it says is not checked: the stages and the files are' },
});

/** The agent asks about an ambiguity before it writes anything, and follows the answer. */
const questionAskedBack = conversation({
  id: 'flow-question-asked-back',
  priority: 'should',
  description: 'The agent asks about what is unclear, writes nothing until it knows, and follows the answer',
  covers: ['C1', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore whether totals are rounded half-up or half-even. If no file says so, write no file and ask me which of the two it is, in one line that names both and ends with a question mark.',
      `It is half-even. Write exactly this to ${nonce}.md: Rounding: half-even.`,
    ],
  }),

  expect: ({ nonce }) => ({
    says: turnSays(1, /half-even[^\n]*\?/i),
    avoids: turnAvoids(1, 'write'),
    file: fileContains(`${nonce}.md`, 'half-even'),
  }),

  agent: [
    onCommand('agent-loop:explore')
      .readsFile('README.md')
      .says(`It does not say how: half-up or half-even?${ending('exploring', 'agent-loop:plan')}`),
    onPrompt(/It is (half-\w+)\. Write exactly this to (\w+)\.md/)
      .writes('{{2}}.md', 'Rounding: {{1}}.\n')
      .says('Noted.'),
  ],

  saboteurs: {
    'never asks': { agent: without('says'), kills: ['says'] },
    'writes a guess': {
      agent: onlyIn('explore', doingFirst({ do: 'write', path: 'note.md', text: 'half-up\n' })),
      kills: ['avoids'],
    },
    'the user names another note': { config: anotherWord, kills: ['file'], failure: 'PromptIneffective' },
  },
});

/** Conversations that go back and forth within a workflow. */
export const flowsBackAndForth = [backToPlanning, questionAskedBack] as const;
