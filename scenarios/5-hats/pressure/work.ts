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

/** Many small steps that rest on each other, in several files; none may get lost. */
const complexity = scenario({
  id: 'pressure-complexity',
  tier: 5,
  priority: 'should',
  phase: 'pressure',
  description: 'A hat does all steps of a long instruction, and none of them wrongly',
  covers: ['FR7', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [factor('Complexity', 'Six steps over seven files, each with the result of another')],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: hats({
      clerk: {
        triggers: ['count.wanted'],
        publishes: ['stock.counted'],
        instructions: [
          '1. Read stock/north.txt, stock/south.txt, stock/west.txt and catalogue.txt.',
          '2. Write the sum of the three numbers, nothing else, into totals/all.txt.',
          '3. Write the sum of north and south, nothing else, into totals/two.txt.',
          '4. In catalogue.txt change "state: open" to "state: counted", and nothing else.',
          '5. Append a line to the scratchpad: "- [x] counted " and the sum of all three.',
          '6. Run: ralph emit stock.counted "<the title of the catalogue backwards> <the sum of all three>". Then stop.',
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

/** Work for three iterations, and room for two: one to do it all, one to declare it. */
const fewIterations = scenario({
  id: 'pressure-few-iterations',
  tier: 5,
  priority: 'should',
  phase: 'pressure',
  description: 'A hat that has one iteration does all its parts in it',
  covers: ['FR5', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [
    factor('Few iterations', 'max_iterations: 3, of which two can complete; three parts are wanted'),
  ],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        sprinter: {
          triggers: ['sprint.wanted'],
          publishes: ['sprint.finished'],
          instructions: [
            'There is time for this one iteration only: do all three parts in it.',
            `Part 1: write ${nonce} in capital letters, nothing else, into part-1.txt.`,
            `Part 2: write the result of ${a} + ${b}, nothing else, into part-2.txt.`,
            'Part 3: write the word of part 1 backwards, in small letters, into part-3.txt.',
            'Then run: ralph emit sprint.finished "3 parts". Then stop.',
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
      .reads(/write (\w+) in capital letters/)
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
          .reads(/write (\w+) in capital letters/)
          .writes('part-1.txt', '{{upper 1}}\n')
          .says('The first part is done, the others follow later.'),
        onAnyPrompt().says('Later.'),
      ],
      kills: ['ends', 'iterations', 'part2', 'part3', 'published'],
      why: '"I will do it later" never happens: there is no later.',
    },
    'rushes and takes the word as it is': {
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
