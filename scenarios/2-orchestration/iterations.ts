import {
  agentSaid,
  BACKEND_IDS,
  type BackendId,
  completed,
  eventEmitted,
  eventsInOrder,
  fileEquals,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  promptContained,
  scenario,
  without,
} from '../../src/authoring.js';
import { changingEach, emitting, hesitating } from '../support/agent-changes.js';
import { anotherWord } from '../support/arrangement-changes.js';
import { coverBackend } from '../support/requirements.js';
import { IGNORES_COMPLETION, NEVER_COMPLETES } from '../support/saboteurs.js';

/** One iteration from prompt to completion, with work that leaves a file. */
const singleIteration = (backend: BackendId) =>
  scenario({
    id: `${backend}-single-iter`,
    backend,
    tier: 2,
    priority: 'must',
    phase: 'green',
    description: 'One full iteration: the agent does its work and completes',
    covers: [...coverBackend(backend), 'FR4', 'FR10'],
    expectedIterations: 1,

    arrange: ({ nonce }) => ({
      config: loop({ maxIterations: 3 }),
      prompt: [
        `Create the file result.txt in the current folder. It holds one line: ${nonce} written in capital letters.`,
        'That is one small task: do it in this iteration, then declare the objective complete.',
      ].join('\n'),
    }),

    expect: ({ nonce }) => ({
      ends: completed(),
      iterations: iterationCount(1),
      told: promptContained(nonce, { iteration: 1 }),
      file: fileEquals('result.txt', nonce.toUpperCase()),
    }),

    agent: [
      onObjective(/one line: (\w+) written in capital letters/)
        .writes('result.txt', '{{upper 1}}\n')
        .says('The file is written.')
        .completes(),
    ],

    saboteurs: {
      'says that the file is written, and writes none': { agent: without('writes'), kills: ['file'] },
      'needs another iteration to begin': { agent: hesitating, kills: ['iterations'] },
      'never declares completion': NEVER_COMPLETES,
      'ralph is given another word': {
        config: anotherWord,
        kills: ['told'],
        why: 'A word from elsewhere would satisfy the checks: it must come from this prompt.',
      },
      'ralph does not hear the promise': IGNORES_COMPLETION,
    },
  });

/** Three iterations, each resting on what the one before handed on through an event. */
const multiIteration = scenario({
  id: 'claude-multi-iter',
  backend: 'claude',
  tier: 2,
  priority: 'must',
  phase: 'green',
  description: 'Three iterations: each goes on with the event that the one before emitted',
  covers: ['FR1', 'FR5', 'FR6', 'FR10'],
  expectedIterations: 3,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 5 }),
    prompt: [
      'There are three steps. Do exactly one of them in an iteration, then stop. The pending events tell which.',
      `1. No step event is pending: work out ${a} + ${b} and run: ralph emit step.one "<the sum>"`,
      `2. step.one is pending: add ${c} to its payload and run: ralph emit step.two "<the new sum>"`,
      '3. step.two is pending: write its payload, nothing else, into total.txt, then declare the objective complete.',
      'The payload of an event is the bare number.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    order: eventsInOrder('step.one', 'step.two'),
    stepOne: eventEmitted('step.one', `${a + b}`),
    told2: promptContained(`Event: step.one - ${a + b}`, { iteration: 2 }),
    stepTwo: eventEmitted('step.two', `${a + b + c}`),
    told3: promptContained(`Event: step.two - ${a + b + c}`, { iteration: 3 }),
    file: fileEquals('total.txt', `${a + b + c}`),
  }),

  agent: [
    onEvent('step.two')
      .reads(/^Event: step\.two - (\d+)$/m)
      .writes('total.txt', '{{1}}\n')
      .completes(),
    onEvent('step.one')
      .reads(/^Event: step\.one - (\d+)$/m)
      .reads(/add (\d+) to its payload/)
      .emits('step.two', '{{add 1 2}}'),
    onObjective(/work out (\d+) \+ (\d+)/).emits('step.one', '{{add 1 2}}'),
  ],

  saboteurs: {
    'hands on a number instead of the first sum': {
      agent: emitting('step.one', { payload: '{{1}}' }),
      kills: ['stepOne', 'told2', 'file'],
      failure: 'EventMalformed',
    },
    'forgets to add in the second step': {
      agent: emitting('step.two', { payload: '{{1}}' }),
      kills: ['stepTwo', 'told3', 'file'],
      failure: 'EventMalformed',
    },
    'publishes both steps at once, the second first': {
      agent: changingEach('emit', (step) =>
        step.topic === 'step.one' ? [{ ...step, topic: 'step.two' }, step] : step,
      ),
      kills: ['order', 'iterations'],
      failure: 'EventMissing',
    },
    'never writes the total': { agent: without('writes'), kills: ['file'] },
    'never declares completion': NEVER_COMPLETES,
    'ralph loses events': { target: 'lose-events', kills: ['order'], failure: 'EventMissing' },
    'ralph hands no event on': {
      target: 'drop-pending-events',
      kills: ['told2', 'told3', 'ends'],
      why: 'An iteration has a fresh context: what the prompt does not say is lost.',
    },
  },
});

/** The promise counts only where it is meant: named in passing it changes nothing, alone on the last line it ends. */
const completion = scenario({
  id: 'claude-completion',
  backend: 'claude',
  tier: 2,
  priority: 'must',
  phase: 'green',
  description: 'LOOP_COMPLETE ends the loop where it is declared, not where it is only mentioned',
  covers: ['FR1', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      `1. If draft.txt does not exist: work out ${a} + ${b}, write the sum into draft.txt, and end your reply with this sentence:`,
      '   I will say LOOP_COMPLETE when the draft is checked.',
      `2. If draft.txt exists: append one line to it, ${nonce} in capital letters, and declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    said: agentSaid('I will say LOOP_COMPLETE when the draft is checked.', { iteration: 1 }),
    file: fileEquals('draft.txt', `${a + b}\n${nonce.toUpperCase()}`),
  }),

  agent: [
    onObjective(/work out (\d+) \+ (\d+)/)
      .once()
      .writes('draft.txt', '{{add 1 2}}\n')
      .says('I will say LOOP_COMPLETE when the draft is checked.'),
    onObjective(/append one line to it, (\w+) in capital letters/)
      .appends('draft.txt', '{{upper 1}}\n')
      .completes(),
  ],

  saboteurs: {
    'ralph ends where the promise is only mentioned': {
      target: 'complete-too-early',
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
      why: 'A loop that ends at the first mention of its promise has not done its work.',
    },
    'never mentions the promise in passing': { agent: without('says'), kills: ['said'] },
    'declares completion before the draft is checked': { agent: without('appends'), kills: ['file'] },
    'never declares completion': NEVER_COMPLETES,
    'ralph does not hear the promise': IGNORES_COMPLETION,
  },
});

export const iterations = [...BACKEND_IDS.map(singleIteration), multiIteration, completion];
