import {
  allOf,
  completed,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  RALPH_TOPICS,
  scenario,
  scratchpadContains,
  toldFrom,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

const guided = (word: string) =>
  new RegExp(`^## ROBOT GUIDANCE$[\\s\\S]*^1\\. Paint it ${word}\\.\n2\\. Paint it twice\\.$`, 'm');

/** Messages of a person in a loop with hats: an active hat gets them, and so does every later prompt. */
export const guidanceWithHats = scenario({
  ...MECHANICS,
  id: 'guidance-with-hats',
  description:
    'An active hat and all later prompts get every message of a person, also after a newer one; one acknowledgment is enough for all',
  covers: ['FR6', 'FR10', 'FR16'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        writer: {
          triggers: ['write.request'],
          publishes: ['write.finished'],
          instructions: 'Run message.sh and publish write.finished.',
        },
        editor: {
          triggers: ['write.finished'],
          publishes: ['edit.finished'],
          instructions: 'Run later.sh and publish edit.finished.',
        },
      },
      { maxIterations: 7 },
    ).startingWith('write.request'),
    files: {
      'message.sh': [
        `ralph emit human.guidance "Paint it ${nonce}."`,
        'ralph emit human.guidance "Paint it twice."',
        `ralph emit human.interact "Which color, ${nonce}?"`,
        '',
      ].join('\n'),
      'later.sh': 'ralph emit human.guidance "Sand it first."\n',
    },
    prompt: 'Have it written and edited.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('writer', 'editor', 'ralph', 'ralph', 'ralph'),
    guided: promptContained(guided(nonce), { iteration: 2 }),
    stays: toldFrom(2, guided(nonce)),
    joined: toldFrom(3, `1. Paint it ${nonce}.\n2. Paint it twice.\n3. Sand it first.\n`),
    notes: allOf(
      'the scratchpad has both messages',
      scratchpadContains(new RegExp(`^### HUMAN GUIDANCE .*\n\nPaint it ${nonce}\\.$`, 'm')),
      scratchpadContains(/^### HUMAN GUIDANCE .*\n\nPaint it twice\.$/m),
    ),
    asked: pendingEvents(['write.finished', 'human.interact'], { iteration: 2 }),
    question: promptContained(`\nEvent: human.interact - Which color, ${nonce}?\n`, { iteration: 2 }),
    refused: promptContained('3 human.guidance message(s) remain unacknowledged', { iteration: 4 }),
    acknowledged: pendingEvents(['human.guidance.ack'], { iteration: 5 }),
  }),

  agent: [
    onHat('Writer').runs('sh message.sh').emits('write.finished', 'draft'),
    onHat('Editor').runs('sh later.sh').emits('edit.finished', 'done'),
    onEvent('human.guidance.ack').completes(),
    onEvent('edit.finished').completes(),
    onEvent(RALPH_TOPICS.resume).emits('human.guidance.ack', 'painted'),
    onObjective(/written and edited/).says('I have nothing to do.'),
  ],

  saboteurs: {
    'guidance does not reach the agent': {
      target: 'drop-guidance',
      kills: ['guided', 'stays', 'joined'],
      failure: 'PromptIneffective',
    },
    'only the first message reaches the agent': {
      target: 'first-guidance-only',
      kills: ['guided', 'stays', 'joined'],
      failure: 'PromptIneffective',
    },
    'only the first event reaches the agent': { target: 'first-event-only', kills: ['asked', 'question'] },
    'the person says something else': {
      config: arranging({ files: { 'message.sh': 'ralph emit human.guidance "Paint it."\n' } }),
      kills: ['guided', 'stays', 'joined', 'notes', 'asked', 'question', 'refused'],
      failure: 'PromptIneffective',
    },
    'nobody acknowledges': {
      agent: withoutEmitting('human.guidance.ack'),
      kills: ['acknowledged', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
