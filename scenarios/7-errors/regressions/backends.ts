import {
  agentSaid,
  backendReported,
  completed,
  earlierSessionEnded,
  endedAtOnce,
  eventEmitted,
  fileEquals,
  iterationCount,
  iterationsAtLeast,
  loop,
  onAnyPrompt,
  onObjective,
  promptLacked,
  scenario,
  terminatedBecause,
  without,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ignoresCompletion, neverCompletes, neverStops } from '../../support/saboteurs.js';

/* Bugs of Ralph in events and backends. Each scenario is named after its issue. */

/** #82: all runs shared one events file, so Ralph took events of an earlier run for new ones. In the list of tier 3. */
export const issue82StaleEvents = scenario({
  id: 'issue-82-stale-events',
  description: 'A new run does not see events of an earlier run',
  covers: ['FR6'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    before: [
      {
        session: {
          prompt: 'Append the line `seen` to the scratchpad file and stop. Do not declare completion.',
          args: ['--max-iterations', '1'],
        },
      },
      { ralph: ['emit', 'old.finding', nonce] },
    ],
    prompt: `Write only the result of ${a} + ${b}, as plain digits without commas, to sum.txt, then declare the objective complete.`,
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
    onObjective('`seen`').notes('seen'),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations'),
    'continues the earlier run': {
      config: arranging({ args: ['--continue'] }),
      kills: ['untold'],
      why: 'In a continued run the event belongs to the run, so the agent must see it.',
    },
  },
});

/** #82, its title: OpenCode failed, and Ralph showed no reason. */
const issue82UsableError = scenario({
  id: 'issue-82-opencode-usable-error',
  backend: 'opencode',
  // A real account cannot be made to fail like this on purpose.
  lanes: ['sim', 'scripted'],
  phase: 'red',
  description: 'With -v Ralph shows why OpenCode failed',
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
    'does not fail': {
      agent: [onAnyPrompt().says('hello').completes()],
      kills: ['ends', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'fails for another reason': {
      agent: [onAnyPrompt().fails({ type: 'not-found', message: 'no such model' })],
      kills: ['reported'],
      failure: 'BackendError',
    },
    'Ralph does not count the failure': neverStops('ends', 'iterations'),
    '-v is missing': {
      config: arranging({ args: [] }),
      kills: ['reported'],
      failure: 'BackendError',
      why: "Without -v Ralph does not show a backend's stderr.",
    },
  },

  notApplicable: {
    'acts-silently': 'the agent says and does nothing: its service refuses it',
    'wrong-place': 'the agent says and does nothing: its service refuses it',
  },
});

/** #234: Ralph took progress reported in the same words for a stuck loop. */
const oneTask = onObjective(/tasks\.txt: (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('tasks.txt', '{{upper 1}}\n')
  .says('SUM {{add 2 3}}')
  .emits('task.complete', 'one more task');

const issue234 = scenario({
  id: 'issue-234-stale-on-legitimate-repeats',
  description: 'Repeated task.complete events with the same words are progress, not staleness',
  covers: ['FR5', 'FR6'],
  expectedIterations: 5,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 8 }),
    prompt: [
      'There are four identical tasks. Do exactly one of them in each iteration. A task has three parts, in this order:',
      `- append exactly one line to tasks.txt: ${nonce} in uppercase`,
      `- say one line of plain text: \`SUM <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas`,
      '- run `ralph emit task.complete "one more task"`, the same each time: this tests that Ralph takes that for progress. Ralph ends you soon after it',
      'If tasks.txt has four lines when an iteration begins, do no task and declare the objective complete. Never do both in one iteration.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(5),
    ended: endedAtOnce(),
    said: agentSaid(`SUM ${a + b}`),
    published: eventEmitted('task.complete', 'one more task'),
    file: fileEquals('tasks.txt', Array(4).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [oneTask, oneTask, oneTask, oneTask, onAnyPrompt().completes()],

  exempt: { 'speaks-too-late': 'the prompt says that the words come before the event' },

  saboteurs: {
    'reports with another event': {
      agent: emitting('task.complete', { topic: 'task.report' }),
      kills: ['ends', 'iterations', 'published', 'file'],
      failure: 'EventMissing',
      why: 'Any other event that comes three times with the same words ends the loop as stale.',
    },
    'works without saying so': { agent: without('says'), kills: ['said'] },
    'ralph does not notice the promise': ignoresCompletion('ends', 'ended'),
  },
});

export const backendRegressions = [issue82UsableError, issue234];
