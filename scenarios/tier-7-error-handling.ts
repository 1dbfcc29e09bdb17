import {
  agentSaid,
  backendNeverCalled,
  backendReported,
  failedToRun,
  fileEquals,
  harnessWouldSkip,
  iterationCount,
  iterationLasted,
  type Lane,
  loop,
  onAnyPrompt,
  onObjective,
  scenario,
  terminatedBecause,
} from '../src/authoring.js';

/** How long a backend may be silent: a stand-in is silent only when it hangs, a real CLI while it starts, a model thinks. */
const silence = (lane: Lane) => ({ sim: 2, scripted: 30, live: 45 })[lane];

/** A backend that goes silent is ended by ralph, counts as a failure, and leaves no process. */
const timeoutHandling = scenario({
  id: 'timeout-handling',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A backend that goes silent is ended and counted as a failure',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, lane }) => ({
    config: loop({ maxIterations: 3, maxConsecutiveFailures: 1, inactivitySeconds: silence(lane) }),
    prompt: [
      `First say one line: the word READY, a blank, and ${nonce} in capital letters.`,
      'Then run the shell command `sleep 3600` in the foreground and wait until it ends. Do nothing else.',
    ].join('\n'),
  }),

  expect: ({ nonce, lane }) => [
    terminatedBecause('consecutive_failures', 1),
    iterationCount(1),
    agentSaid(`READY ${nonce.toUpperCase()}`, { iteration: 1 }),
    iterationLasted(1, silence(lane)),
  ],

  agent: [
    onObjective(/a blank, and (\w+) in capital letters/)
      .says('READY {{upper 1}}')
      .hangs(),
  ],
});

/** An agent that works but never completes is stopped at the limit, and ralph says so. */
const maxIterations = scenario({
  id: 'max-iterations',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A loop that never completes ends at its limit of iterations',
  covers: ['FR5', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: [
      `In every iteration append one line to turns.txt in the current folder: ${nonce} in capital letters.`,
      'The objective is never complete: never declare completion, only append the line and stop.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => [
    terminatedBecause('max_iterations', 2),
    iterationCount(3),
    fileEquals('turns.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  ],

  agent: [
    onObjective(/current folder: (\w+) in capital letters/)
      .appends('turns.txt', '{{upper 1}}\n')
      .says('One more line.'),
  ],
});

/** Refused credentials: ralph gives up after its limit of failures; the harness does not even start. */
const authFailure = scenario({
  id: 'auth-failure',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description:
    'A backend whose credentials are refused ends the loop; without credentials the harness skips it',
  covers: ['FR9'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 5, maxConsecutiveFailures: 2 }),
    prompt: 'Say hello, then declare the objective complete.',
    // Without -v ralph shows nothing of what a backend prints on stderr.
    args: ['-v'],
    credentials: 'refused',
    probe: 'without-credentials',
  }),

  expect: () => [
    terminatedBecause('consecutive_failures', 1),
    iterationCount(2),
    backendReported(/api[ -_]?key|not logged in|log ?in|unauthorized|authenticat|credential|401|403/i),
    harnessWouldSkip(/not authenticated/i),
  ],

  agent: [onAnyPrompt().refusesCredentials()],
});

/** No backend: ralph says so and ends at once; the harness skips with the reason. */
const backendUnavailable = scenario({
  id: 'backend-unavailable',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A backend that is not installed ends the loop at once; the harness skips it',
  covers: ['FR9'],

  arrange: () => ({
    config: loop({ maxIterations: 3, command: './no-such-agent-cli' }),
    prompt: 'Say hello, then declare the objective complete.',
    probe: 'without-executable',
  }),

  expect: () => [
    failedToRun(1, /No such file or directory/),
    backendNeverCalled(),
    harnessWouldSkip(/not (?:found|on PATH|installed)/i),
  ],

  agent: [],
});

export const errorHandling = [timeoutHandling, maxIterations, authFailure, backendUnavailable];
