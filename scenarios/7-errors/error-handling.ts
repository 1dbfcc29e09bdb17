import {
  agentSaid,
  backendNeverCalled,
  backendReported,
  commandOf,
  endedAtOnce,
  endReported,
  failedToRun,
  fileEquals,
  guard,
  harnessWouldSkip,
  iterationCount,
  iterationLasted,
  type Lane,
  loop,
  onAnyPrompt,
  onObjective,
  type ScenarioContext,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { neverStops, noBuiltIns } from '../support/saboteurs.js';
import { wrapper } from '../support/wrapper.js';

/** Ralph's limit for silence. A real CLI is silent also while it starts, and while the model thinks. */
const silence = (lane: Lane) => ({ sim: 2, scripted: 30, live: 90 })[lane];

/**
 * Passes everything on until the agent is ready. Then it withholds the end of the answer and goes silent. The agent
 * cannot do this itself: while a tool runs, Claude Code prints a sign of life every 30 s.
 */
const silentOnceReady = ({ backend, nonce }: ScenarioContext) =>
  wrapper(
    [
      `${commandOf(backend)} "$@" | {`,
      '  while IFS= read -r line || [ -n "$line" ]; do',
      `    case $line in *${nonce.toUpperCase()}*) ready=1 ;; esac`,
      `    case $ready$line in 1*'"type":"result"'*) ;; *) printf '%s\\n' "$line" ;; esac`,
      '  done',
      '  [ -z "$ready" ] || exec sleep 3600',
      '}',
    ].join('\n'),
  );

/** Ralph ends a backend that goes silent, counts it as a failure, and leaves no process behind. */
const timeoutHandling = scenario({
  id: 'timeout-handling',
  phase: 'red',
  description: 'A backend that goes silent is ended and counts as a failure',
  covers: ['FR9'],
  waitsSeconds: 2,
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({
      maxIterations: 3,
      maxConsecutiveFailures: 1,
      inactivitySeconds: silence(context.lane),
      command: './agent.sh',
    }),
    files: silentOnceReady(context),
    prompt: [
      `Say exactly one line of plain text, without Markdown: \`READY <word>\`. <word> is ${context.nonce} in uppercase.`,
      'Do nothing else, and do not declare completion: this tests that Ralph ends an agent that goes silent. A script around your program keeps it running after this line.',
    ].join('\n'),
  }),

  expect: ({ nonce, lane }) => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: endedAtOnce(`READY ${nonce.toUpperCase()}`),
    said: agentSaid(`READY ${nonce.toUpperCase()}`),
    lasts: iterationLasted('last', silence(lane)),
  }),

  agent: [
    onObjective(/<word> is (\w+) in uppercase/)
      .once()
      .says('READY {{upper 1}}'),
    // Only a Ralph that does not count the failure gets this far.
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'goes silent without being ready': {
      agent: changingEach('say', (step) => ({ ...step, text: step.text.replace('READY', 'NOT') })),
      kills: ['iterations', 'said'],
    },
    'ends instead of going silent': {
      config: arranging((context) => ({ files: wrapper(`exec ${commandOf(context.backend)} "$@"`) })),
      kills: ['ends', 'iterations', 'lasts'],
      failure: 'UnexpectedTermination',
    },
    'Ralph does not count the failure': neverStops('ends', 'iterations'),
  },
});

