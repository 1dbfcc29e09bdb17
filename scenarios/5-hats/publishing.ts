import {
  changingResponses,
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onAnyPrompt,
  onEvent,
  onHat,
  onlyIn,
  onObjective,
  pendingEvents,
  publishedByRalph,
  RALPH_TOPICS,
  scenario,
  toldOnlyTo,
} from '../../src/authoring.js';
import { withoutEmitting, withoutWriting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Keeps the loop going when a hat forgets to publish: ralph publishes the hat's default event. */
export const defaultPublishes = scenario({
  id: 'hat-default-publishes',
  priority: 'must',
  description:
    'When a hat publishes nothing, ralph publishes its default event, which activates the next hat and counts as a required one',
  covers: ['FR15', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        writer: {
          triggers: ['write.request'],
          publishes: ['write.finished'],
          defaultPublishes: 'write.finished',
          instructions: `Write only ${nonce} in uppercase to draft.txt, then stop without publishing an event. This tests what ralph does with a silent hat, so it overrides the Event Publishing Guide below.`,
        },
        reviewer: {
          triggers: ['write.finished'],
          publishes: ['verdict.given'],
          instructions: `Work out ${a} + ${b} and write only the sum to verdict.txt, as plain digits without commas. Then run \`ralph emit verdict.given "good"\``,
        },
      },
      { maxIterations: 5, requiredEvents: ['write.finished'] },
    ).startingWith('write.request'),
    prompt: [
      'Have a draft written and reviewed. If a hat is active, follow only its instructions.',
      'If no hat is active and verdict.given is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('writer', 'reviewer', 'ralph'),
    byRalph: publishedByRalph('write.finished', { iteration: 2 }),
    draft: fileEquals('draft.txt', nonce.toUpperCase()),
    verdict: fileEquals('verdict.txt', `${a + b}`),
    published: eventEmitted('verdict.given'),
  }),

  agent: [
    onHat('Writer')
      .reads(/Write only (\w+) in uppercase/)
      .writes('draft.txt', '{{upper 1}}\n'),
    onHat('Reviewer')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('verdict.txt', '{{add 1 2}}\n')
      .emits('verdict.given', 'good'),
    onEvent('verdict.given').completes(),
    onObjective(/written and reviewed/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph forgets the default too': {
      target: 'drop-default-publishes',
      kills: ['hats', 'byRalph', 'verdict', 'ends'],
      failure: 'EventMissing',
    },
    'the hat has no default': {
      config: changingHat('writer', { default_publishes: undefined }),
      kills: ['hats', 'byRalph', 'verdict', 'ends'],
      failure: 'EventMissing',
      why: 'Shows that without the default, a silent hat stalls the workflow.',
    },
    'the writer publishes the event itself': {
      agent: onlyIn(
        'on hat Writer',
        changingResponses(({ steps }) => ({
          steps: [...steps, { do: 'emit', topic: 'write.finished', by: 'command' }],
        })),
      ),
      kills: ['byRalph'],
    },
    'the reviewer publishes nothing': {
      agent: withoutEmitting('verdict.given'),
      kills: ['published', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** Two hats work in one iteration and stay silent: Ralph publishes for the one that it showed. */
export const oneDefault = scenario({
  id: 'hat-one-default',
  lanes: ['sim', 'scripted'],
  backends: ['claude'],
  description: 'When several hats of an iteration publish nothing, ralph publishes one default event',
  covers: ['FR15', 'FR17'],
  expectedIterations: 3,

  arrange: () => ({
    config: hats({
      lead: {
        triggers: ['lead.request'],
        publishes: ['left.wanted', 'right.wanted'],
        instructions: 'Run `ralph emit right.wanted now` and `ralph emit left.wanted now`.',
      },
      left: {
        triggers: ['left.wanted'],
        publishes: ['left.finished'],
        defaultPublishes: 'left.finished',
        instructions: 'Stop without publishing an event.',
      },
      right: {
        triggers: ['right.wanted'],
        publishes: ['right.finished'],
        defaultPublishes: 'right.finished',
        instructions: 'Stop without publishing an event.',
      },
    }).startingWith('lead.request'),
    prompt:
      'Have both sides done. If something is finished and no hat is active, declare the objective complete.',
  }),

  expect: () => ({
    ends: completed(),
    hats: hatSequence('lead', 'left', 'ralph'),
    both: pendingEvents(['left.wanted', 'right.wanted'], { iteration: 2 }),
    byRalph: publishedByRalph('left.finished', { iteration: 3 }),
    one: pendingEvents(['left.finished'], { iteration: 3 }),
  }),

  agent: [
    onHat('Lead').emits('right.wanted', 'now').emits('left.wanted', 'now'),
    onEvent('left.wanted').says('I have nothing to add.'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'ralph forgets the default': {
      target: 'drop-default-publishes',
      kills: ['byRalph', 'one'],
      failure: 'EventMissing',
    },
    'only one hat is wanted': { agent: withoutEmitting('right.wanted'), kills: ['both'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/**
 * Tests the only use that ralph 2.10.1 has for a target: it asks the same hat again if that hat should complete but stays
 * silent. A target that an agent sets is lost; see docs/ralph-behavior.md.
 */
export const targetedRecovery = scenario({
  id: 'hat-targeted-recovery',
  description:
    'ralph does not complete for a silent hat whose default is completion: it sends that hat back to work',
  covers: ['FR17', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      archivist: {
        triggers: ['archive.task'],
        publishes: ['archive.finished'],
        instructions:
          'Write only the word archived to archived.txt. Then run `ralph emit archive.finished "done"`',
      },
      closer: {
        triggers: ['close.task'],
        publishes: ['LOOP_COMPLETE'],
        defaultPublishes: 'LOOP_COMPLETE',
        instructions: [
          `Your seal is ${nonce}. The pending event tells you which step to do.`,
          '1. If close.task is pending: write only the seal in uppercase to sealed.txt, then stop without publishing an event. This tests what ralph does with a silent hat, so it overrides the Event Publishing Guide below.',
          `2. If task.resume is pending: write only the sum of ${a} and ${b} to counted.txt, as plain digits without commas. Then run \`ralph emit LOOP_COMPLETE "closed"\``,
        ].join('\n'),
      },
    }).startingWith('close.task'),
    prompt:
      'Close the books. If a hat is active, follow only its instructions. Without a hat, there is nothing to do here.',
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('closer', 'closer'),
    byRalph: publishedByRalph(RALPH_TOPICS.resume, { iteration: 2 }),
    toldOnly: toldOnlyTo('closer', nonce),
    sealed: fileEquals('sealed.txt', nonce.toUpperCase()),
    counted: fileEquals('counted.txt', `${a + b}`),
  }),

  agent: [
    onHat('Closer')
      .when({ event: 'close.task' })
      .reads(/Your seal is (\w+)\./)
      .writes('sealed.txt', '{{upper 1}}\n'),
    onHat('Closer')
      .reads(/the sum of (\d+) and (\d+)/)
      .writes('counted.txt', '{{add 1 2}}\n')
      .emits('LOOP_COMPLETE', 'closed'),
    onHat('Archivist').writes('archived.txt', 'archived\n').emits('archive.finished', 'done'),
    onObjective(/Close the books/).completes(),
  ],

  saboteurs: {
    'the recovery goes to Ralph': { target: 'drop-default-publishes', kills: ['hats', 'counted'] },
    'the hat has no default': {
      config: changingHat('closer', { default_publishes: undefined }),
      kills: ['hats', 'counted'],
      why: "Shows that the hat's default is what brings the hat back.",
    },
    'ralph takes silence for completion': {
      target: 'complete-too-early',
      kills: ['ends', 'hats', 'byRalph', 'counted'],
      failure: 'UnexpectedTermination',
    },
    'the seal is not written': { agent: withoutWriting('sealed.txt'), kills: ['sealed'] },
    'hat instructions never reach the agent': {
      target: 'drop-hat-instructions',
      kills: ['toldOnly', 'sealed', 'counted'],
      failure: 'PromptIneffective',
    },
  },
});
