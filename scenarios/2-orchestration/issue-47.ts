import { agentSaid, completed, iterationCount, loop, onObjective, scenario } from '../../src/authoring.js';
import { ignoresCompletion } from '../support/saboteurs.js';

const PROMISE = 'ALL_WORK_FINISHED';
const summary = onObjective(/result of (\d+) \+ (\d+)/).says(
  `## Summary\n\nThe sum is {{add 1 2}}. The task has reached **${PROMISE}** status.\nNo further action is needed.`,
);

/** #47: the promise stood in the answer, after a summary that names it too, and the loop went on for ever. */
export const issue47 = scenario({
  id: 'issue-47-completion-string-not-detected',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'A promise of its own wording counts after a long summary, with blanks and empty lines around it',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, promise: PROMISE }),
    prompt: [
      'Answer with a summary in one message:',
      `- a line that says: The sum is, and the result of ${a} + ${b}`,
      `- a line that says: The task has reached **${PROMISE}** status.`,
      '- a line that says: No further action is needed.',
      'Then an empty line, and then declare the objective complete as you are told below.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
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
    'the promise is not heard': ignoresCompletion('ends', 'iterations'),
  },
});
