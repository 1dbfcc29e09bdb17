import {
  BACKEND_IDS,
  type BackendId,
  completed,
  endedAtOnce,
  eventEmitted,
  eventsInOrder,
  fileEquals,
  iterationsAtLeast,
  loop,
  onEvent,
  onObjective,
  promptContained,
  saidInOrder,
  scenario,
} from '../../src/authoring.js';
import { changingEach, emitting, withoutWriting } from '../support/agent-changes.js';
import { anotherWord } from '../support/arrangement-changes.js';
import { askForFile, FILE_WRITER, fileWritten } from '../support/first-work.js';
import { coverBackend } from '../support/requirements.js';
import { IGNORES_COMPLETION, ignoresCompletion, NEVER_COMPLETES } from '../support/saboteurs.js';

/** Runs one iteration from prompt to completion; the agent's work leaves a file. */
const singleIteration = (backend: BackendId) =>
  scenario({
    id: `${backend}-single-iter`,
    backend,
    priority: 'must',
    description: 'One full iteration: the agent does its work and completes',
    covers: [...coverBackend(backend), 'FR4', 'FR10'],
    expectedIterations: 1,

    arrange: (context) => ({
      config: loop({ maxIterations: 3 }),
      prompt: askForFile(context),
    }),

    expect: fileWritten,

    agent: [FILE_WRITER],

    saboteurs: {
      'never declares completion': NEVER_COMPLETES,
      'ralph is given another word': {
        config: anotherWord,
        kills: ['told'],
        failure: 'PromptIneffective',
        why: 'The word must come from this prompt, not from anywhere else.',
      },
      'ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
    },
  });

/** Runs three iterations, each of which builds on the event that the previous one emitted. */
const multiIteration = scenario({
  id: 'claude-multi-iter',
  backend: 'claude',
  priority: 'must',
  description: 'Three iterations: each builds on the event that the previous one emitted',
  covers: ['FR1', 'FR5', 'FR6', 'FR10'],
  expectedIterations: 3,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 5 }),
    prompt: [
      'Do exactly one of these three steps per iteration, then stop. The pending events tell you which.',
      `1. If no step event is pending: work out ${a} + ${b} and run \`ralph emit step.one "<sum>"\``,
      `2. If step.one is pending: add ${c} to its payload and run \`ralph emit step.two "<new sum>"\``,
      '3. If step.two is pending: write only its payload to total.txt, then declare the objective complete.',
      'A payload is only the number, as plain digits without commas.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(3),
    ended: endedAtOnce(),
    order: eventsInOrder('step.one', 'step.two'),
    stepOne: eventEmitted('step.one', `${a + b}`),
    told2: promptContained(`Event: step.one - ${a + b}`),
    stepTwo: eventEmitted('step.two', `${a + b + c}`),
    told3: promptContained(`Event: step.two - ${a + b + c}`),
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
    'passes on a number instead of the first sum': {
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
    'never declares completion': NEVER_COMPLETES,
    'ralph does not notice the promise': ignoresCompletion('ends', 'ended'),
    'ralph loses events': { target: 'lose-events', kills: ['order'], failure: 'EventMissing' },
    'ralph passes no event on': {
      target: 'drop-pending-events',
      kills: ['told2', 'told3', 'ends'],
      why: 'Each iteration has a fresh context: what is not in the prompt is lost.',
    },
  },
});

/** What the agent says about the promise before it is time. Neither line is a declaration: the first is not the last. */
const MENTION = 'LOOP_COMPLETE\nI will say LOOP_COMPLETE when the draft is checked.';

/** Mentions the promise in passing, which must not end the loop, and then declares it, which must. */
const completion = scenario({
  id: 'claude-completion',
  backend: 'claude',
  priority: 'must',
  description:
    'LOOP_COMPLETE ends the loop when it is declared, not when it is only mentioned, even on a line of its own',
  covers: ['FR1', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      'This tests that ralph does not end the loop when the promise is only mentioned. Do exactly one of these two steps per iteration.',
      `1. If draft.txt does not exist: work out ${a} + ${b}. Write only the sum to draft.txt, as plain digits without commas.`,
      '   Do not declare completion: end your reply with exactly these two lines, as plain text:',
      ...MENTION.split('\n').map((line) => `   ${line}`),
      `2. If draft.txt exists: write only one line to final.txt: the number in draft.txt, a space, and ${nonce} in uppercase. Then declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(2),
    ended: endedAtOnce(),
    said: saidInOrder('LOOP_COMPLETE', 'I will say LOOP_COMPLETE when the draft is checked.'),
    file: fileEquals('final.txt', `${a + b} ${nonce.toUpperCase()}`),
  }),

  agent: [
    onObjective(/work out (\d+) \+ (\d+)/)
      .once()
      .writes('draft.txt', '{{add 1 2}}\n')
      .says(MENTION),
    onObjective(/work out (\d+) \+ (\d+)[\s\S]*a space, and (\w+) in uppercase/)
      .readsFile('draft.txt')
      .writes('final.txt', '{{add 1 2}} {{upper 3}}\n')
      .completes(),
  ],

  saboteurs: {
    'ralph ends the loop when the promise is only mentioned': {
      target: 'complete-too-early',
      kills: ['ends', 'iterations', 'ended', 'file'],
      failure: 'UnexpectedTermination',
      why: 'A loop that ends at the first mention of its promise has not finished its work.',
    },
    'ralph takes a mention for a declaration': {
      target: 'promise-anywhere',
      kills: ['ends', 'iterations', 'ended', 'file'],
      failure: 'UnexpectedTermination',
      why: 'Agents quote their prompt and write down plans: the promise is often on a line of its own.',
    },
    'declares completion before the draft is checked': {
      agent: withoutWriting('final.txt'),
      kills: ['file'],
    },
    'never declares completion': NEVER_COMPLETES,
    'ralph does not notice the promise': IGNORES_COMPLETION,
  },
});

export const iterations = [...BACKEND_IDS.map(singleIteration), multiIteration, completion];
