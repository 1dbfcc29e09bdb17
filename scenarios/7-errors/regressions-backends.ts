import {
  agentSaid,
  backendReported,
  completed,
  earlierSessionEnded,
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  promptLacked,
  scenario,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverCompletes, neverStops } from '../support/saboteurs.js';

/** Bugs of ralph around events and backends, each scenario named after its issue. */

/** #82: events of an earlier run, which all runs shared a file with, were taken for events of the new one. */
const issue82StaleEvents = scenario({
  id: 'issue-82-stale-events',
  tier: 3,
  priority: 'should',
  phase: 'green',
  description: 'A new run sees no event that an earlier one left',
  covers: ['FR6'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    before: [
      {
        session: {
          prompt: 'Append the line "seen" to the scratchpad file and stop. Never declare completion.',
          args: ['--max-iterations', '1'],
        },
      },
      { ralph: ['emit', 'old.finding', nonce] },
    ],
    prompt: `Write the result of ${a} + ${b} into sum.txt, then declare the objective complete.`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    earlier: earlierSessionEnded(2),
    ends: completed(),
    iterations: iterationCount(1),
    untold: promptLacked(nonce),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective('"seen"').notes('seen'),
  ],

  saboteurs: {
    'says it, does not do it': { agent: without('writes'), kills: ['file'] },
    'never completes': neverCompletes('ends', 'iterations'),
    'goes on with the earlier run': {
      config: arranging({ args: ['--continue'] }),
      kills: ['untold'],
      failure: 'AssertionMismatch',
      why: 'There the event belongs to the run, and must be seen.',
    },
    'the earlier run completes': {
      config: arranging({ before: [{ session: { prompt: 'Write the result of 1 + 1 into sum.txt.' } }] }),
      kills: ['earlier'],
      failure: 'AssertionMismatch',
    },
  },
});

/** #82, its title: OpenCode failed, and nothing that ralph showed told why. */
const issue82UsableError = scenario({
  id: 'issue-82-opencode-usable-error',
  backend: 'opencode',
  // No account can be made to fail like this on purpose.
  lanes: ['sim', 'scripted'],
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'What OpenCode says about its failure can be seen with -v',
  covers: ['FR3', 'FR9'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 4, maxConsecutiveFailures: 1 }),
    prompt: 'Say hello, then declare the objective complete.',
    args: ['-v'],
  }),

  expect: () => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(1),
    reported: backendReported(/this model was retired in spring/),
  }),

  agent: [
    onAnyPrompt().once().fails({ type: 'not-found', message: 'this model was retired in spring' }),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'works after all': {
      agent: [onAnyPrompt().says('hello').completes()],
      kills: ['ends', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'fails for another reason': {
      agent: [onAnyPrompt().fails({ type: 'not-found', message: 'no such model' })],
      kills: ['reported'],
      failure: 'BackendError',
    },
    'the failure does not count': neverStops('ends', 'iterations'),
    'ralph is not asked to show it': {
      config: arranging({ args: [] }),
      kills: ['reported'],
      failure: 'BackendError',
      why: 'Without -v ralph keeps to itself what a backend prints on stderr.',
    },
  },

  notApplicable: {
    'acts-silently': 'the agent neither says nor does anything: its service refuses it',
    'wrong-place': 'the agent neither says nor does anything: its service refuses it',
  },
});

/** #234: progress that is reported in the same words each time was taken for a loop that is stuck. */
const oneTask = onObjective(/tasks\.txt: (\w+) in capital letters[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('tasks.txt', '{{upper 1}}\n')
  .says('SUM {{add 2 3}}')
  .emits('task.complete', 'one more task');

const issue234 = scenario({
  id: 'issue-234-stale-on-legitimate-repeats',
  tier: 7,
  priority: 'should',
  phase: 'green',
  description: 'task.complete may come again and again in the same words: it is progress, not staleness',
  covers: ['FR5', 'FR6'],
  expectedIterations: 5,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 8 }),
    prompt: [
      'There are four tasks, all alike. Do exactly one of them in an iteration:',
      `- append one line to tasks.txt: ${nonce} in capital letters`,
      `- say one line: the word SUM, a blank, and the result of ${a} + ${b}`,
      '- run: ralph emit task.complete "one more task"',
      'When tasks.txt has four lines already, declare the objective complete instead.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(5),
    said: agentSaid(`SUM ${a + b}`, { iteration: 1 }),
    published: eventEmitted('task.complete', 'one more task'),
    file: fileEquals('tasks.txt', Array(4).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [oneTask, oneTask, oneTask, oneTask, onAnyPrompt().completes()],

  saboteurs: {
    'reports under another name': {
      agent: emitting('task.complete', { topic: 'task.report' }),
      kills: ['ends', 'iterations', 'published', 'file'],
      failure: 'EventMissing',
      why: 'Any other event that comes three times in the same words does end the loop as stale.',
    },
    'reports, does not work': { agent: without('appends'), kills: ['file'] },
    'works without a word': { agent: without('says'), kills: ['said'] },
  },
});

export const backendRegressions = [issue82StaleEvents, issue82UsableError, issue234];
