import {
  allOf,
  completed,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onPrompt,
  promptContained,
  promptLacked,
  scenario,
  scratchpadContains,
  taskIs,
} from '../../src/authoring.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/* What holds for several hats, messages, tasks and required events also holds for one, and for none. */

const ID = 'task-\\d+-[0-9a-f]{4}';
const CLOSE_THE_READY = 'ralph tools task close "$(ralph tools task ready --format quiet)"';

const config = () => {
  const { hats: plain, ...rest } = hats(
    { maker: { triggers: ['make.request'], publishes: [], instructions: 'Make it.' } },
    { maxIterations: 10, requiredEvents: ['made.it'], memories: {}, tasks: true },
  ).startingWith('make.request');
  return {
    ...rest,
    hats: {
      maker: {
        ...Object(Object(plain).maker),
        disallowed_tools: ['WebSearch'],
        scratchpad: { enabled: false },
      },
    },
  };
};

/** A single hat, message, blocker and required event. Each of them alone holds completion back. */
export const oneOfEach = scenario({
  ...MECHANICS,
  id: 'one-of-each',
  description:
    'A single hat, restricted tool, message, blocker, open task and required event counts like several of them; a hat without events is not told to publish any',
  covers: ['FR5', 'FR6', 'FR10', 'FR15'],
  expectedIterations: 8,

  arrange: ({ nonce }) => ({
    config: config(),
    files: { 'message.sh': `ralph emit human.guidance "Paint it ${nonce}."\n` },
    prompt: 'Have it made.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('maker', 'maker', ...Array.from({ length: 6 }, () => 'ralph')),
    noGuide: promptLacked('Event Publishing Guide'),
    tool: promptContained(/^### TOOL RESTRICTIONS\n\n.*\n- \*\*WebSearch\*\* — blocked for this hat\n\n/m, {
      iteration: 1,
    }),
    message: promptContained(new RegExp(`^## ROBOT GUIDANCE\n\n.*\n\nPaint it ${nonce}\\.\n\n`, 'm'), {
      iteration: 2,
    }),
    notes: scratchpadContains(new RegExp(`^### HUMAN GUIDANCE .*\n\nPaint it ${nonce}\\.$`, 'm')),
    blocked: allOf(
      'the second task waits for the first',
      promptContained(/^## Tasks: 1 ready, 2 open, 0 closed$/m, { iteration: 2 }),
      promptContained(
        new RegExp(`^- \\[blocked\\] \\[P3\\] Paint it \\(${ID}\\) — blocked by: ${ID}$`, 'm'),
        {
          iteration: 2,
        },
      ),
    ),
    topology: promptContained(/^\| Maker \| make\.request \| {2}\| .+ \|$/m, { iteration: 3 }),
    required: promptContained('missing required events: ["made.it"]', { iteration: 4 }),
    acknowledge: promptContained('1 human.guidance message(s) remain unacknowledged', { iteration: 6 }),
    open: promptContained(new RegExp(`runtime tasks remain open: \\["${ID}: Paint it"\\]`), { iteration: 8 }),
    closed: taskIs('Paint it', 'closed'),
  }),

  agent: [
    onPrompt(/runtime tasks remain open/)
      .runs(CLOSE_THE_READY)
      .emits('LOOP_COMPLETE', 'at last'),
    onPrompt(/message\(s\) remain unacknowledged/).emits('human.guidance.ack', 'painted'),
    onPrompt(/missing required events/).emits('made.it', 'made'),
    onEvent('human.guidance.ack').runs(CLOSE_THE_READY).emits('LOOP_COMPLETE', 'once more'),
    onEvent('made.it').emits('LOOP_COMPLETE', 'again'),
    onEvent('half.made').emits('LOOP_COMPLETE', 'too early'),
    onHat('Maker')
      .once()
      .runs(
        'saw=$(ralph tools task add "Saw it" --format quiet); ralph tools task add "Paint it" --blocked-by "$saw"',
      )
      .runs('sh message.sh')
      .emits('make.request', 'once more'),
    onHat('Maker').emits('half.made', 'half'),
  ],

  saboteurs: {
    'guidance does not reach the agent': {
      target: 'drop-guidance',
      kills: ['message'],
      failure: 'PromptIneffective',
    },
    'nothing is blocked': { target: 'ignore-blocked-by', kills: ['blocked'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
  exempt: { 'own-task': 'the prompt counts the tasks' },
  notApplicable: { 'by-hand': 'here only the prompts and the refusals count' },
});
