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
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverStops, noBuiltIns } from '../support/saboteurs.js';

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

  expect: ({ nonce, lane }) => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(1),
    said: agentSaid(`READY ${nonce.toUpperCase()}`, { iteration: 1 }),
    lasts: iterationLasted(1, silence(lane)),
  }),

  agent: [
    onObjective(/a blank, and (\w+) in capital letters/)
      .once()
      .says('READY {{upper 1}}')
      .hangs(),
    // Only a ralph that does not count the failure gets this far.
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'hangs without a word': { agent: without('says'), kills: ['said'] },
    'answers instead of hanging': {
      agent: without('hangs'),
      kills: ['ends', 'iterations', 'lasts'],
      failure: 'UnexpectedTermination',
    },
    'the failure does not count': neverStops('ends', 'iterations'),
  },
});

/** An agent that works but never completes is stopped at the limit, and ralph says so. */
const oneMoreLine = onObjective(/current folder: (\w+) in capital letters[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('turns.txt', '{{upper 1}}\n')
  .says('SUM {{add 2 3}}');

const maxIterations = scenario({
  id: 'max-iterations',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A loop that never completes ends at its limit of iterations',
  covers: ['FR5', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: [
      `In every iteration append one line to turns.txt in the current folder: ${nonce} in capital letters.`,
      `Then say one line: the word SUM, a blank, and the result of ${a} + ${b}.`,
      'The objective is never complete: never declare completion, only do these two things and stop.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('max_iterations', 2),
    iterations: iterationCount(3),
    said: agentSaid(`SUM ${a + b}`, { iteration: 3 }),
    file: fileEquals('turns.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  }),

  // Only a ralph without a limit asks for a fourth turn.
  agent: [oneMoreLine, oneMoreLine, oneMoreLine, onAnyPrompt().completes()],

  saboteurs: {
    'says it, does not do it': { agent: without('appends'), kills: ['file'] },
    'does it, does not say it': { agent: without('says'), kills: ['said'] },
    'gives up after two lines': {
      agent: [oneMoreLine, oneMoreLine.completes()],
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
    },
    'the limit is ignored': neverStops('ends', 'iterations'),
  },
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

  expect: () => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(2),
    reported: backendReported(
      /api[ -_]?key|not logged in|log ?in|unauthorized|authenticat|credential|401|403/i,
    ),
    wouldSkip: harnessWouldSkip(/not authenticated/i),
  }),

  agent: [onAnyPrompt().refusesCredentials()],

  saboteurs: {
    'is let in after all': {
      agent: [onAnyPrompt().says('hello').completes()],
      kills: ['ends', 'iterations', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'fails for another reason': {
      agent: [onAnyPrompt().fails({ type: 'not-found', message: 'no such model' })],
      kills: ['reported'],
      failure: 'BackendError',
    },
    'the harness is asked with the wrong thing missing': {
      config: arranging({ probe: 'without-executable' }),
      kills: ['wouldSkip'],
      failure: 'AssertionMismatch',
    },
  },

  notApplicable: {
    'acts-silently': 'the agent neither says nor does anything: its service refuses it',
    'wrong-place': 'the agent neither says nor does anything: its service refuses it',
  },
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

  expect: () => ({
    refuses: failedToRun(1, /No such file or directory/),
    neverCalled: backendNeverCalled(),
    wouldSkip: harnessWouldSkip(/not (?:found|on PATH|installed)/i),
  }),

  agent: [],

  saboteurs: {
    'the backend is there after all': {
      config: arranging({
        files: { 'no-such-agent-cli': { content: '#!/bin/sh\necho LOOP_COMPLETE\n', mode: 0o755 } },
      }),
      kills: ['refuses', 'neverCalled'],
      failure: 'UnexpectedTermination',
    },
    'the harness is asked with the wrong thing missing': {
      config: arranging({ probe: 'without-credentials' }),
      kills: ['wouldSkip'],
      failure: 'AssertionMismatch',
    },
  },

  notApplicable: noBuiltIns('no agent takes part: the backend is not there'),
});

export const errorHandling = [timeoutHandling, maxIterations, authFailure, backendUnavailable];
