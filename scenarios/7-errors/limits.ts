import {
  agentSaid,
  eventEmitted,
  fileEquals,
  iterationCount,
  iterationLasted,
  loop,
  onAnyPrompt,
  onObjective,
  scenario,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverStops } from '../support/saboteurs.js';

/** ralph looks at its own limit of time between iterations: the iteration that passes it is the last. */
const maxRuntime = scenario({
  id: 'max-runtime',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: "A loop ends at ralph's own limit of time, after the iteration that passed it",
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    // So much that two iterations without the wait are over before it, on a busy machine too.
    config: loop({ maxIterations: 5, maxRuntimeSeconds: 6 }),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      '1. If waited.txt does not exist: run the shell command `sleep 7` in the foreground. Then write waited.txt.',
      `   It holds one line: ${nonce} in capital letters.`,
      `   Then say one line: the word WAITED, a blank, and the result of ${a} + ${b}. Do not declare completion.`,
      '2. If waited.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('max_runtime', 2),
    iterations: iterationCount(1),
    lasts: iterationLasted(1, 7),
    said: agentSaid(`WAITED ${a + b}`),
    file: fileEquals('waited.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/one line: (\w+) in capital letters[\s\S]*result of (\d+) \+ (\d+)/)
      .once()
      .runs('sleep 7')
      .writes('waited.txt', '{{upper 1}}\n')
      .says('WAITED {{add 2 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'is done in time': {
      agent: without('runs'),
      kills: ['ends', 'iterations', 'lasts'],
      failure: 'UnexpectedTermination',
    },
    'waits, does not write': { agent: without('writes'), kills: ['file'] },
    'waits, does not say so': { agent: without('says'), kills: ['said'] },
    'the limit of time is ignored': neverStops('ends', 'iterations'),
  },
});

/** Crashes in a row end the loop; a good iteration between them starts the count anew. */
const attempt = onObjective(/attempts\.txt: (\w+) in capital letters[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('attempts.txt', '{{upper 1}}\n');
const crash = attempt.runs('kill -9 $PPID');
const good = attempt.says('WELL {{add 2 3}}');

const consecutiveFailures = scenario({
  id: 'consecutive-failures',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'Failures in a row end the loop; a good iteration starts the count anew',
  covers: ['FR5', 'FR9'],
  expectedIterations: 4,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 8, maxConsecutiveFailures: 2 }),
    prompt: [
      'In every iteration do these two things, nothing else, and never declare completion:',
      `1. Append one line to attempts.txt: ${nonce} in capital letters.`,
      `2. If attempts.txt now has exactly two lines, say one line: the word WELL, a blank, and the result of ${a} + ${b}.`,
      '   In every other case run the shell command `kill -9 $PPID`: it ends your own program in the middle, which is',
      '   what is tested here.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(4),
    said: agentSaid(`WELL ${a + b}`, { iteration: 2 }),
    file: fileEquals('attempts.txt', Array(4).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [crash, good, crash, crash, onAnyPrompt().completes()],

  saboteurs: {
    'recovers from its last crash': {
      agent: [crash, good, crash, good, onAnyPrompt().completes()],
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'goes well, does not say so': { agent: without('says'), kills: ['said'] },
    'crashes before its work': { agent: without('appends'), kills: ['file'] },
    'the limit of failures is ignored': neverStops('ends', 'iterations'),
    'the first failure is the last': {
      config: arranging({ config: loop({ maxIterations: 8, maxConsecutiveFailures: 1 }) }),
      kills: ['iterations', 'file'],
      failure: 'UnexpectedTermination',
    },
  },
});

/** The same event three times in a row: nothing moves any more. */
const report = onObjective(/status\.report "(\w+)" in capital letters/)
  .once()
  .emits('status.report', '{{upper 1}}');

const loopStale = scenario({
  id: 'loop-stale',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A loop in which the same event comes three times in a row is ended as stale',
  covers: ['FR6', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6 }),
    prompt: [
      'In every iteration run this one command, with the word in quotes changed to capital letters, and stop:',
      `ralph emit status.report "${nonce}" in capital letters`,
      'The objective is never complete: never declare completion.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('loop_stale', 1),
    iterations: iterationCount(3),
    published: eventEmitted('status.report', nonce.toUpperCase()),
  }),

  agent: [report, report, report, onAnyPrompt().completes()],

  saboteurs: {
    'reports another word': {
      agent: changingEach('emit', (step) => ({ ...step, payload: 'unchanged' })),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'has something new to report': {
      agent: [report, report.emits('status.progress', 'half'), report, onAnyPrompt().completes()],
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'staleness is ignored': neverStops('ends', 'iterations'),
  },
});

export const limits = [maxRuntime, consecutiveFailures, loopStale];
