import {
  changingResponses,
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onlyIn,
  onObjective,
  publishedByRalph,
  scenario,
  toldOnlyTo,
  without,
} from '../../src/authoring.js';
import { withoutEmitting, withoutWriting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** A hat that forgets to publish does not stall the loop: its default speaks for it. */
export const defaultPublishes = scenario({
  id: 'hat-default-publishes',
  tier: 5,
  priority: 'must',
  phase: 'green',
  description: 'When a hat publishes nothing, its default event is published for it and wakes the next hat',
  covers: ['FR15', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      writer: {
        triggers: ['write.request'],
        publishes: ['write.finished'],
        defaultPublishes: 'write.finished',
        instructions: `Write ${nonce} in capital letters into draft.txt. Publish no event at all: just stop.`,
      },
      reviewer: {
        triggers: ['write.finished'],
        publishes: ['verdict.given'],
        instructions: `Work out ${a} + ${b}, write the bare sum into verdict.txt and run: ralph emit verdict.given "good"`,
      },
    }).startingWith('write.request'),
    prompt: [
      'Have a draft written and reviewed. A hat that is active follows its own instructions.',
      'When verdict.given is pending and no hat is active, declare the objective complete.',
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
      .reads(/Write (\w+) in capital letters/)
      .writes('draft.txt', '{{upper 1}}\n'),
    onHat('Reviewer')
      .reads(/Work out (\d+) \+ (\d+)/)
      .writes('verdict.txt', '{{add 1 2}}\n')
      .emits('verdict.given', 'good'),
    onEvent('verdict.given').completes(),
    onObjective(/written and reviewed/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'the default is forgotten too': {
      target: 'drop-default-publishes',
      kills: ['hats', 'byRalph', 'verdict', 'ends'],
      failure: 'EventMissing',
    },
    'no default': {
      config: changingHat('writer', { default_publishes: undefined }),
      kills: ['hats', 'byRalph', 'verdict', 'ends'],
      failure: 'EventMissing',
      why: 'Shows that without the default a silent hat stalls the workflow.',
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
    'says that the draft is written, and writes nothing': {
      agent: without('writes'),
      kills: ['draft', 'verdict'],
    },
    'the reviewer publishes nothing': {
      agent: withoutEmitting('verdict.given'),
      kills: ['published', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/**
 * The one use that ralph 2.10.1 has for a target: a hat that should complete and stays silent is asked again itself.
 * What an agent writes as a target is lost; see docs/ralph-behavior.md.
 */
export const targetedRecovery = scenario({
  id: 'hat-targeted-recovery',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'A silent hat whose default is completion is not completed for: ralph sends the very hat back to work',
  covers: ['FR17', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      archivist: {
        triggers: ['archive.task'],
        publishes: ['archive.finished'],
        instructions: 'Write "archived" into archived.txt and run: ralph emit archive.finished "done"',
      },
      closer: {
        triggers: ['close.task'],
        publishes: ['LOOP_COMPLETE'],
        defaultPublishes: 'LOOP_COMPLETE',
        instructions: [
          `Your seal is ${nonce}. 1. close.task is pending: write the seal in capital letters into sealed.txt, emit nothing and stop.`,
          `2. task.resume is pending: write the sum of ${a} and ${b} into counted.txt, then run: ralph emit LOOP_COMPLETE "closed"`,
        ].join('\n'),
      },
    }).startingWith('close.task'),
    prompt:
      'Close the books. A hat that is active follows its own instructions; Ralph himself has nothing to do here.',
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('closer', 'closer'),
    byRalph: publishedByRalph('task.resume', { iteration: 2 }),
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
    'no default': {
      config: changingHat('closer', { default_publishes: undefined }),
      kills: ['hats', 'counted'],
      failure: 'AssertionMismatch',
      why: 'Shows that it is the default of the hat that brings the hat back.',
    },
    'silence is taken for completion': {
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
