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
  without,
} from '../../../src/authoring.js';
import { neverCompletes } from '../../support/saboteurs.js';

/** #139: a hat that spoke of the promise and emitted its own event ended the loop; the next hat never ran. */
const navigator = onHat('Navigator')
  .reads(/heading "(\w+)"/)
  .says('I choose direction.set and not LOOP_COMPLETE.')
  .emits('direction.set', '{{upper 1}}');

export const issue139 = scenario({
  id: 'issue-139-completion-after-first-event',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat that emits its event and only speaks of the promise hands over; the loop goes on',
  covers: ['FR10', 'FR16', 'FR17'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        navigator: {
          triggers: ['route.wanted'],
          publishes: ['direction.set'],
          instructions: [
            'Choose exactly one of direction.set and LOOP_COMPLETE: here it is direction.set.',
            'First say: I choose direction.set and not LOOP_COMPLETE.',
            `Then run ralph emit direction.set with the heading "${nonce}" in capital letters as payload, and stop.`,
          ].join('\n'),
        },
        driver: {
          triggers: ['direction.set'],
          publishes: ['drive.finished'],
          instructions:
            'Write the payload of direction.set, nothing else, into driven.txt. Then run: ralph emit drive.finished "arrived"',
        },
      },
      { maxIterations: 6 },
    ).startingWith('route.wanted'),
    prompt:
      'Drive where the navigator says. When drive.finished is pending, the objective is complete: declare it.',
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

  saboteurs: {
    'hands over without a word': { agent: without('says'), kills: ['said'] },
    'drives and writes nothing down': { agent: without('writes'), kills: ['file'] },
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
