import {
  completed,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  scenario,
} from '../../../src/authoring.js';
import { changingHat } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/** Our own CLI, which records how it was called. It works in every lane, and no other backend answers like it. */
const REVIEW_CLI = `#!/bin/sh
# Called by ralph as: review-cli --strictness <word> <prompt>
printf '%s\\n' "$1 $2" > called-with.txt
ralph emit verdict.given "$2-$2"
`;

/** https://github.com/mikeyobrien/ralph-orchestrator/pull/109: ralph ignored the backend of a hat. */
export const issue109 = scenario({
  id: 'issue-109-hat-backend-ignored',
  description: "A hat runs its own backend command with its own arguments, not the loop's backend",
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
          'Another program should have received this. Run `ralph emit verdict.given "by the wrong one"`',
      },
    }).coordinated(),
    prompt: [
      'Have something reviewed. In this test Ralph writes two files itself, although the guide says to delegate:',
      `1. If task.start is pending: work out ${a} + ${b} and write only the sum to work.txt, as plain digits without commas. Then run \`ralph emit review.request "please"\``,
      '2. If verdict.given is pending: write only its payload, in uppercase, to verdict.txt, and declare the objective complete.',
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
    "ralph ignores the hat's backend": {
      target: 'wrong-backend-for-hat',
      kills: ['calledWith', 'verdict'],
    },
    'the hat has no arguments': {
      config: changingHat('reviewer', { backend: { command: './review-cli', args: [] } }),
      kills: ['calledWith', 'verdict'],
      why: 'The bug dropped the arguments together with the command.',
    },
    'the event does not activate the hat': { target: 'route-to-wrong-hat', kills: ['hats', 'calledWith'] },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
