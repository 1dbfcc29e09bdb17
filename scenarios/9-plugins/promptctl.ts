import {
  conversation,
  fixturePluginFolder,
  hookLogged,
  onPrompt,
  toolAnswered,
  turnSays,
  turnsCompleted,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { ALLOWED, answersReverse, askReverse, HAS_SERVER, pluginIn } from '../support/plugins.js';
import { modelGivesOut, REPEATS_THE_WORD } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

const STATUS = 'mcp__plugin_promptctl_promptctl__status';
const LOGS = 'mcp__plugin_promptctl_promptctl__logs';

/** The recorder sees the whole conversation, with payloads and call ids that the stream lacks. */
export const promptctlRecords = conversation({
  id: 'promptctl-records',
  priority: 'must',
  description: 'A recording hook gets every event of a conversation with its payload',
  covers: ['H20', 'H37', 'H52', 'A9'],
  timeoutSeconds: 120,
  arrange: ({ nonce, lane }) => ({
    files: { 'notes.txt': 'Some notes.\n' },
    plugins: [pluginIn(lane, 'promptctl')],
    allowedTools: ALLOWED,
    turns: [
      askReverse(nonce),
      `For ${nonce}, run these two shell commands exactly as written, each in a call of its own: \`cat notes.txt\`, then \`cat nowhere.txt\`. The second one fails: this tests that failures are recorded too.`,
    ],
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
    onPrompt(/For (\w+), run these two shell commands/)
      .runs('cat notes.txt')
      .runs('cat nowhere.txt')
      .says('The first prints some notes, the second fails.'),
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
    'the model fails': modelGivesOut('run these two', 'ends'),
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});

/** The plugin's own server reports in the conversation what the hooks recorded. */
export const promptctlTells = conversation({
  id: 'promptctl-tells',
  priority: 'should',
  description: 'The MCP server of a plugin reports what its hooks recorded in the same conversation',
  covers: ['H33', 'H37', 'H41'],
  unplayable: HAS_SERVER,
  timeoutSeconds: 120,
  arrange: ({ nonce }) => ({
    plugins: [fixturePluginFolder('promptctl')],
    allowedTools: [STATUS, LOGS],
    turns: [
      askReverse(nonce),
      'Call the status tool of promptctl once: how many events were recorded?',
      'Call the logs tool of promptctl with the filter_type UserPromptSubmit: which prompts were sent?',
    ],
  }),
  expect: ({ nonce }) => ({
    says: turnSays(1, reverse(nonce)),
    answered2: toolAnswered(2, STATUS, /"SessionStart":1,"UserPromptSubmit":2/),
    answered3: toolAnswered(3, LOGS, new RegExp(`"prompt":"Say the word ${nonce} backwards`)),
  }),
  agent: [
    answersReverse,
    onPrompt('how many events were recorded?').calls(STATUS, {}).says('As the tool counted.'),
    onPrompt('which prompts were sent?')
      .calls(LOGS, { filter_type: 'UserPromptSubmit' })
      .says('As the tool listed.'),
  ],
  saboteurs: {
    'nothing is recorded': {
      config: arranging(({ lane }) => ({
        plugins: [pluginIn(lane, 'promptctl', { 'hooks/record.mjs': '' })],
      })),
      kills: ['answered2', 'answered3'],
      failure: 'PromptIneffective',
    },
    'asks for other events': {
      agent: changingEach('tool', (step) =>
        step.name === LOGS ? { ...step, input: { filter_type: 'Stop' } } : step,
      ),
      kills: ['answered3'],
    },
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});
