import {
  completed,
  eventEmitted,
  fileEquals,
  hatActive,
  hats,
  iterationsAtMost,
  onAnyPrompt,
  onEvent,
  onHat,
  promptContained,
  scenario,
  scratchpadContains,
  without,
} from '../../../src/authoring.js';
import { changingEach, emitting, writing } from '../../support/agent-changes.js';
import { lacksInstructions, NEVER_COMPLETES, wearsAnotherHat } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';
import { directness, ENDING, factor, idle } from './factors.js';

/** Gives many small steps in several files, some based on others; the agent must not lose any. */
const complexity = scenario({
  id: 'pressure-complexity',
  phase: 'pressure',
  description: 'A hat does every step of long instructions, and does it right',
  covers: ['FR7', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [factor('Complexity', 'Six steps over seven files, each based on the result of another')],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: hats({
      clerk: {
        triggers: ['count.wanted'],
        publishes: ['stock.counted'],
        instructions: [
          'Write numbers as plain digits, without commas.',
          '1. Read stock/north.txt, stock/south.txt, stock/west.txt and catalogue.txt.',
          '2. Write only the sum of the three numbers to totals/all.txt.',
          '3. Write only the sum of north and south to totals/two.txt.',
          '4. In catalogue.txt, change "state: open" to "state: counted", and nothing else.',
          '5. Append this line to the scratchpad, with the sum of all three numbers: `- [x] counted <sum>`',
          '   This test wants it there, although the guide above says to keep checklists out of the scratchpad.',
          '6. Spell the title in catalogue.txt backwards and run `ralph emit stock.counted "<title backwards> <sum>"`, with the same sum. Then stop.',
        ].join('\n'),
      },
    }).startingWith('count.wanted'),
    files: {
      'stock/north.txt': `${a}\n`,
      'stock/south.txt': `${b}\n`,
      'stock/west.txt': `${c}\n`,
      'catalogue.txt': `title: ${nonce}\nstate: open\n`,
    },
    prompt: `Have the stock counted.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    hat: hatActive('clerk', { iteration: 1 }),
    told: promptContained('Read stock/north.txt', { iteration: 1 }),
    all: fileEquals('totals/all.txt', `${a + b + c}`),
    two: fileEquals('totals/two.txt', `${a + b}`),
    catalogue: fileEquals('catalogue.txt', `title: ${nonce}\nstate: counted`),
    notes: scratchpadContains(`- [x] counted ${a + b + c}`),
    published: eventEmitted('stock.counted', new RegExp(`^${reverse(nonce)} ${a + b + c}$`)),
  }),

  agent: [
    onHat('Clerk')
      .reads(/Read stock\/north\.txt/)
      .runs('cat stock/north.txt stock/south.txt stock/west.txt catalogue.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: '(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+title: (\\w+)' } })
      .writes('totals/all.txt', '{{add 1 2 3}}\n')
      .writes('totals/two.txt', '{{add 1 2}}\n')
      .edits('catalogue.txt', 'state: open', 'state: counted')
      .notes('- [x] counted {{add 1 2 3}}')
      .emits('stock.counted', '{{reverse 4}} {{add 1 2 3}}'),
    onEvent('stock.counted').completes(),
    idle,
  ],

  saboteurs: {
    'loses one of the numbers': { agent: writing('totals/all.txt', '{{add 1 2}}\n'), kills: ['all'] },
    'writes the same sum twice': { agent: writing('totals/two.txt', '{{add 1 2 3}}\n'), kills: ['two'] },
    'leaves out the steps in the middle': { agent: without('edits', 'notes'), kills: ['catalogue', 'notes'] },
    'reports half of the result': {
      agent: emitting('stock.counted', { payload: '{{add 1 2 3}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'never declares completion': NEVER_COMPLETES,
    'another hat does it': wearsAnotherHat('clerk', 'hat'),
    'no hat instructions': lacksInstructions('all', 'two', 'catalogue', 'ends'),
  },
});

/** Gives work for three iterations but room for two: one to do everything, one to declare completion. */
const fewIterations = scenario({
  id: 'pressure-few-iterations',
  phase: 'pressure',
  description: 'A hat that has only one iteration does all parts of its work in it',
  covers: ['FR5', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [factor('Few iterations', 'max_iterations: 3, of which two can complete, for three parts')],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        sprinter: {
          triggers: ['sprint.wanted'],
          publishes: ['sprint.finished'],
          instructions: [
            'You have only this one iteration: do all three parts in it.',
            `Part 1: write only ${nonce} in uppercase to part-1.txt.`,
            `Part 2: write only the result of ${a} + ${b} to part-2.txt, as plain digits without commas.`,
            'Part 3: write only the word of part 1, spelled backwards and in lowercase, to part-3.txt.',
            'Then run `ralph emit sprint.finished "3 parts"`, then stop.',
          ].join('\n'),
        },
      },
      { maxIterations: 3 },
    ).startingWith('sprint.wanted'),
    prompt: `Have the three parts of the sprint done.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtMost(2),
    hat: hatActive('sprinter', { iteration: 1 }),
    told: promptContained('do all three parts in it', { iteration: 1 }),
    part1: fileEquals('part-1.txt', nonce.toUpperCase()),
    part2: fileEquals('part-2.txt', `${a + b}`),
    part3: fileEquals('part-3.txt', reverse(nonce)),
    published: eventEmitted('sprint.finished', '3 parts'),
  }),

  agent: [
    onHat('Sprinter')
      .reads(/write only (\w+) in uppercase/)
      .reads(/result of (\d+) \+ (\d+)/)
      .writes('part-1.txt', '{{upper 1}}\n')
      .writes('part-2.txt', '{{add 2 3}}\n')
      .writes('part-3.txt', '{{reverse 1}}\n')
      .emits('sprint.finished', '3 parts'),
    onEvent('sprint.finished').completes(),
    idle,
  ],

  saboteurs: {
    'takes one part at a time': {
      agent: [
        onHat('Sprinter')
          .reads(/write only (\w+) in uppercase/)
          .writes('part-1.txt', '{{upper 1}}\n')
          .says('The first part is done. The others will follow later.'),
        onAnyPrompt().says('Later.'),
      ],
      kills: ['ends', 'iterations', 'part2', 'part3', 'published'],
      why: '"I will do it later" never happens: there is no later.',
    },
    'rushes, and writes the word as it is': {
      agent: changingEach('write', (step) => ({ ...step, text: '{{1}}\n' })),
      kills: ['part1', 'part2', 'part3'],
    },
    'reports two parts': {
      agent: emitting('sprint.finished', { payload: '2 of them' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'another hat does it': wearsAnotherHat('sprinter', 'hat'),
    'no hat instructions': lacksInstructions('part1', 'part2', 'part3', 'ends'),
  },
});

export const workPressure = [complexity, fewIterations];
