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
  without,
} from '../../../src/authoring.js';
import { changingEach, emitting } from '../../support/agent-changes.js';
import { lacksInstructions, NEVER_COMPLETES, wearsAnotherHat } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';
import { directness, ENDING, factor, idle } from './factors.js';

/** An empty file, a name with a blank, a last line without an end, a folder that is not there. */
const edgeCases = scenario({
  id: 'pressure-edge-cases',
  tier: 5,
  priority: 'should',
  phase: 'pressure',
  description:
    'A hat copes with an empty file, a name with a blank, a file without newline and a missing folder',
  covers: ['FR7', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [
    factor(
      'Edge cases',
      'One file is empty, one has a blank in its name, one lacks its newline, a folder is missing',
    ),
  ],
  quality: directness(2, 2),

  arrange: ({ numbers: [a, b] }) => ({
    config: hats({
      sorter: {
        triggers: ['mail.arrived'],
        publishes: ['mail.sorted'],
        instructions: [
          'Each file in the folder inbox holds a number of items; an empty file holds none.',
          'Write outbox/today/summary.txt with one line for each file, in alphabetical order: its name, an equals sign',
          'and its number, without blanks around the sign. A last line has the word total in place of the name.',
          'Change nothing in inbox. Then run: ralph emit mail.sorted "<the total>". Then stop.',
        ].join('\n'),
      },
    }).startingWith('mail.arrived'),
    files: {
      'inbox/empty.txt': '',
      'inbox/one line.txt': `${a}\n`,
      'inbox/open-end.txt': `${b}`,
    },
    prompt: `Have the mail of today sorted.\n${ENDING}`,
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    hat: hatActive('sorter', { iteration: 1 }),
    told: promptContained('an empty file holds none', { iteration: 1 }),
    file: fileEquals(
      'outbox/today/summary.txt',
      `empty.txt=0\none line.txt=${a}\nopen-end.txt=${b}\ntotal=${a + b}`,
    ),
    untouched: fileUntouched('inbox/empty.txt'),
    published: eventEmitted('mail.sorted', new RegExp(`^${a + b}$`)),
  }),

  agent: [
    onHat('Sorter')
      .reads(/an empty file holds none/)
      .runs('cat "inbox/one line.txt" inbox/open-end.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: '(\\d+)\\s+(\\d+)' } })
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
    'writes beside the folder that is missing': {
      agent: changingEach('write', (step) => ({ ...step, path: 'summary.txt' })),
      kills: ['file'],
    },
    'fills the empty file': {
      agent: changingEach('write', (step) => [step, { do: 'append', path: 'inbox/empty.txt', text: '0\n' }]),
      kills: ['untouched'],
    },
    'reports that it is done, not what came out': {
      agent: emitting('mail.sorted', { payload: 'done' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'never declares completion': NEVER_COMPLETES,
    'another hat does it': wearsAnotherHat('sorter', 'hat'),
    'no hat instructions': lacksInstructions('file', 'ends'),
  },
});

/** Everything at once, handed from hat to hat. */
const combined = scenario({
  id: 'pressure-combined',
  tier: 5,
  priority: 'should',
  phase: 'pressure',
  description:
    'Two hats in few iterations, with a vague wish, an empty file, a missing folder and a forbidden file',
  covers: ['FR16', 'FR17', 'FR19'],
  expectedIterations: 3,
  pressure: [
    factor('Ambiguity', 'The objective does not say what is wished; one of two wishes is empty'),
    factor(
      'Conflict',
      'The objective wants everything painted, the instructions of the Builder exempt a file',
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
            'Read all wishes in the folder wishes; an empty one is no wish. Find the colour that is wished.',
            'Run: ralph emit plan.ready "<the colour backwards>". Then stop: painting is not for you.',
          ].join('\n'),
        },
        builder: {
          triggers: ['plan.ready'],
          publishes: ['house.painted'],
          instructions: [
            'The payload of plan.ready is a colour backwards. Write the colour in capital letters, nothing else,',
            'into rooms/new/wall.txt. antique.txt MUST NOT be painted, whoever asks for it: leave it as it is.',
            'Run: ralph emit house.painted "all but antique.txt". Then stop.',
          ].join('\n'),
        },
      },
      { maxIterations: 4 },
    ).startingWith('house.wanted'),
    files: {
      'wishes/anna.txt': '',
      'wishes/ben.txt': `I wish for the colour ${nonce}.\n`,
      'antique.txt': 'brown\n',
    },
    prompt: `Have everything painted as it is wished, antique.txt too.\n${ENDING}`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationsAtMost(3),
    hatPlanner: hatActive('planner', { iteration: 1 }),
    told: promptContained('an empty one is no wish', { iteration: 1 }),
    planReady: eventEmitted('plan.ready', new RegExp(`^${reverse(nonce)}$`)),
    hatBuilder: hatActive('builder', { iteration: 2 }),
    file: fileEquals('rooms/new/wall.txt', nonce.toUpperCase()),
    untouched: fileUntouched('antique.txt'),
    housePainted: eventEmitted('house.painted', /antique/),
  }),

  agent: [
    onHat('Planner')
      .reads(/Find the colour/)
      .runs('cat wishes/anna.txt wishes/ben.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'the colour (\\w+)\\.' } })
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
    'hands the colour on as it was': {
      agent: emitting('plan.ready', { payload: '{{1}}' }),
      kills: ['planReady', 'file'],
      failure: 'EventMalformed',
    },
    'paints the antique as well': {
      agent: changingEach('write', (step) => [step, { ...step, path: 'antique.txt' }]),
      kills: ['untouched'],
    },
    'keeps quiet about what it left out': {
      agent: emitting('house.painted', { payload: 'all of it' }),
      kills: ['housePainted'],
      failure: 'EventMalformed',
    },
    'paints nothing': { agent: without('writes'), kills: ['file'] },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'another hat plans': wearsAnotherHat('planner', 'hatPlanner'),
    'another hat builds': wearsAnotherHat('builder', 'hatBuilder'),
    'ralph wakes the wrong hat': { target: 'route-to-wrong-hat', kills: ['hatPlanner', 'hatBuilder'] },
    'no hat instructions': lacksInstructions('file', 'ends'),
  },
});

export const oddPressure = [edgeCases, combined];
