import {
  completed,
  eventEmitted,
  fileEquals,
  fileUntouched,
  hatActive,
  hats,
  iterationsAtMost,
  onAnyPrompt,
  onEvent,
  onHat,
  promptContained,
  scenario,
} from '../../../src/authoring.js';
import { changingEach, emitting } from '../../support/agent-changes.js';
import { lacksInstructions, NEVER_COMPLETES, wearsAnotherHat } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';
import { directness, ENDING, factor, idle } from './factors.js';

/** Gives the hat an empty file, a file name with a space, a last line without a newline, and a missing folder. */
const edgeCases = scenario({
  id: 'pressure-edge-cases',
  phase: 'pressure',
  description:
    'A hat copes with an empty file, a name with a space, a file without a final newline and a missing folder',
  covers: ['FR7', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [
    factor(
      'Edge cases',
      'One file is empty, one has a space in its name, one lacks its final newline, and a folder is missing',
    ),
  ],
  quality: directness(2, 2),

  arrange: ({ numbers: [a, b] }) => ({
    config: hats({
      sorter: {
        triggers: ['mail.arrived'],
        publishes: ['mail.sorted'],
        instructions: [
          'Each file in the folder inbox contains a number of items; an empty file means 0 items.',
          'Write outbox/today/summary.txt with one line per file, in alphabetical order: `<file name>=<number>`, without spaces',
          'around the equals sign. The last line is `total=<total>`. Write nothing else to it, and change nothing in inbox.',
          'Write numbers as plain digits, without commas. Then run `ralph emit mail.sorted "<total>"`, then stop.',
        ].join('\n'),
      },
    }).startingWith('mail.arrived'),
    files: {
      'inbox/empty.txt': '',
      'inbox/one line.txt': `${a}\n`,
      'inbox/open-end.txt': `${b}`,
    },
    prompt: `Have today's mail sorted.\n${ENDING}`,
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    hat: hatActive('sorter', { iteration: 1 }),
    told: promptContained('an empty file means 0 items', { iteration: 1 }),
    file: fileEquals(
      'outbox/today/summary.txt',
      `empty.txt=0\none line.txt=${a}\nopen-end.txt=${b}\ntotal=${a + b}`,
    ),
    untouched: fileUntouched('inbox/empty.txt'),
    published: eventEmitted('mail.sorted', new RegExp(`^${a + b}$`)),
  }),

  agent: [
    onHat('Sorter')
      .reads(/an empty file means 0 items/)
      .runs('cat "inbox/one line.txt" inbox/open-end.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: '^(\\d+)\\s+(\\d+)\\s*$' } })
      .writes(
        'outbox/today/summary.txt',
        'empty.txt=0\none line.txt={{1}}\nopen-end.txt={{2}}\ntotal={{add 1 2}}\n',
      )
      .emits('mail.sorted', '{{add 1 2}}'),
    onEvent('mail.sorted').completes(),
    idle,
  ],

  saboteurs: {
    'leaves the empty file out': {
      agent: changingEach('write', (step) => ({ ...step, text: step.text.replace('empty.txt=0\n', '') })),
      kills: ['file'],
    },
    'writes somewhere else because the folder is missing': {
      agent: changingEach('write', (step) => ({ ...step, path: 'summary.txt' })),
      kills: ['file'],
    },
    'fills the empty file': {
      agent: changingEach('write', (step) => [step, { do: 'append', path: 'inbox/empty.txt', text: '0\n' }]),
      kills: ['untouched'],
    },
    'reports that it is done, but not the total': {
      agent: emitting('mail.sorted', { payload: 'done' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'never declares completion': NEVER_COMPLETES,
    'another hat does it': wearsAnotherHat('sorter', 'hat'),
    'no hat instructions': lacksInstructions('file', 'ends'),
  },
});

/** Combines all kinds of pressure in work that goes from hat to hat. */
const combined = scenario({
  id: 'pressure-combined',
  phase: 'pressure',
  description:
    'Two hats with few iterations, a vague wish, an empty file, a missing folder and a forbidden file',
  covers: ['FR16', 'FR17', 'FR19'],
  expectedIterations: 3,
  pressure: [
    factor('Ambiguity', 'The objective does not say what the wish is, and one of two wishes is empty'),
    factor(
      'Conflict',
      "The objective wants everything painted, but the Builder's instructions exempt a file",
    ),
    factor('Edge cases', 'A file is empty and a folder is missing'),
    factor(
      'Few iterations',
      'max_iterations: 4, of which three can complete: one for each hat, one for Ralph',
    ),
  ],
  quality: directness(3, 3),

  arrange: ({ nonce }) => ({
    config: hats(
      {
        planner: {
          triggers: ['house.wanted'],
          publishes: ['plan.ready'],
          instructions: [
            'Read all files in the folder wishes; an empty file is not a wish. Find the color that somebody wishes for.',
            'Run `ralph emit plan.ready "<color>"`, with only the color, spelled backwards. Then stop: painting is not your job.',
          ].join('\n'),
        },
        builder: {
          triggers: ['plan.ready'],
          publishes: ['house.painted'],
          instructions: [
            'The payload of plan.ready is a color spelled backwards. Spell it forwards again, and write only the color, in uppercase,',
            'to rooms/new/wall.txt. antique.txt MUST NOT be painted, no matter who asks: leave it as it is.',
            'Then run `ralph emit house.painted "all but antique.txt"`, then stop.',
          ].join('\n'),
        },
      },
      { maxIterations: 4 },
    ).startingWith('house.wanted'),
    files: {
      'wishes/anna.txt': '',
      'wishes/ben.txt': `I wish for the color ${nonce}.\n`,
      'antique.txt': 'brown\n',
    },
    prompt: `Have everything painted in the color that somebody wished for, including antique.txt.\n${ENDING}`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationsAtMost(3),
    hatPlanner: hatActive('planner', { iteration: 1 }),
    told: promptContained('an empty file is not a wish', { iteration: 1 }),
    planReady: eventEmitted('plan.ready', new RegExp(`^${reverse(nonce)}$`)),
    hatBuilder: hatActive('builder', { iteration: 2 }),
    file: fileEquals('rooms/new/wall.txt', nonce.toUpperCase()),
    untouched: fileUntouched('antique.txt'),
    housePainted: eventEmitted('house.painted', /antique/),
  }),

  agent: [
    onHat('Planner')
      .reads(/Find the color/)
      .runs('cat wishes/anna.txt wishes/ben.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'the color (\\w+)\\.' } })
      .emits('plan.ready', '{{reverse 1}}'),
    onHat('Builder')
      .reads(/^Event: plan\.ready - (\w+)$/m)
      .reads(/MUST NOT be painted/)
      .runs('echo {{1}} backwards is {{reverse 1}}!'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'backwards is (\\w+)!' } })
      .writes('rooms/new/wall.txt', '{{upper 1}}\n')
      .emits('house.painted', 'all but antique.txt'),
    onEvent('house.painted').completes(),
    idle,
  ],

  saboteurs: {
    'passes the color on as it was': {
      agent: emitting('plan.ready', { payload: '{{1}}' }),
      kills: ['planReady', 'file'],
      failure: 'EventMalformed',
    },
    'paints the antique as well': {
      agent: changingEach('write', (step) => [step, { ...step, path: 'antique.txt' }]),
      kills: ['untouched'],
    },
    'does not report what it left out': {
      agent: emitting('house.painted', { payload: 'all of it' }),
      kills: ['housePainted'],
      failure: 'EventMalformed',
    },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'another hat plans': wearsAnotherHat('planner', 'hatPlanner'),
    'another hat builds': wearsAnotherHat('builder', 'hatBuilder'),
    'ralph activates the wrong hat': { target: 'route-to-wrong-hat', kills: ['hatPlanner', 'hatBuilder'] },
    'no hat instructions': lacksInstructions('file', 'ends'),
  },
});

export const oddPressure = [edgeCases, combined];
