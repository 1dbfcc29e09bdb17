import {
  agentSaid,
  completed,
  eventEmitted,
  fileEquals,
  hatActive,
  hats,
  iterationCount,
  onEvent,
  onHat,
  scenario,
} from '../../../src/authoring.js';
import { neverCompletes } from '../../support/saboteurs.js';

/** #139: a hat that mentioned the promise and emitted its own event ended the loop; the next hat never ran. */
const navigator = onHat('Navigator')
  .reads(/with (\w+) in uppercase/)
  .says('I choose direction.set and not LOOP_COMPLETE.')
  .emits('direction.set', '{{upper 1}}');

export const issue139 = scenario({
  id: 'issue-139-completion-after-first-event',
  description: 'A hat that emits its event and only mentions the promise hands over; the loop continues',
  covers: ['FR10', 'FR16', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        navigator: {
          triggers: ['route.wanted'],
          publishes: ['direction.set'],
          instructions: [
            'This tests that a hat may mention LOOP_COMPLETE without ending the loop.',
            'Before you use any tool, say exactly this sentence: `I choose direction.set and not LOOP_COMPLETE.`',
            `Then run \`ralph emit direction.set "<HEADING>"\`, with ${nonce} in uppercase in place of <HEADING>, and stop.`,
          ].join('\n'),
        },
        driver: {
          triggers: ['direction.set'],
          publishes: ['drive.finished'],
          instructions:
            'Write only the payload of the pending direction.set event to driven.txt. Then run `ralph emit drive.finished "arrived"`',
        },
      },
      { maxIterations: 6 },
    ).startingWith('route.wanted'),
    prompt: [
      'Have somebody drive where the navigator says. If a hat is active, follow only its instructions.',
      'If no hat is active and drive.finished is pending, declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    said: agentSaid('not LOOP_COMPLETE', { iteration: 1 }),
    published: eventEmitted('direction.set', nonce.toUpperCase()),
    hat: hatActive('driver', { iteration: 2 }),
    file: fileEquals('driven.txt', nonce.toUpperCase()),
  }),

  agent: [
    navigator,
    onHat('Driver')
      .reads(/^Event: direction\.set - (\w+)$/m)
      .writes('driven.txt', '{{1}}\n')
      .emits('drive.finished', 'arrived'),
    onEvent('drive.finished').completes(),
  ],

  exempt: { 'speaks-too-late': 'the prompt says that the words come before the event' },

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations'),
    'the loop ends with the first event': {
      target: 'complete-too-early',
      kills: ['ends', 'iterations', 'hat', 'file'],
      failure: 'UnexpectedTermination',
      why: 'This is the bug as it was reported.',
    },
    'the event is lost': {
      target: 'lose-events',
      kills: ['ends', 'published', 'hat', 'file'],
      failure: 'EventMissing',
    },
  },
});
