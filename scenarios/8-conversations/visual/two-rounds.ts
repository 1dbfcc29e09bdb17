import {
  commitIs,
  commitsMade,
  conversation,
  fileContains,
  noStageSkipped,
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
import { ending, HAS_SERVER, onCommand, SCREENSHOT } from '../../support/plugins.js';
import { FIXES, pageWith, pictureOf, STYLE } from '../../support/projects.js';
import { modelGivesOut } from '../../support/saboteurs.js';

/** Thirteen turns of the user and as many of the agent: two rounds of screenshot, feedback and refinement. */
export const visualPattern = conversation({
  id: 'visual-two-rounds',
  tier: 8,
  priority: 'must',
  phase: 'green',
  description: 'A page becomes pixel-perfect in two rounds of twenty-six turns',
  covers: ['C1', 'C34', 'C35', 'C36', 'C37', 'C38', 'C39', 'C40', 'C41', 'C42', 'H41'],
  unplayable: HAS_SERVER,
  timeoutSeconds: 240,

  arrange: ({ nonce }) => ({
    ...pageWith(['wide-padding', 'sharp-corners', 'small-heading']),
    turns: [
      '/screenshot',
      `capture the dashboard page as ${nonce}.png`,
      '/feedback round 1',
      'provide specific CSS improvements',
      '/refine',
      'apply the CSS changes',
      '/screenshot',
      `capture the updated dashboard as ${nonce}-2.png`,
      '/feedback round 2',
      'any remaining issues?',
      '/refine',
      'apply the heading size change',
      `/commit-visual ${nonce}`,
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    answered2: toolAnswered(2, 'screenshot', pictureOf(`${nonce}.png`, { cardPadding: 32, cardRadius: 4 })),
    specific3: turnIsSpecific(3, 1),
    specific4: turnIsSpecific(4, 2),
    mentions4: turnMentions(4, ['padding', 'border-radius'], { all: true }),
    suggests: turnSuggests(5, '/screenshot'),
    uses6: turnUses(6, 'write'),
    answered8: toolAnswered(
      8,
      'screenshot',
      pictureOf(`${nonce}-2.png`, { cardPadding: 24, cardRadius: 12 }),
    ),
    specific9: turnIsSpecific(9, 1),
    mentions10: turnMentions(10, ['heading']),
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
    onPrompt(/capture the .*dashboard.* as ([\w-]+\.png)/)
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
      `Shall I begin?${ending('refining', 'visual-iteration:screenshot')}`,
    ),
    onPrompt('apply the CSS changes')
      .readsFile(STYLE)
      .edits(STYLE, ...FIXES.padding)
      .edits(STYLE, ...FIXES.corners)
      .says('The style sheet is updated.'),
    onCommand('visual-iteration:feedback')
      .reads('Subject: round 2')
      .says(
        `Visual analysis: .card h1 font-size is 20px, should be 28px (+8px).${ending('analyzing', 'visual-iteration:refine')}`,
      ),
    onPrompt('any remaining issues?').says('One: the heading is too small.\n\nSTAGE: feedback-provided'),
    onPrompt('apply the heading size change')
      .readsFile(STYLE)
      .edits(STYLE, ...FIXES.heading)
      .says('The page is pixel-perfect now.\n\nSTAGE: polished'),
    onCommand('visual-iteration:commit-visual')
      .runs('git add public && git commit -q -m "visual: the card as designed, for {{1}}"')
      .says(`Two rounds, three changes.${ending('committing', 'visual-iteration:screenshot')}`),
  ],

  saboteurs: {
    'does everything without a word': {
      agent: without('says'),
      kills: [
        'specific3',
        'specific4',
        'specific9',
        'mentions4',
        'mentions10',
        'mentions12',
        'suggests',
        'stages',
      ],
    },
    'takes no picture': { agent: without('calls'), kills: ['answered2', 'answered8'] },
    'claims the changes and makes none': {
      agent: without('edits'),
      kills: ['uses6', 'uses12', 'file', 'commits', 'commit', 'reached', 'answered8'],
    },
    'the user never asks to refine': {
      config: (arranged) => ({
        ...arranged,
        turns: arranged.turns.map((turn) => (turn === '/refine' ? 'any remaining issues?' : turn)),
      }),
      kills: ['stages', 'noneSkipped', 'suggests'],
    },
    'the model gives out in the tenth turn': modelGivesOut('any remaining issues', 'ends'),
  },
});
