import {
  agentSaid,
  endedAtOnce,
  endReported,
  eventEmitted,
  fileEquals,
  loop,
  onAnyPrompt,
  onObjective,
  promptLacked,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverStops } from '../support/saboteurs.js';

/** A file asks Ralph to stop: it finishes its iteration and ends. */
const stopFile = scenario({
  id: 'stop-file',
  phase: 'red',
  description: 'A stop request ends the loop after the current iteration',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      'This tests that a stop request ends the loop. There are two steps. Do exactly one of them in each iteration.',
      `1. If sum.txt does not exist: write only the result of ${a} + ${b}, as plain digits without commas, to it. Then run \`touch .ralph/stop-requested\`.`,
      `   Then say exactly one line of plain text: \`STOPPING <word>\`. <word> is ${nonce} in uppercase. Do not declare completion.`,
      '2. If sum.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('stopped', 1),
    reported: endReported({
      label: 'Manually stopped',
      status: 'Manually stopped.',
      exitCode: 1,
      resumable: true,
    }),
    iterations: endedAtOnce(`STOPPING ${nonce.toUpperCase()}`),
    said: agentSaid(`STOPPING ${nonce.toUpperCase()}`),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*<word> is (\w+) in uppercase/)
      .once()
      .writes('sum.txt', '{{add 1 2}}\n')
      .runs('touch .ralph/stop-requested')
      .says('STOPPING {{upper 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'Ralph ignores the stop file': neverStops('ends', 'reported', 'iterations'),
  },
});

const CANCELLATION = { maxIterations: 4, cancellationPromise: 'loop.cancel' };

/** The cancellation event ends the loop with exit code 0 and without completion. */
const cancellation = scenario({
  id: 'cancellation',
  phase: 'red',
  description: 'The cancellation event ends the loop without an error and without completion',
  covers: ['FR6', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop(CANCELLATION),
    prompt: [
      'This tests that an event cancels the loop. There are two steps. Do exactly one of them in each iteration.',
      `1. If sum.txt does not exist: write only the result of ${a} + ${b}, as plain digits without commas, to it. Then cancel the loop with this command,`,
      `   with WORD replaced by ${nonce} in uppercase: \`ralph emit loop.cancel "WORD"\`. Do not declare completion.`,
      '2. If sum.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('cancelled', 0),
    reported: endReported({
      label: 'Cancelled gracefully',
      status: 'Cancelled gracefully (human rejection or timeout).',
      exitCode: 0,
      resumable: false,
    }),
    untold: promptLacked('Event: loop.cancel'),
    published: eventEmitted('loop.cancel', nonce.toUpperCase()),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*WORD replaced by (\w+) in uppercase/)
      .once()
      .writes('sum.txt', '{{add 1 2}}\n')
      .emits('loop.cancel', '{{upper 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'cancels with another word': {
      agent: emitting('loop.cancel', { payload: 'no reason' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'no cancellation event is configured': {
      config: arranging({ config: loop({ maxIterations: 4 }) }),
      kills: ['ends', 'untold'],
      failure: 'UnexpectedTermination',
      why: 'Without the setting it is an ordinary event, and the loop continues.',
    },
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph ignores the cancellation': {
      target: 'ignore-cancellation',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const stopping = [stopFile, cancellation];
