import {
  completed,
  eventEmitted,
  fileEquals,
  hatRanOn,
  hatSequence,
  hats,
  iterationCount,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  publishedByRalph,
  scenario,
  toldTimes,
  without,
} from '../../src/authoring.js';
import { emitting, withoutWriting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Stops a hat that would activate itself forever, and informs Ralph. */
export const maxActivations = scenario({
  id: 'hat-max-activations',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat is active at most max_activations times; then Ralph learns that it is exhausted',
  covers: ['FR15', 'FR17'],
  expectedIterations: 3,

  arrange: ({ numbers: [a, b] }) => ({
    config: hats(
      {
        worker: {
          triggers: ['work.request', 'work.item'],
          publishes: ['work.item'],
          maxActivations: 2,
          instructions: [
            `1. If work.request is pending: append a line that contains only ${a} to items.txt. Then run \`ralph emit work.item "<the sum of ${a} and ${b}>"\``,
            `2. If work.item is pending: append a line that contains only its payload to items.txt. Then run \`ralph emit work.item "<its payload plus ${b}>"\``,
            'A payload is only the number, as plain digits without commas.',
          ].join('\n'),
        },
      },
      { maxIterations: 6 },
    ).startingWith('work.request'),
    prompt: [
      'Have the work done until the worker is exhausted. If a hat is active, follow only its instructions.',
      `If no hat is active and worker.exhausted is pending: work out ${a} + ${b} + ${b}, write only the result to left.txt, as plain digits without commas, and declare the objective complete.`,
      'In this test Ralph writes that one file itself, although the guide says to delegate.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    // Not the names of the hats: ralph attributes the third iteration to the worker, although its prompt is for Ralph.
    toldTimes: toldTimes(2, 'append a line that contains only its payload to items.txt'),
    published: eventEmitted('work.item', `${a + b}`),
    items: fileEquals('items.txt', `${a}\n${a + b}`),
    byRalph: publishedByRalph('worker.exhausted', { iteration: 3 }),
    told: promptContained('- max_activations: 2', { iteration: 3 }),
    left: fileEquals('left.txt', `${a + b + b}`),
  }),

  agent: [
    onHat('Worker')
      .reads(/^Event: work\.item - (\d+)$/m)
      .reads(/its payload plus (\d+)/)
      .appends('items.txt', '{{1}}\n')
      .emits('work.item', '{{add 1 2}}'),
    onHat('Worker')
      .reads(/the sum of (\d+) and (\d+)/)
      .appends('items.txt', '{{1}}\n')
      .emits('work.item', '{{add 1 2}}'),
    onEvent('worker.exhausted')
      .reads(/work out (\d+) \+ (\d+) \+ (\d+)/)
      .writes('left.txt', '{{add 1 2 3}}\n')
      .completes(),
    onObjective(/until the worker is exhausted/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph ignores the limit': {
      target: 'ignore-max-activations',
      kills: ['iterations', 'toldTimes', 'byRalph', 'told', 'items', 'ends'],
      failure: 'UnexpectedTermination',
    },
    'the hat has no limit': {
      config: changingHat('worker', { max_activations: undefined }),
      kills: ['iterations', 'toldTimes', 'byRalph', 'told', 'items', 'ends'],
      failure: 'UnexpectedTermination',
      why: 'Shows that the limit ends the cycle, not the agent.',
    },
    'the sum is wrong': {
      agent: emitting('work.item', { payload: '{{1}}' }),
      kills: ['published', 'items'],
      failure: 'EventMalformed',
    },
    'does not write down what is left': { agent: withoutWriting('left.txt'), kills: ['left'] },
    'completion does not end the loop': ignoresCompletion('ends', 'iterations'),
  },
});

/** Checks what the scenario above cannot see, because Ralph and the worker share a backend there. */
export const exhaustedBackend = scenario({
  id: 'hat-exhausted-backend',
  companions: ({ second }) => [second],
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: "When a hat is exhausted, Ralph continues on the loop's backend, not on the hat's",
  covers: ['FR18'],
  expectedIterations: 2,
  knownIssue: {
    upTo: '2.10.1',
    reason: "the iteration that finds a hat exhausted sends Ralph's prompt to the hat's backend",
    link: 'docs/ralph-behavior.md',
    breaks: { hats: 'worker, worker', ranOnRalph: 'hat ralph was never active' },
  },

  arrange: ({ second, numbers: [a, b] }) => ({
    config: hats({
      worker: {
        triggers: ['work.request', 'work.item'],
        publishes: ['work.item'],
        backend: second,
        maxActivations: 1,
        instructions: `Work out ${a} + ${b} and run \`ralph emit work.item "<sum>"\`, with the sum as plain digits without commas.`,
      },
    }).startingWith('work.request'),
    prompt: [
      'Have the work done until the worker is exhausted. If a hat is active, follow only its instructions.',
      `If no hat is active and worker.exhausted is pending: write only the sum of ${a}, ${b} and 1 to left.txt, as plain digits without commas, and declare the objective complete.`,
      'In this test Ralph writes that one file itself, although the guide says to delegate.',
    ].join('\n'),
  }),

  expect: ({ backend, second, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('worker', 'ralph'),
    ranOnWorker: hatRanOn('worker', second),
    ranOnRalph: hatRanOn('ralph', backend),
    published: eventEmitted('work.item', `${a + b}`),
    byRalph: publishedByRalph('worker.exhausted', { iteration: 2 }),
    file: fileEquals('left.txt', `${a + b + 1}`),
  }),

  agent: [
    onHat('Worker')
      .reads(/Work out (\d+) \+ (\d+)/)
      .emits('work.item', '{{add 1 2}}'),
    onEvent('worker.exhausted')
      .reads(/the sum of (\d+), (\d+) and (\d+)/)
      .writes('left.txt', '{{add 1 2 3}}\n')
      .completes(),
    onObjective(/until the worker is exhausted/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph ignores the limit': {
      target: 'ignore-max-activations',
      kills: ['byRalph', 'ends', 'hats', 'file'],
      failure: 'UnexpectedTermination',
    },
    "ralph ignores the hat's backend": {
      target: 'wrong-backend-for-hat',
      kills: ['ranOnWorker', 'ranOnRalph'],
    },
    'the sum is wrong': {
      agent: emitting('work.item', { payload: '{{1}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'does not write down what is left': { agent: without('writes'), kills: ['file'] },
  },
});
