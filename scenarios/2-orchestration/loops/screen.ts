import {
  completed,
  errandAnswered,
  hatSequence,
  hats,
  onEvent,
  onHat,
  scenario,
} from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { textWithout } from '../../support/inquiries.js';

const session = (nonce: string) => `run -c ralph.yml --no-tui -p Paint ${nonce}.`;
const RULE = '={79}';

/** People and programs follow a loop by what it prints. The harness reads that of an earlier loop. */
const onScreen = scenario({
  ...MECHANICS,
  id: 'loop-on-screen',
  description:
    'Without its interface, Ralph prints where the loop keeps its files and how to resume it, and begin and end of every iteration',
  covers: ['FR5', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: hats(
      { painter: { triggers: ['paint.request'], publishes: ['paint.finished'], instructions: 'Paint.' } },
      { maxIterations: 8 },
    ).startingWith('paint.request'),
    before: [{ session: { prompt: `Paint ${nonce}.` } }],
    prompt: `Paint ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('painter', 'ralph'),
    banner: errandAnswered(session(nonce), {
      stdout: /^-- ralph loop primary-[\d-]+ · start · backend=claude · prompt= · 0\/8 --$/m,
    }),
    places: errandAnswered(session(nonce), {
      stdout:
        /^ {2}events: {5}\S+\/\.ralph\/events-[\d-]+\.jsonl\n {2}scratchpad: \S+\/\.ralph\/agent\/scratchpad\.md$/m,
    }),
    resume: errandAnswered(session(nonce), {
      stdout: /-- ralph loop (primary-[\d-]+) [\s\S]*^ {2}resume: {5}ralph run --continue --loop-id \1$/m,
    }),
    begins: errandAnswered(session(nonce), {
      stdout: new RegExp(
        `^${RULE}\\n ITERATION 1 \\| \\S+ painter \\| [\\dhm ]+s elapsed \\| 1/8\\n${RULE}\\n[\\s\\S]*^${RULE}\\n ITERATION 2 \\| \\S+ ralph \\| [\\dhm ]+s elapsed \\| 2/8\\n${RULE}$`,
        'm',
      ),
    }),
    greets: errandAnswered(session(nonce), {
      stdout: /^(?:(?!I'm Ralph)[\s\S])*INFO.* I'm Ralph\. Let's do this\.\n(?:(?!I'm Ralph)[\s\S])*$/,
    }),
    // Nothing is wrong, so there is nothing to warn of.
    calm: errandAnswered(session(nonce), { stdout: textWithout('WARN', 'ERROR'), stderr: /^$/ }),
    footers: errandAnswered(session(nonce), {
      stdout:
        /^\[iter 1\/8 done\] dur=[\dhm ]+s total=[\dhm ]+s budget=12%\n[\s\S]*^\[iter 2\/8 done\] dur=[\dhm ]+s total=[\dhm ]+s budget=25%$/m,
    }),
  }),

  agent: [onHat('Painter').emits('paint.finished', 'red'), onEvent('paint.finished').completes()],

  saboteurs: {
    'nobody ran before': {
      config: arranging({ before: [] }),
      kills: ['banner', 'places', 'resume', 'begins', 'footers', 'greets', 'calm'],
    },
  },
});

export const screens = [onScreen];
