import {
  agentSaid,
  endedAtOnce,
  endReported,
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
import { neverStops } from '../support/saboteurs.js';

/** Ralph checks its time limit between iterations: the iteration that exceeds it is the last. */
const maxRuntime = scenario({
  id: 'max-runtime',
  phase: 'red',
  description: "A loop ends at Ralph's own time limit, after the iteration that exceeded it",
  covers: ['FR5', 'FR9'],
  waitsSeconds: 7,
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    // Long enough for two iterations without the wait, even on a busy machine.
    config: loop({ maxIterations: 5, maxRuntimeSeconds: 6 }),
    files: { 'wait.sh': 'sleep 7\n' },
    prompt: [
      'This tests that Ralph ends a loop at its time limit. There are two steps. Do exactly one of them in each iteration.',
      '1. If waited.txt does not exist: run the shell command `sh wait.sh` in the foreground and wait until it ends.',
      `   Then write exactly one line to waited.txt: ${nonce} in uppercase.`,
      `   Then say exactly one line of plain text: \`WAITED <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas. Do not declare completion.`,
      '2. If waited.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('max_runtime', 2),
    reported: endReported({
      label: 'Maximum runtime exceeded',
      status: 'Stopped at runtime limit.',
      exitCode: 2,
      resumable: true,
    }),
    iterations: endedAtOnce(`WAITED ${a + b}`),
    lasts: iterationLasted('last', 7),
    said: agentSaid(`WAITED ${a + b}`),
    file: fileEquals('waited.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/waited\.txt: (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
      .once()
      .runs('sh wait.sh')
      .writes('waited.txt', '{{upper 1}}\n')
      .says('WAITED {{add 2 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'does not wait': {
      agent: without('runs'),
      kills: ['ends', 'iterations', 'lasts'],
      failure: 'UnexpectedTermination',
    },
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph ignores the time limit': neverStops('ends', 'iterations'),
  },
});

/** Crashes in a row end the loop. A good iteration in between resets the count. */
const attempt = onObjective(/attempts\.txt: (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('attempts.txt', '{{upper 1}}\n');
const crash = attempt.runs('kill -9 $PPID');
const good = attempt.says('WELL {{add 2 3}}');

const consecutiveFailures = scenario({
  id: 'consecutive-failures',
  phase: 'red',
  description: 'Failures in a row end the loop, and a good iteration resets the count',
  covers: ['FR5', 'FR9'],
  expectedIterations: 4,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 8, maxConsecutiveFailures: 2 }),
    prompt: [
      'This tests what Ralph does when its agent crashes. In every iteration do only these two things, and never declare completion:',
      `1. Append exactly one line to attempts.txt: ${nonce} in uppercase.`,
      `2. If attempts.txt now has exactly two lines, say exactly one line of plain text: \`WELL <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas.`,
      '   In every other case run the shell command `kill -9 $PPID`. It ends your own program: that is the crash that the test needs.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(4),
    said: agentSaid(`WELL ${a + b}`, { iteration: 2 }),
    file: fileEquals('attempts.txt', Array(4).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [crash, good, crash, crash, onAnyPrompt().completes()],

  exempt: {
    'one-more-iteration': 'what Ralph promises is a count: how many failures in a row end the loop',
  },

  saboteurs: {
    'recovers from its last crash': {
      agent: [crash, good, crash, good, onAnyPrompt().completes()],
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'Ralph ignores the limit of failures': neverStops('ends', 'iterations'),
  },
});

/** Publishes the same event each time: the loop is stuck. */
const report = onObjective(/WORD replaced by (\w+) in uppercase/)
  .once()
  .emits('status.report', '{{upper 1}}');

const loopStale = scenario({
  id: 'loop-stale',
  phase: 'red',
  description: 'A loop ends as stale when the same event comes three times in a row',
  covers: ['FR6', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6 }),
    prompt: [
      `In every iteration run only this command, with WORD replaced by ${nonce} in uppercase, and stop:`,
      'ralph emit status.report "WORD"',
      'Never declare completion: this tests that Ralph ends a loop that repeats the same event.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('loop_stale', 1),
    reported: endReported({
      label: 'Stale loop detected',
      status: 'Stale loop detected - same topic emitted 3+ times consecutively.',
      exitCode: 1,
      resumable: true,
    }),
    iterations: iterationCount(3),
    published: eventEmitted('status.report', nonce.toUpperCase()),
  }),

  agent: [report, report, report, onAnyPrompt().completes()],

  exempt: { 'one-more-iteration': 'what Ralph promises is a count: how many repeats end the loop' },

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
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph ignores staleness': neverStops('ends', 'iterations'),
  },
});

export const limits = [maxRuntime, consecutiveFailures, loopStale];
