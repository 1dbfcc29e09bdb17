import { agentSaid, completed, endedAtOnce, loop, onObjective, scenario } from '../../src/authoring.js';
import { ignoresCompletion } from '../support/saboteurs.js';

const PROMISE = 'ALL_WORK_FINISHED';
const summary = onObjective(/result of (\d+) \+ (\d+)/).says(
  `## Summary\n\nThe sum is {{add 1 2}}. The task has reached **${PROMISE}** status.\nNo further action is needed.`,
);

/** #47: the promise was in the answer, after a summary that mentions it too, and the loop never ended. */
export const issue47 = scenario({
  id: 'issue-47-completion-string-not-detected',
  description:
    'A custom promise counts after a summary that mentions it, with spaces and empty lines around it',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, promise: PROMISE }),
    prompt: [
      'This tests that ralph finds the promise after a summary that mentions it too. Say these three lines in one message:',
      '`The sum is <sum>.`',
      `\`The task has reached **${PROMISE}** status.\``,
      '`No further action is needed.`',
      `Replace <sum> with the result of ${a} + ${b}, as plain digits without commas.`,
      'Then add an empty line, and declare the objective complete as described under DONE.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    saidTheSumIs: agentSaid(`The sum is ${a + b}`),
    saidStatus: agentSaid(`**${PROMISE}** status`),
  }),

  agent: [summary.says(`\n   ${PROMISE}  \n\n`)],

  saboteurs: {
    'only mentions the promise': {
      agent: [summary],
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
    'completes without a summary': {
      agent: [onObjective('summary').says(PROMISE)],
      kills: ['saidTheSumIs', 'saidStatus'],
    },
    'ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },
});