/** Works and never completes: only the limit ends the loop. */
const oneMoreLine = onObjective(/current folder: (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
  .once()
  .appends('turns.txt', '{{upper 1}}\n')
  .says('SUM {{add 2 3}}');

const maxIterations = scenario({
  id: 'max-iterations',
  phase: 'red',
  description: 'A loop that never completes ends at its iteration limit',
  covers: ['FR5', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: [
      `In every iteration append exactly one line to turns.txt in the current folder: ${nonce} in uppercase.`,
      `Then say exactly one line of plain text: \`SUM <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas.`,
      'Do nothing else and stop. Never declare completion: this tests that Ralph ends the loop at its iteration limit.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('max_iterations', 2),
    reported: endReported({
      label: 'Maximum iterations reached',
      status: 'Stopped at iteration limit.',
      exitCode: 2,
      resumable: true,
    }),
    iterations: iterationCount(3),
    said: agentSaid(`SUM ${a + b}`, { iteration: 3 }),
    file: fileEquals('turns.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  }),

  // Only a Ralph without a limit asks for a fourth turn.
  agent: [oneMoreLine, oneMoreLine, oneMoreLine, onAnyPrompt().completes()],

  saboteurs: {
    'gives up after two lines': {
      agent: [oneMoreLine, oneMoreLine.completes()],
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
    },
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph ignores the limit': neverStops('ends', 'iterations'),
  },
});

/** Refused credentials: Ralph gives up at its limit of failures, and the harness would skip the backend. */
const authFailure = scenario({
  id: 'auth-failure',
  phase: 'red',
  description:
    'A backend whose credentials are refused ends the loop; without credentials the harness skips it',
  covers: ['FR9'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 5, maxConsecutiveFailures: 2 }),
    prompt: 'Say hello, then declare the objective complete.',
    // Ralph shows a backend's stderr only with -v.
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
    'the credentials are accepted': {
      agent: [onAnyPrompt().says('hello').completes()],
      kills: ['ends', 'iterations', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'fails for another reason': {
      agent: [onAnyPrompt().fails({ type: 'not-found', message: 'no such model' })],
      kills: ['reported'],
      failure: 'BackendError',
    },
    'the probe tests another reason to skip': {
      config: arranging({ probe: 'without-executable' }),
      kills: ['wouldSkip'],
    },
  },

  notApplicable: {
    'acts-silently': 'the agent says and does nothing: its service refuses it',
    'wrong-place': 'the agent says and does nothing: its service refuses it',
  },
});

/** No backend: Ralph reports it and ends at once, and the harness skips it with the reason. */
const backendUnavailable = scenario({
  id: 'backend-unavailable',
  phase: 'red',
  description: 'A backend that is not installed ends the loop at once, and the harness skips it',
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
    'the backend is installed': {
      config: arranging({
        files: { 'no-such-agent-cli': { content: '#!/bin/sh\necho LOOP_COMPLETE\n', mode: 0o755 } },
      }),
      kills: ['refuses', 'neverCalled'],
      failure: 'UnexpectedTermination',
    },
    'the probe tests another reason to skip': {
      config: arranging({ probe: 'without-credentials' }),
      kills: ['wouldSkip'],
    },
  },

  notApplicable: noBuiltIns('no agent takes part: the backend is not installed'),
});

/** A flag that Ralph does not have, perhaps of a newer version. */
const wrongArguments = scenario({
  id: 'wrong-arguments',
  ...MECHANICS,
  phase: 'red',
  description: 'A flag that Ralph does not know is named and refused before a loop starts',
  covers: ['FR9'],

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    prompt: 'Say hello, then declare the objective complete.',
    args: ['--no-such-flag'],
  }),

  expect: () => ({
    refuses: failedToRun(2, /unexpected argument '--no-such-flag'/),
    neverCalled: guard(
      backendNeverCalled(),
      'a Ralph that refuses its arguments has no loop that could call',
    ),
  }),

  agent: [onAnyPrompt().completes()],

  saboteurs: {
    'the flag exists': {
      config: arranging({ args: ['--max-iterations', '2'] }),
      kills: ['refuses', 'neverCalled'],
      failure: 'UnexpectedTermination',
    },
  },

  notApplicable: noBuiltIns('no agent takes part: there is no loop'),
});

export const errorHandling = [
  timeoutHandling,
  maxIterations,
  authFailure,
  backendUnavailable,
  wrongArguments,
];
