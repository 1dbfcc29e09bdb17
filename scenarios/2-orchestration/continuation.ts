import {
  completed,
  countsOnFrom,
  earlierSessionEnded,
  fileEquals,
  iterationCount,
  loop,
  onObjective,
  onPrompt,
  promptContained,
  promptLacked,
  scenario,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverCompletes } from '../support/saboteurs.js';

const toContinue = ([a, b, c]: readonly [number, number, number]) =>
  [
    'There are two steps. Do exactly one of them in an iteration. The scratchpad in your prompt tells which.',
    `1. It holds no half of the work: work out ${a} + ${b} and append one line to the scratchpad file:`,
    '   half of the work: <the sum>',
    '   Do not declare completion.',
    `2. It holds half of the work: add ${c} to that number, write the new sum into total.txt, and declare completion.`,
  ].join('\n');

/** A session that ended at its limit goes on where it was: notes, numbers of iterations, and only its own end. */
const continuation = scenario({
  id: 'continue',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: '`ralph run --continue` goes on where an earlier session ended at its limit',
  covers: ['FR5', 'FR10'],
  expectedIterations: 1,

  arrange: ({ numbers }) => ({
    config: loop({ maxIterations: 4 }),
    before: [{ session: { prompt: toContinue(numbers), args: ['--max-iterations', '1'] } }],
    prompt: toContinue(numbers),
    args: ['--continue'],
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    earlier: earlierSessionEnded(2),
    ends: completed(),
    countsOn: countsOnFrom(2),
    iterations: iterationCount(1),
    untold: promptLacked(/^Event: task\.start - /m),
    told: promptContained(`half of the work: ${a + b}`),
    file: fileEquals('total.txt', `${a + b + c}`),
  }),

  agent: [
    onPrompt(/^half of the work: (\d+)$/m)
      .reads(/add (\d+) to that number/)
      .writes('total.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/work out (\d+) \+ (\d+)/).notes('half of the work: {{add 1 2}}'),
  ],

  saboteurs: {
    'says it, does not write it': { agent: without('writes'), kills: ['file'] },
    'does not complete': neverCompletes('ends', 'iterations'),
    'the earlier session was not cut short': {
      config: ({ prompt, ...arrangement }) => ({ ...arrangement, prompt, before: [{ session: { prompt } }] }),
      kills: ['earlier', 'countsOn'],
      failure: 'AssertionMismatch',
    },
    'starts anew instead of going on': {
      config: arranging({ args: [] }),
      kills: ['countsOn', 'iterations', 'untold'],
      failure: 'AssertionMismatch',
      why: 'A fresh start deletes the notes: half of the work is done twice.',
    },
    'the notes of the earlier session are lost': {
      target: 'drop-scratchpad',
      kills: ['ends', 'told', 'file'],
      failure: 'PromptIneffective',
    },
  },
});

export const continuations = [continuation];
