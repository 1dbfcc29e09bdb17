import {
  agentSaid,
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  scenario,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverStops } from '../support/saboteurs.js';

/** A file that asks ralph to stop: it finishes its iteration and ends. */
const stopFile = scenario({
  id: 'stop-file',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A loop ends after the iteration in which somebody asked it to stop',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      `1. If sum.txt does not exist: write the result of ${a} + ${b} into it. Then run: touch .ralph/stop-requested`,
      `   At last say one line: the word STOPPING, a blank, and ${nonce} in capital letters. Do not declare completion.`,
      '2. If sum.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('stopped', 1),
    iterations: iterationCount(1),
    said: agentSaid(`STOPPING ${nonce.toUpperCase()}`),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*a blank, and (\w+) in capital letters/)
      .once()
      .writes('sum.txt', '{{add 1 2}}\n')
      .runs('touch .ralph/stop-requested')
      .says('STOPPING {{upper 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'does not ask for a stop': {
      agent: without('runs'),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'asks for a stop before its work': { agent: without('writes'), kills: ['file'] },
    'asks for a stop without a word': { agent: without('says'), kills: ['said'] },
    'the stop file is ignored': neverStops('ends', 'iterations'),
  },
});

const CANCELLATION = { maxIterations: 4, cancellationPromise: 'loop.cancel' };

/** The cancellation event: the loop ends in peace without having completed. */
const cancellation = scenario({
  id: 'cancellation',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'The cancellation event ends the loop without an error and without completion',
  covers: ['FR6', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop(CANCELLATION),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      `1. If sum.txt does not exist: write the result of ${a} + ${b} into it. Then cancel the loop with this command,`,
      `   the word in quotes in capital letters: ralph emit loop.cancel "${nonce}". Do not declare completion.`,
      '2. If sum.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('cancelled', 0),
    iterations: iterationCount(1),
    published: eventEmitted('loop.cancel', nonce.toUpperCase()),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*loop\.cancel "(\w+)"/)
      .once()
      .writes('sum.txt', '{{add 1 2}}\n')
      .emits('loop.cancel', '{{upper 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'cancels without a reason': {
      agent: emitting('loop.cancel', { payload: 'no reason' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'cancels before its work': { agent: without('writes'), kills: ['file'] },
    'no event is named for the cancellation': {
      config: arranging({ config: loop({ maxIterations: 4 }) }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
      why: 'Without the setting the event is one like any other, and the loop goes on.',
    },
    'the cancellation is ignored': {
      target: 'ignore-cancellation',
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const stopping = [stopFile, cancellation];
