import {
  commitIs,
  conversation,
  devServerRan,
  stageReached,
  toolAnswered,
  turnIsSpecific,
  turnMentions,
  turnSuggests,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ending, HAS_BROWSER, onCommand, SCREENSHOT } from '../../support/plugins.js';
import { FIXES, pageWith, pictureOf, STYLE } from '../../support/projects.js';
import { modelGivesOut } from '../../support/saboteurs.js';

/** Answers once and ends. */
const ENDS_EARLY = [
  'node',
  '-e',
  'require("node:http").createServer((_, r) => r.end("", () => process.kill(process.pid))).listen(process.env.PORT, "127.0.0.1")',
] as const;

const round = (number: number, more = '') => [
  `/screenshot {{devServer}} for round ${number}, without choosing a path`,
  `/feedback round ${number}${more}`,
];
const feedbackOn = (number: number) =>
  onCommand('visual-iteration:feedback').reads(new RegExp(`Subject: (round ${number})`));
const refineOn = (number: number) =>
  onCommand('visual-iteration:refine')
    .reads(new RegExp(`Subject: (round ${number})`))
    .readsFile(STYLE);

/** Three rounds: fewer differences in each, none in the last, and in the end the server serves the design. */
export const visualRounds = conversation({
  id: 'visual-three-rounds',
  priority: 'must',
  description: 'Three rounds come closer to the design, and the server serves what was committed',
  covers: ['H37', 'C48', 'C50', 'C54'],
  unplayable: HAS_BROWSER,
  timeoutSeconds: 240,

  arrange: ({ nonce }) => {
    const page = pageWith(['wide-padding', 'sharp-corners', 'small-heading']);
    return {
      ...page,
      devServer: { run: ['node', 'src/main.js'] },
      turns: [
        ...round(1),
        '/refine round 1: only the padding and the corners of the card. Leave the heading for round 2.',
        ...round(2, '. Say first whether the page is closer to the design than in round 1.'),
        '/refine round 2: the heading of the card',
        ...round(3),
        `/commit-visual and name ${nonce} in the first line of the message`,
      ],
    };
  },

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    uses1: turnUses(1, 'screenshot'),
    opened: toolAnswered(1, 'screenshot', /a picture of http:\/\/localhost:\d+/),
    specific: turnIsSpecific(2, 3),
    uses3: turnUses(3, 'write'),
    answered4: toolAnswered(
      4,
      'screenshot',
      pictureOf('screenshots/2.png', { cardPadding: 24, cardRadius: 12, headingSize: 20 }),
    ),
    mentions5: turnMentions(5, ['better', 'improved', 'closer']),
    uses6: turnUses(6, 'write'),
    reached: stageReached('capturing-iteration-3', { turn: 7 }),
    mentions8: turnMentions(8, ['pixel-perfect', 'complete', 'polished', 'ready']),
    suggests: turnSuggests(8, '/commit-visual'),
    commit: commitIs(1, { message: new RegExp(`^visual: .*${nonce}`), touches: STYLE }),
    served: toolAnswered(
      7,
      'screenshot',
      pictureOf('screenshots/3.png', { cardPadding: 24, cardRadius: 12, headingSize: 28 }),
    ),
    ran: devServerRan(),
  }),

  agent: [
    onCommand('visual-iteration:screenshot')
      .reads(/Subject: (http\S+) for round/)
      .calls(SCREENSHOT, { url: '{{2}}' })
      .says(`The picture is taken.${ending('capturing', 'visual-iteration:feedback')}`),
    feedbackOn(1).says(
      `- .card padding is 32px, should be 24px\n- .card border-radius is 4px, should be 12px\n- .card h1 font-size is 20px, should be 28px${ending('analyzing', 'visual-iteration:refine')}`,
    ),
    refineOn(1)
      .edits(STYLE, ...FIXES.padding)
      .edits(STYLE, ...FIXES.corners)
      .says(`The card is fixed.${ending('refining', 'visual-iteration:screenshot')}`),
    feedbackOn(2).says(
      `Much closer. Left: .card h1 font-size is 20px, should be 28px.${ending('analyzing', 'visual-iteration:refine')}`,
    ),
    refineOn(2)
      .edits(STYLE, ...FIXES.heading)
      .says(`The heading is fixed.${ending('refining', 'visual-iteration:screenshot')}`),
    feedbackOn(3).says(`It is pixel-perfect.${ending('polished', 'visual-iteration:commit-visual')}`),
    onCommand('visual-iteration:commit-visual')
      .reads(/and name (\w+) in the first line/)
      .runs('git add public && git commit -q -m "visual: the card as designed, for {{2}}"')
      .says(`Committed.${ending('committing', 'visual-iteration:screenshot')}`),
  ],

  saboteurs: {
    'does everything and says nothing': {
      agent: without('says'),
      kills: ['specific', 'mentions5', 'mentions8', 'suggests'],
    },
    'takes no picture': {
      agent: without('calls'),
      kills: ['uses1', 'opened', 'answered4', 'served', 'reached'],
    },
    'the server ends early': {
      config: arranging({ devServer: { run: ENDS_EARLY } }),
      kills: ['ran', 'opened'],
      failure: 'PromptIneffective',
    },
    'claims the changes and makes none': {
      agent: without('edits'),
      kills: ['uses3', 'uses6', 'answered4', 'commit', 'served'],
    },
    'the model fails in the last turn': modelGivesOut('visual-iteration:commit-visual', 'ends'),
  },
});
