import {
  agentLoop,
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

/** The plan turns out wrong while it is coded: back to it, and what is coded in the end is the second plan. */
const backToPlanning = conversation({
  id: 'flow-back-to-planning',
  tier: 8,
  priority: 'should',
  phase: 'green',
  description:
    'From coding back to planning is a step that the workflow knows; the second plan is what counts',
  covers: ['C10', 'C61', 'C62', 'C63', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore',
      '/plan to write the word FIRST to WORD.txt',
      '/code',
      `/plan to write the word ${nonce.toUpperCase()} instead`,
      '/code',
    ],
  }),

  expect: ({ nonce }) => ({
    stages: stagesWere('idle', 'exploring', 'planning', 'coding', 'planning', 'coding'),
    noneSkipped: noStageSkipped(),
    reached: stageReached('planning', { turn: 4 }),
    file: fileEquals('WORD.txt', nonce.toUpperCase()),
  }),

  agent: [
    onCommand('agent-loop:explore').readsFile('README.md').says('Read.'),
    onCommand('agent-loop:plan')
      .reads(/Subject: to write the word (\w+)/)
      .writes('PLAN.md', 'WORD.txt: the word is {{2}}.\n')
      .says('Planned.'),
    onCommand('agent-loop:code').readsFile('PLAN.md'),
    onCommand('agent-loop:code')
      .when({ toolResult: { regex: 'the word is (\\w+)' } })
      .writes('WORD.txt', '{{2}}\n')
      .says('Coded.'),
  ],

  saboteurs: {
    'plans only in words': {
      agent: onlyIn('agent-loop:plan', without('writes')),
      kills: ['reached', 'file'],
    },
    'the user does not go back': {
      config: (arranged) => ({ ...arranged, turns: arranged.turns.slice(0, 3) }),
      kills: ['stages', 'reached', 'file'],
    },
    'the user codes at once': {
      config: (arranged) => ({ ...arranged, turns: ['/code', ...arranged.turns] }),
      kills: ['noneSkipped', 'stages'],
    },
  },

  notApplicable: { 'acts-silently': 'what it says is not judged here: the stages and the files are' },
});

/** What can be read in two ways is asked about before anything is written; the answer is what is done. */
const questionAskedBack = conversation({
  id: 'flow-question-asked-back',
  tier: 8,
  priority: 'should',
  phase: 'green',
  description: 'The agent asks what is unclear, writes nothing until it knows, and does what it is answered',
  covers: ['C1', 'C5', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    ...AGENT_LOOP,
    turns: [
      '/explore whether totals are rounded half-up or half-even; if no file tells, ask me',
      `half-even; write that to ${nonce}.md`,
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
    onPrompt(/(half-\w+); write that to (\w+)\.md/)
      .writes('{{2}}.md', 'Rounding: {{1}}.\n')
      .says('Noted.'),
  ],

  saboteurs: {
    'never asks': { agent: without('says'), kills: ['says'] },
    'writes what it guesses': {
      agent: onlyIn('explore', doingFirst({ do: 'write', path: 'note.md', text: 'half-up\n' })),
      kills: ['avoids'],
    },
    'the user means another note': { config: anotherWord, kills: ['file'] },
  },
});

/** How conversations go back and forth within a workflow. */
export const flowsBackAndForth = [backToPlanning, questionAskedBack] as const;
