import {
  type Check,
  errandAnswered,
  fileEquals,
  hatSequence,
  loop,
  onEvent,
  onHat,
  onObjective,
  promptContained,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { MECHANICS } from '../support/commands.js';
import { linesOf } from '../support/inquiries.js';

const TEAM = (nonce: string) =>
  [
    'name: team',
    'cli: { backend: nonesuch }',
    'event_loop: { starting_event: work.begin, completion_promise: TEAM_READY, cancellation_promise: team.over, max_iterations: 1 }',
    'hats:',
    '  builder:',
    '    name: Local Builder',
    '    description: builds',
    '    triggers: [work.begin]',
    '    publishes: [work.over]',
    '    instructions: "First: write only the word in uppercase to built.txt."',
    '    extra_instructions:',
    `      - "Second: the word is ${nonce}."`,
    '      - "Third: run `ralph emit work.over built` and stop."',
    '  reviewer: { name: Reviewer, description: reads, triggers: [review.asked], instructions: Read. }\n',
  ].join('\n');

const DRY = 'run --dry-run --no-tui -p hello -c core.specs_dir=specs -H teams/team.yml';
const CANCELLED = 'run --no-tui --max-iterations 2 -p hello -H ../teams/team.yml';

/** Ralph's own file has other hats and another promise: the collection brings its own. */
const hatsFile = scenario({
  id: 'hats-file',
  ...MECHANICS,
  priority: 'must',
  description: 'A hat collection brings its hats, its starting event and its promises, and nothing else',
  covers: ['FR15', 'FR16'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({
      maxIterations: 4,
      promise: 'NOT_THIS',
      more: {
        hats: {
          ghost: {
            name: 'Ghost',
            description: 'is replaced',
            triggers: ['work.begin'],
            instructions: 'Declare NOT_THIS.',
          },
        },
      },
    }),
    prompt: [
      'Have something built. If a hat is active, follow only its instructions.',
      'If no hat is active and work.over is pending, declare the objective complete.',
    ].join('\n'),
    files: {
      'teams/team.yml': TEAM(nonce),
      'cancelled/ralph.yml': 'cli: { backend: custom, command: ./cancel.sh }\n',
      'cancelled/cancel.sh': { content: '#!/bin/sh\nralph emit team.over\n', mode: 0o755 },
    },
    before: [{ ralph: DRY.split(' ') }, { ralph: CANCELLED.split(' '), in: 'cancelled' }],
    args: ['-H', 'teams/team.yml'],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('completed', 0),
    hats: hatSequence('builder', 'ralph'),
    ownName: promptContained('### Local Builder Instructions', { iteration: 1 }),
    instructions: promptContained(
      new RegExp(`First: write only the word[^\\n]*\\nSecond: the word is ${nonce}\\.\\nThird: run`),
      { iteration: 1 },
    ),
    promise: promptContained('`TEAM_READY`', { iteration: 2 }),
    built: fileEquals('built.txt', nonce.toUpperCase()),
    limits: errandAnswered(DRY, {
      stdout: new RegExp(
        `WARN.*contains core/runtime keys \\[cli\\][\\s\\S]*${linesOf('Completion promise: TEAM_READY', 'Max iterations: 4', 'Specs dir: specs', 'Backend: claude').source}`,
        'm',
      ),
    }),
    cancelled: errandAnswered(CANCELLED, { stdout: /Loop terminated: Cancelled gracefully/ }),
  }),

  agent: [
    onHat('Local Builder')
      .reads(/the word is (\w+)/)
      .writes('built.txt', '{{upper 1}}\n')
      .emits('work.over', 'built'),
    onEvent('work.over').completes(),
    onObjective(/Have something built/).says('There is nothing to do.'),
  ],

  saboteurs: {
    'Ralph ignores the events of the collection': {
      target: 'ignore-hats-file-loop',
      kills: ['limits', 'cancelled', 'promise'],
    },
  },
});

export const hatCollections = [hatsFile];
