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
} from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import { neverCompletes } from '../../support/saboteurs.js';

const toContinue = ([a, b, c]: readonly [number, number, number]) =>
  [
    'Do exactly one of these two steps per iteration, then stop. The scratchpad in your prompt tells you which.',
    `1. If no line of it begins with "half of the work:": work out ${a} + ${b}, and append this line to the scratchpad file:`,
    '   `half of the work: <sum>`',
    '   Do not declare completion.',
    `2. If a line of it does: add ${c} to its number, write only the new sum to total.txt, and declare the objective complete.`,
    'Write sums as plain digits, without commas.',
  ].join('\n');

/** Continues a session that ended at its limit: with its notes and its iteration count, and until it completes. */
const continuation = scenario({
  id: 'continue',
  description: '`ralph run --continue` picks up where an earlier session stopped at its limit',
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
      .reads(/add (\d+) to its number/)
      .writes('total.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/work out (\d+) \+ (\d+)/).notes('half of the work: {{add 1 2}}'),
  ],

  saboteurs: {
    'does not complete': neverCompletes('ends', 'iterations'),
    'starts over instead of continuing': {
      config: arranging({ args: [] }),
      kills: ['countsOn', 'iterations', 'untold'],
      why: 'A fresh start deletes the notes, so half of the work is done twice.',
    },
    'the notes of the earlier session are lost': {
      target: 'drop-scratchpad',
      kills: ['ends', 'told', 'file'],
      failure: 'PromptIneffective',
    },
  },
});

export const continuations = [continuation];
