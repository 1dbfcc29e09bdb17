import {
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onHat,
  onObjective,
  scenario,
  without,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** How the two scenarios below differ: by what the last hat ends the loop. */
const ENDINGS = {
  event: 'run: ralph emit LOOP_COMPLETE "all done". Then say: Event emitted: LOOP_COMPLETE',
  text: 'run: ralph emit work.finished "all done". Then end your answer with this line and nothing after it: LOOP_COMPLETE',
} as const;

const completionInHatMode = (id: string, by: keyof typeof ENDINGS, description: string) => {
  const finisher = onHat('Finisher')
    .reads(/^Event: work\.half - (\d+)$/m)
    .reads(/Add (\d+) to the payload/)
    .writes('whole.txt', '{{add 1 2}}\n');
  return scenario({
    id,
    tier: 5,
    priority: 'should',
    phase: 'green',
    description,
    covers: ['FR10', 'FR16'],
    expectedIterations: 2,

    arrange: ({ numbers: [a, b, c] }) => ({
      config: hats(
        {
          beginner: {
            triggers: ['work.request'],
            publishes: ['work.half'],
            instructions: `Work out ${a} + ${b} and run: ralph emit work.half "<the bare sum>"`,
          },
          finisher: {
            triggers: ['work.half'],
            publishes: ['work.finished', 'LOOP_COMPLETE'],
            instructions: `Add ${c} to the payload of the pending work.half and write the bare sum into whole.txt. Then ${ENDINGS[by]}`,
          },
        },
        { maxIterations: 6 },
      ).startingWith('work.request'),
      prompt:
        'Have it begun and finished. A hat that is active follows its own instructions; Ralph himself has nothing to do.',
    }),

    expect: ({ numbers: [a, b, c] }) => ({
      ends: completed(),
      hats: hatSequence('beginner', 'finisher'),
      published: eventEmitted('work.half', `${a + b}`),
      file: fileEquals('whole.txt', `${a + b + c}`),
    }),

    agent: [
      onHat('Beginner')
        .reads(/Work out (\d+) \+ (\d+)/)
        .emits('work.half', '{{add 1 2}}'),
      by === 'event'
        ? finisher.emits('LOOP_COMPLETE', 'all done').says('Event emitted: LOOP_COMPLETE')
        : finisher.emits('work.finished', 'all done').says('LOOP_COMPLETE'),
      onObjective(/begun and finished/).says('No hat has the work, and none of it is mine to do.'),
    ],

    saboteurs: {
      'completion does not end the loop': ignoresCompletion('ends', 'hats'),
      'the loop ends before the work is done': {
        target: 'complete-too-early',
        kills: ['ends', 'hats', 'file'],
        failure: 'UnexpectedTermination',
      },
      'the sum is wrong': {
        agent: emitting('work.half', { payload: '{{1}}' }),
        kills: ['published', 'file'],
        failure: 'EventMalformed',
      },
      'says that it is done, and has not done it': { agent: without('writes'), kills: ['file'] },
    },
  });
};

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/302: with OpenCode the loop went on to its last iteration. */
export const issue302 = completionInHatMode(
  'issue-302-completion-in-hat-mode',
  'event',
  'A completion event of an active hat ends the loop at once',
);

/** The other half of it: https://github.com/mikeyobrien/ralph-orchestrator/pull/290 heard the words only where no event was written. */
export const issue303 = completionInHatMode(
  'issue-303-completion-said-in-hat-mode',
  'text',
  'The completion promise in the words of an active hat ends the loop, although the hat published another event too',
);
