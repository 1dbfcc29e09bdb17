import {
  commitIs,
  commitsMade,
  conversation,
  fileContains,
  noStageSkipped,
  onlyIn,
  onPrompt,
  stageReached,
  stagesWere,
  toolAnswered,
  turnIsSpecific,
  turnMentions,
  turnSuggests,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { changingEach } from '../../support/agent-changes.js';
import { ending, HAS_BROWSER, onCommand, SCREENSHOT } from '../../support/plugins.js';
import { FIXES, pageWith, pictureOf, STYLE } from '../../support/projects.js';
import { modelGivesOut } from '../../support/saboteurs.js';

/** Begins the refining stage. The change itself is checked in the next turn. */
const WAIT_TO_REFINE =
  '/refine the card, but this overrides the text below: change nothing yet. My next message says what to change.';

/** Thirteen prompts and answers: two rounds of screenshot, feedback and refinement. */
export const visualPattern = conversation({
  id: 'visual-two-rounds',
  priority: 'must',
  description: 'A page becomes pixel-perfect in two rounds and thirteen prompts',
  covers: ['C1', 'C34', 'C35', 'C36', 'C37', 'C38', 'C39', 'C40', 'C41', 'C42', 'C49', 'H37', 'H41'],
  unplayable: HAS_BROWSER,
  timeoutSeconds: 240,

  arrange: ({ nonce }) => ({
    ...pageWith(['wide-padding', 'sharp-corners', 'small-heading']),
    turns: [
      '/screenshot',
      `Capture the dashboard page with the screenshot tool and the path ${nonce}.png.`,
      '/feedback round 1',
      'Provide specific CSS improvements for the padding and the border-radius of the card, one line each with the old and the new value. End with the line `STAGE: feedback-provided`.',
      WAIT_TO_REFINE,
      'Apply the CSS changes to the padding and the border-radius now. Leave the heading for the next round.',
      '/screenshot',
      `Capture the updated dashboard with the screenshot tool and the path ${nonce}-2.png.`,
      '/feedback round 2',
      'Are there any remaining issues? Name each with its old and its new value. End with the line `STAGE: feedback-provided`.',
      WAIT_TO_REFINE,
      'Apply the change to the heading size now. If nothing else differs from the design, say that the page is pixel-perfect, and end with the line `STAGE: polished`.',
      `/commit-visual and name ${nonce} in the first line of the message`,
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    answered2: toolAnswered(2, 'screenshot', pictureOf(`${nonce}.png`, { cardPadding: 32, cardRadius: 4 })),
    specific3: turnIsSpecific(3, 1),
    values3: turnMentions(3, ['32px', '24px'], { all: true }),
    specific4: turnIsSpecific(4, 2),
    mentions4: turnMentions(4, ['padding', 'border-radius'], { all: true }),
    values4: turnMentions(4, ['32px', '24px', '4px', '12px'], { all: true }),
    suggests: turnSuggests(5, '/screenshot'),
    uses6: turnUses(6, 'write'),
    answered8: toolAnswered(
      8,
      'screenshot',
      pictureOf(`${nonce}-2.png`, { cardPadding: 24, cardRadius: 12 }),
    ),
    specific9: turnIsSpecific(9, 1),
    values9: turnMentions(9, ['20px', '28px'], { all: true }),
    mentions10: turnMentions(10, ['heading', 'h1', 'font-size']),
    values10: turnMentions(10, ['20px', '28px'], { all: true }),
    uses12: turnUses(12, 'write'),
    mentions12: turnMentions(12, ['pixel-perfect', 'complete', 'polished', 'ready']),
    file: fileContains(STYLE, /padding: 24px[\s\S]+border-radius: 12px[\s\S]+font-size: 28px/),
    commits: commitsMade(1),
    commit: commitIs(1, { message: new RegExp(`^visual: .*${nonce}`), only: STYLE, turn: 13 }),
    reached: stageReached('complete', { turn: 13 }),
    stages: stagesWere(
      'idle',
      'capturing',
      'analyzing',
      'feedback-provided',
      'refining',
      'capturing-iteration-2',
      'analyzing-iteration-2',
      'feedback-provided-iteration-2',
      'refining-iteration-2',
      'polished',
      'committing',
      'complete',
    ),
    noneSkipped: noStageSkipped(),
  }),

  agent: [
    onCommand('visual-iteration:screenshot').says(
      `Which page?${ending('capturing', 'visual-iteration:feedback')}`,
    ),
    onPrompt(/Capture the .*dashboard.* the path ([\w-]+\.png)/)
      .calls(SCREENSHOT, { path: '{{1}}' })
      .says('The picture is saved as {{1}}.'),
    onCommand('visual-iteration:feedback')
      .reads('Subject: round 1')
      .says(
        `Visual analysis: .card padding is 32px, should be 24px (-8px).${ending('analyzing', 'visual-iteration:refine')}`,
      ),
    onPrompt('specific CSS improvements')
      .readsFile('design.md')
      .says('1. .card padding: 32px → 24px\n2. .card border-radius: 4px → 12px\n\nSTAGE: feedback-provided'),
    onCommand('visual-iteration:refine').says(
      `I wait for your next message.${ending('refining', 'visual-iteration:screenshot')}`,
    ),
    onPrompt('Apply the CSS changes')
      .readsFile(STYLE)
      .edits(STYLE, ...FIXES.padding)
      .edits(STYLE, ...FIXES.corners)
      .says('The style sheet is updated.'),
    onCommand('visual-iteration:feedback')
      .reads('Subject: round 2')
      .says(
        `Visual analysis: .card h1 font-size is 20px, should be 28px (+8px).${ending('analyzing', 'visual-iteration:refine')}`,
      ),
    onPrompt('any remaining issues').says(
      'One: the heading is too small. .card h1 font-size: 20px → 28px\n\nSTAGE: feedback-provided',
    ),
    onPrompt('Apply the change to the heading size')
      .readsFile(STYLE)
      .edits(STYLE, ...FIXES.heading)
      .says('The page is pixel-perfect now.\n\nSTAGE: polished'),
    onCommand('visual-iteration:commit-visual')
      .reads(/and name (\w+) in the first line/)
      .runs('git add public && git commit -q -m "visual: the card as designed, for {{2}}"')
      .says(`Two rounds, three changes.${ending('committing', 'visual-iteration:screenshot')}`),
  ],

  saboteurs: {
    'does everything and says nothing': {
      agent: without('says'),
      kills: [
        'specific3',
        'specific4',
        'specific9',
        'values3',
        'values4',
        'values9',
        'values10',
        'mentions4',
        'mentions10',
        'mentions12',
        'suggests',
        'stages',
      ],
    },
    'gives other values': {
      agent: changingEach('say', (step) => ({ ...step, text: step.text.replaceAll(/\b2[48]px/g, '2rem') })),
      kills: ['values3', 'values4', 'values9', 'values10'],
    },
    'finds nothing left': {
      agent: onlyIn(
        'any remaining issues',
        changingEach('say', (step) => ({
          ...step,
          text: 'Nothing is left: the heading is fine.\n\nSTAGE: feedback-provided',
        })),
      ),
      kills: ['values10'],
    },
    'does not name what is left': {
      agent: onlyIn(
        'any remaining issues',
        changingEach('say', (step) => ({
          ...step,
          text: 'One: 20px should be 28px.\n\nSTAGE: feedback-provided',
        })),
      ),
      kills: ['mentions10'],
    },
    'takes no picture': { agent: without('calls'), kills: ['answered2', 'answered8'] },
    'claims the changes and makes none': {
      agent: without('edits'),
      kills: ['uses6', 'uses12', 'file', 'commits', 'commit', 'reached', 'answered8'],
    },
    'the user never asks to refine': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.map((turn) =>
          turn === WAIT_TO_REFINE ? 'Are there any remaining issues?' : turn,
        ),
      }),
      kills: ['stages', 'noneSkipped', 'suggests'],
      failure: 'PromptIneffective',
    },
    'the model fails in the tenth turn': modelGivesOut('any remaining issues', 'ends'),
  },
});
