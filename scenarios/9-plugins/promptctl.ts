import {
  conversation,
  fixturePluginFolder,
  hookLogged,
  onPrompt,
  toolAnswered,
  turnSays,
  turnsCompleted,
  without,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { ALLOWED, answersReverse, askReverse, HAS_SERVER, pluginIn } from '../support/plugins.js';
import { modelGivesOut, REPEATS_THE_WORD } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

const STATUS = 'mcp__plugin_promptctl_promptctl__status';
const LOGS = 'mcp__plugin_promptctl_promptctl__logs';

/** The recorder sees the whole conversation, with what the stream does not tell: payloads and the ids of calls. */
export const promptctlRecords = conversation({
  id: 'promptctl-records',
  tier: 9,
  priority: 'must',
  phase: 'green',
  description: 'A recording hook is given every event of a conversation with its payload',
  covers: ['H20', 'H37', 'H52', 'A9'],
  timeoutSeconds: 120,
  arrange: ({ nonce, lane }) => ({
    files: { 'notes.txt': 'Some notes.\n' },
    plugins: [pluginIn(lane, 'promptctl')],
    allowedTools: ALLOWED,
    turns: [askReverse(nonce), `Look at the notes for ${nonce}.`],
  }),
  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    says: turnSays(1, reverse(nonce)),
    loggedSessionStart: hookLogged('SessionStart', { holds: '"source":"startup"' }),
    loggedUserPromptSubmit: hookLogged('UserPromptSubmit', { atLeast: 2, holds: nonce }),
    loggedPreToolUse: hookLogged('PreToolUse', {
      holds: /"command":"cat notes\.txt".*"tool_use_id":"toolu_/,
    }),
    loggedPostToolUse: hookLogged('PostToolUse', { holds: /"command":"cat notes\.txt".*Some notes\./ }),
    loggedPostToolUseFailure: hookLogged('PostToolUseFailure', { holds: 'nowhere.txt' }),
    loggedStop: hookLogged('Stop', { atLeast: 2, holds: '"stop_hook_active":false' }),
    loggedSessionEnd: hookLogged('SessionEnd', { holds: '"reason":' }),
  }),
  agent: [
    answersReverse,
    onPrompt(/Look at the notes for (\w+)/)
      .runs('cat notes.txt')
      .runs('cat nowhere.txt')
      .says('There are some notes.'),
  ],
  saboteurs: {
    'nothing is recorded': {
      config: arranging(({ lane }) => ({
        plugins: [pluginIn(lane, 'promptctl', { 'hooks/record.mjs': '' })],
      })),
      kills: [
        'loggedSessionStart',
        'loggedUserPromptSubmit',
        'loggedPreToolUse',
        'loggedPostToolUse',
        'loggedPostToolUseFailure',
        'loggedStop',
        'loggedSessionEnd',
      ],
      failure: 'EventMissing',
    },
    'looks at nothing': {
      agent: without('runs'),
      kills: ['loggedPreToolUse', 'loggedPostToolUse', 'loggedPostToolUseFailure'],
    },
    'the user asks once': {
      config: (arranged) => ({ ...arranged, turns: arranged.turns.slice(0, 1) }),
      kills: ['loggedUserPromptSubmit', 'loggedStop'],
      failure: 'EventMissing',
    },
    'the model gives out': modelGivesOut('Look at', 'ends'),
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});

/** What was recorded can be asked for in the conversation itself, through the plugin's own server. */
export const promptctlTells = conversation({
  id: 'promptctl-tells',
  tier: 9,
  priority: 'should',
  phase: 'green',
  description: 'The MCP server of a plugin tells what its hooks recorded in this very conversation',
  covers: ['H33', 'H37', 'H41'],
  unplayable: HAS_SERVER,
  timeoutSeconds: 120,
  arrange: ({ nonce }) => ({
    plugins: [fixturePluginFolder('promptctl')],
    allowedTools: [STATUS, LOGS],
    turns: [askReverse(nonce), 'How many events were recorded?', 'Which prompts were sent?'],
  }),
  expect: ({ nonce }) => ({
    says: turnSays(1, reverse(nonce)),
    answered2: toolAnswered(2, STATUS, /"SessionStart":1,"UserPromptSubmit":2/),
    answered3: toolAnswered(3, LOGS, new RegExp(`"prompt":"Say the word ${nonce} backwards`)),
  }),
  agent: [
    answersReverse,
    onPrompt('How many events were recorded?').calls(STATUS, {}).says('As counted.'),
    onPrompt('Which prompts were sent?').calls(LOGS, { filter_type: 'UserPromptSubmit' }).says('As listed.'),
  ],
  saboteurs: {
    'nothing is recorded': {
      config: arranging(({ lane }) => ({
        plugins: [pluginIn(lane, 'promptctl', { 'hooks/record.mjs': '' })],
      })),
      kills: ['answered2', 'answered3'],
    },
    'asks for something else': {
      agent: changingEach('tool', (step) =>
        step.name === LOGS ? { ...step, input: { filter_type: 'Stop' } } : step,
      ),
      kills: ['answered3'],
    },
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});
