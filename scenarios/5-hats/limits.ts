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
import { findPartner } from './backends.js';

/** A hat that would wake itself for ever is stopped, and Ralph is told. */
export const maxActivations = scenario({
  id: 'hat-max-activations',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'A hat is active at most as often as it may; then Ralph learns that it is exhausted',
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
            `1. work.request is pending: append a line with ${a} to items.txt and run: ralph emit work.item "<the sum of ${a} and ${b}>"`,
            `2. work.item is pending: append a line with its payload to items.txt and run: ralph emit work.item "<its payload plus ${b}>"`,
            'Payloads are bare numbers.',
          ].join('\n'),
        },
      },
      { maxIterations: 6 },
    ).startingWith('work.request'),
    prompt: [
      'Work for as long as you may. A hat that is active follows its own instructions.',
      `When worker.exhausted is pending and no hat is active: write ${a} + ${b} + ${b}, worked out, into left.txt and declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    // Not the names of the hats: ralph calls the third iteration the worker's, although its prompt is for Ralph.
    toldTimes: toldTimes(2, 'append a line with its payload to items.txt'),
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
      .reads(/write (\d+) \+ (\d+) \+ (\d+), worked out/)
      .writes('left.txt', '{{add 1 2 3}}\n')
      .completes(),
    onObjective(/as long as you may/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'the limit is ignored': {
      target: 'ignore-max-activations',
      kills: ['iterations', 'toldTimes', 'byRalph', 'told', 'items', 'ends'],
      failure: 'UnexpectedTermination',
    },
    'no limit': {
      config: changingHat('worker', { max_activations: undefined }),
      kills: ['iterations', 'toldTimes', 'byRalph', 'told', 'items', 'ends'],
      failure: 'UnexpectedTermination',
      why: 'Shows that it is the limit that ends the circle, and not the agent.',
    },
    'the sum is wrong': {
      agent: emitting('work.item', { payload: '{{1}}' }),
      kills: ['published', 'items'],
      failure: 'EventMalformed',
    },
    'does not say what is left': { agent: withoutWriting('left.txt'), kills: ['left'] },
    'completion does not end the loop': ignoresCompletion('ends', 'iterations'),
  },
});

/** What the scenario above cannot see, because there Ralph and the worker share a backend. */
export const exhaustedBackend = scenario({
  id: 'hat-exhausted-backend',
  companions: (run) => [findPartner(run)],
  tier: 5,
  priority: 'should',
  phase: 'green',
  description: 'When a hat is exhausted its backend rests too: Ralph goes on with the backend of the loop',
  covers: ['FR18'],
  expectedIterations: 2,
  knownIssue: {
    upTo: '2.10.1',
    reason: 'the iteration that finds a hat exhausted sends the prompt of Ralph to the backend of the hat',
    link: 'docs/ralph-behavior.md',
    breaks: ['hats', 'ranOnWorker', 'ranOnRalph'],
  },

  arrange: ({ numbers: [a, b], ...run }) => ({
    config: hats({
      worker: {
        triggers: ['work.request', 'work.item'],
        publishes: ['work.item'],
        backend: findPartner(run),
        maxActivations: 1,
        instructions: `Work out ${a} + ${b} and run: ralph emit work.item "<the bare sum>"`,
      },
    }).startingWith('work.request'),
    prompt: [
      'Work for as long as you may. A hat that is active follows its own instructions.',
      `When worker.exhausted is pending and no hat is active: write the sum of ${a}, ${b} and 1 into left.txt and declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b], ...run }) => ({
    ends: completed(),
    hats: hatSequence('worker', 'ralph'),
    ranOnWorker: hatRanOn('worker', findPartner(run)),
    ranOnRalph: hatRanOn('ralph', run.backend),
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
    onObjective(/as long as you may/).says('No hat has the work, and none of it is mine to do.'),
  ],

  saboteurs: {
    'the limit is ignored': {
      target: 'ignore-max-activations',
      kills: ['byRalph', 'ends', 'hats', 'file'],
      failure: 'UnexpectedTermination',
    },
    'the backend of the hat is ignored': {
      target: 'wrong-backend-for-hat',
      kills: ['ranOnWorker', 'ranOnRalph'],
    },
    'the sum is wrong': {
      agent: emitting('work.item', { payload: '{{1}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'does not say what is left': { agent: without('writes'), kills: ['file'] },
  },
});
