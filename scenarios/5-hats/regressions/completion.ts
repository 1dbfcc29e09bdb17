import {
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onHat,
  onObjective,
  scenario,
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** How the last hat ends the loop; the two scenarios below differ only in this. */
const ENDINGS = {
  event: 'run `ralph emit LOOP_COMPLETE "all done"`, and then say `Event emitted: LOOP_COMPLETE`',
  // With `ralph emit`, a model would have 5 s left to say the promise: Ralph then ends the agent.
  text: 'end your answer with these two lines as plain text, and nothing after them:\n<event topic="work.finished">all done</event>\nLOOP_COMPLETE\nThis tests that ralph accepts both as text, so do not use `ralph emit` here, although the guide below says so.',
} as const;

const completionInHatMode = (id: string, by: keyof typeof ENDINGS, description: string) => {
  const finisher = onHat('Finisher')
    .reads(/^Event: work\.half - (\d+)$/m)
    .reads(/Add (\d+) to the payload/)
    .writes('whole.txt', '{{add 1 2}}\n');
  return scenario({
    id,
    description,
    covers: ['FR10', 'FR16'],
    expectedIterations: 2,

    arrange: ({ numbers: [a, b, c] }) => ({
      config: hats(
        {
          beginner: {
            triggers: ['work.request'],
            publishes: ['work.half'],
            instructions: `Work out ${a} + ${b} and run \`ralph emit work.half "<sum>"\`, with the sum as plain digits without commas.`,
          },
          finisher: {
            triggers: ['work.half'],
            publishes: ['work.finished', 'LOOP_COMPLETE'],
            instructions: `Add ${c} to the payload of the pending work.half event and write only the sum to whole.txt, as plain digits without commas. Then ${ENDINGS[by]}`,
          },
        },
        { maxIterations: 6 },
      ).startingWith('work.request'),
      prompt:
        'Have it begun and finished. If a hat is active, follow only its instructions. Without a hat, there is nothing to do here.',
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
        : finisher.emits('work.finished', 'all done', 'tag').says('LOOP_COMPLETE'),
      onObjective(/begun and finished/).says('No hat is active, and I have nothing to do.'),
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
    },
  });
};

/** https://github.com/mikeyobrien/ralph-orchestrator/issues/302: with OpenCode, the loop ran until its last iteration. */
export const issue302 = completionInHatMode(
  'issue-302-completion-in-hat-mode',
  'event',
  'A completion event from an active hat ends the loop at once',
);

/** The other half: https://github.com/mikeyobrien/ralph-orchestrator/pull/290 noticed only text without an event. */
export const issue303 = completionInHatMode(
  'issue-303-completion-said-in-hat-mode',
  'text',
  'The completion promise as text from an active hat ends the loop, although the hat also published another event',
);
