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
  pendingEvents,
  promptContained,
  publishedByRalph,
  scenario,
  toldTimes,
} from '../../src/authoring.js';
import { emitting, withoutWriting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Stops a hat that would activate itself forever, and informs Ralph. */
export const maxActivations = scenario({
  id: 'hat-max-activations',
  description: 'A hat is active at most max_activations times; then Ralph learns once that it is exhausted',
  covers: ['FR15', 'FR17'],
  expectedIterations: 4,

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
      { maxIterations: 7 },
    ).startingWith('work.request'),
    prompt: [
      'Have the work done until the worker is exhausted. If a hat is active, follow only its instructions. Otherwise:',
      '1. If rest.noted is pending: declare the objective complete.',
      `2. If only worker.exhausted is pending: work out ${a} + ${b} + ${b} and write only the result to left.txt, as plain digits without commas. Then run these two commands in one shell call, and stop:`,
      '   `ralph emit work.item "again"; ralph emit rest.noted "done"`',
      'In this test Ralph writes that one file itself and publishes two events, although the guide says otherwise.',
      'It tests that ralph does not report an exhausted hat again.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(4),
    // Not the names of the hats: ralph attributes the third iteration to the worker, although its prompt is for Ralph.
    toldTimes: toldTimes(2, 'append a line that contains only its payload to items.txt'),
    published: eventEmitted('work.item', `${a + b}`),
    items: fileEquals('items.txt', `${a}\n${a + b}`),
    byRalph: publishedByRalph('worker.exhausted', { iteration: 3 }),
    told: promptContained(
      "Hat 'worker' exhausted.\n- max_activations: 2\n- activations: 2\n- dropped_topics:\n  - work.item\n",
      { iteration: 3 },
    ),
    // The event of the third iteration is pending once more; the dropped work.item adds none.
    once: pendingEvents(['worker.exhausted', 'rest.noted'], { iteration: 4 }),
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
    onEvent('rest.noted').completes(),
    onEvent('worker.exhausted')
      .reads(/work out (\d+) \+ (\d+) \+ (\d+)/)
      .writes('left.txt', '{{add 1 2 3}}\n')
      .emits('work.item', 'again')
      .emits('rest.noted', 'done'),
    onObjective(/until the worker is exhausted/).says('No hat is active, and I have nothing to do.'),
  ],

  saboteurs: {
    'ralph ignores the limit': {
      target: 'ignore-max-activations',
      kills: ['iterations', 'toldTimes', 'byRalph', 'told', 'items', 'ends'],
      failure: 'UnexpectedTermination',
    },
    'ralph reports the worker again': { target: 'repeat-exhausted', kills: ['once'] },
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

/** Hands an exhausted hat's work to another hat. */
export const exhaustedHandover = scenario({
  id: 'hat-exhausted-handover',
  ...MECHANICS,
  description: 'The exhaustion of one hat can activate another, which has a limit of its own',
  covers: ['FR17'],
  expectedIterations: 4,

  arrange: ({ nonce }) => ({
    config: hats({
      worker: {
        triggers: ['work.request', 'work.item'],
        publishes: ['work.item'],
        maxActivations: 1,
        instructions: 'Publish work.item.',
      },
      boss: {
        triggers: ['worker.exhausted', 'boss.item'],
        publishes: ['boss.item'],
        maxActivations: 2,
        instructions: `Take over ${nonce}.`,
      },
    }).startingWith('work.request'),
    prompt: 'Have the work done.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(4),
    takesOver: promptContained(/^Event: worker\.exhausted - [\s\S]*^### Boss Instructions$/m, {
      iteration: 2,
    }),
    twice: toldTimes(2, `Take over ${nonce}.`),
    ownLimit: promptContained("Event: boss.exhausted - Hat 'boss' exhausted.\n- max_activations: 2\n", {
      iteration: 4,
    }),
  }),

  agent: [
    onEvent('boss.exhausted').completes(),
    onHat('Worker').emits('work.item', 'more'),
    onHat('Boss').emits('boss.item', 'mine'),
    onObjective(/Have the work done/).completes(),
  ],

  saboteurs: {
    'ralph ignores the limits': {
      target: 'ignore-max-activations',
      kills: ['ends', 'iterations', 'takesOver', 'twice', 'ownLimit'],
      failure: 'UnexpectedTermination',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'iterations'),
  },
});

/** Checks what the scenario above cannot see, because Ralph and the worker share a backend there. */
export const exhaustedBackend = scenario({
  id: 'hat-exhausted-backend',
  companions: ({ second }) => [second],
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
  },
});
