import {
  completed,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  scenario,
  without,
} from '../../../src/authoring.js';
import { changingHat } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** A CLI of our own that shows how it was called. It works in every lane, and no other backend answers like it. */
const REVIEW_CLI = `#!/bin/sh
# Called by ralph as: review-cli --strictness <word> <prompt>
printf '%s\\n' "$1 $2" > called-with.txt
ralph emit verdict.given "$2-$2"
`;

/** https://github.com/mikeyobrien/ralph-orchestrator/pull/109 */
export const issue109 = scenario({
  id: 'issue-109-hat-backend-ignored',
  tier: 5,
  priority: 'should',
  phase: 'green',
  description:
    'A hat runs the command of its own backend with its own arguments, not the backend of the loop',
  covers: ['FR18'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    files: { 'review-cli': { content: REVIEW_CLI, mode: 0o755 } },
    config: hats({
      reviewer: {
        triggers: ['review.request'],
        publishes: ['verdict.given'],
        backend: { command: './review-cli', args: ['--strictness', nonce] },
        instructions:
          'You are not the one who should read this: run: ralph emit verdict.given "by the wrong one"',
      },
    }).coordinated(),
    prompt: [
      'Something is to be reviewed. This is what Ralph does; a hat that is active follows its own instructions.',
      `1. task.start is pending: work out ${a} + ${b}, write the bare sum into work.txt and run: ralph emit review.request "please"`,
      '2. verdict.given is pending: write its payload in capital letters into verdict.txt and declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'reviewer', 'ralph'),
    work: fileEquals('work.txt', `${a + b}`),
    calledWith: fileEquals('called-with.txt', `--strictness ${nonce}`),
    verdict: fileEquals('verdict.txt', `${nonce}-${nonce}`.toUpperCase()),
  }),

  agent: [
    onHat('Reviewer').emits('verdict.given', 'by the wrong one'),
    onEvent('verdict.given')
      .reads(/^Event: verdict\.given - (.+)$/m)
      .writes('verdict.txt', '{{upper 1}}\n')
      .completes(),
    onObjective(/work out (\d+) \+ (\d+)/)
      .writes('work.txt', '{{add 1 2}}\n')
      .emits('review.request', 'please'),
  ],

  saboteurs: {
    'the backend of the hat is ignored': {
      target: 'wrong-backend-for-hat',
      kills: ['calledWith', 'verdict'],
    },
    'the arguments of the hat are ignored': {
      config: changingHat('reviewer', { backend: { command: './review-cli', args: [] } }),
      kills: ['calledWith', 'verdict'],
      failure: 'AssertionMismatch',
      why: 'The bug dropped the arguments together with the command.',
    },
    'says that all is written, and writes nothing': { agent: without('writes'), kills: ['work', 'verdict'] },
    'the event does not wake the hat': { target: 'route-to-wrong-hat', kills: ['hats', 'calledWith'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
