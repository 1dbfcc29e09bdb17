import {
  completed,
  endedAtOnce,
  fileEquals,
  loop,
  memoriesListed,
  memoryInjected,
  memoryStored,
  noMemoriesInjected,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import {
  ADDING,
  asking,
  CODEWORD,
  codeword,
  LIST_MEMORIES,
  LONG_PROMPT_BACKENDS,
  MEMORY_FILE,
  memoryAdded,
  remembering,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const CONFIG = loop({ maxIterations: 4, memories: { inject: 'auto' } });

/** A memory file damaged by hand edits and a merge conflict. One memory in it is intact. */
const damaged = (content: string) => `# Memories

## Patterns

### mem-17000
> half an id
<!-- tags: never closed | created: yester

<<<<<<< HEAD
### mem-1700000001-aaaa
> ${content}
<!-- tags: lamp | created: 2026-01-31 -->
=======
>no space after the mark
## Fixes
>>>>>>> theirs
### mem-1700000002-bbbb
`;

const corruptedFile = scenario({
  id: 'memory-corrupted-file',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  phase: 'pressure',
  description: 'In a damaged memory file intact memories still count, and new ones can be added',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: CONFIG,
    files: { [MEMORY_FILE]: damaged(codeword(nonce)) },
    prompt: [
      'A memory at the top of this prompt names the codeword of this project. Write only the codeword, in uppercase, to codeword.txt.',
      `Then work out ${a} + ${b} and run this command, with SUM replaced by the result as plain digits without commas:`,
      'ralph tools memory add "The lamp burns SUM hours" --type fix',
      'Do not change the memory file in any other way: this tests that Ralph copes with a damaged one.',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), ADDING],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    command: memoryAdded(),
    injected: memoryInjected({ content: codeword(nonce), type: 'pattern', tags: ['lamp'] }, { iteration: 1 }),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
    stored: memoryStored({ content: `The lamp burns ${a + b} hours`, type: 'fix' }),
    listed: memoriesListed(LIST_MEMORIES, [codeword(nonce), `The lamp burns ${a + b} hours`]),
  }),

  agent: [
    onObjective(/work out (\d+) \+ (\d+)/)
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 3}}\n')
      .runs('ralph tools memory add "The lamp burns {{add 1 2}} hours" --type fix')
      .completes(),
    onObjective(/work out (\d+) \+ (\d+)/)
      .runs('ralph tools memory add "The lamp burns {{add 1 2}} hours" --type fix')
      .says('No memory names a codeword.')
      .completes(),
  ],

  pressure: [
    {
      name: 'damaged file',
      description:
        'Merge conflict markers, headings and dates that Ralph did not write, a comment that never ends',
      why: 'People edit the file too, and git merges it.',
    },
  ],

  exempt: {
    'own-memory': 'the list must hold nothing else: a damaged or split memory would show up as one more',
  },

  saboteurs: {
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['stored', 'listed', 'command'],
    },
    'does everything but never completes': neverCompletes('ends'),
    'no memory in the file is intact': {
      config: arranging(({ nonce }) => ({
        files: { [MEMORY_FILE]: damaged(codeword(nonce)).replace('mem-1700000001-aaaa', 'mem-lamp') },
      })),
      kills: ['injected', 'file', 'listed'],
      why: 'Only intact memories count, not just any line of the file.',
    },
    'Ralph discards the whole file': {
      target: 'distrust-damaged-memories',
      kills: ['injected', 'file', 'listed'],
    },
  },
});

const missingFile = scenario({
  id: 'memory-missing-file',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  phase: 'pressure',
  description: 'Without a memory file the loop runs, and the first memory creates the file',
  covers: ['FR12', 'FR13'],
  expectedIterations: 2,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: CONFIG,
    prompt: [
      'There are two steps. Do exactly one of them in each iteration.',
      `1. If there is no memory about a well at the top of this prompt: work out ${a} + ${b}, run this command with SUM replaced by the result as plain digits without commas, and stop:`,
      '   ralph tools memory add "The well is SUM feet deep" --type context',
      `2. If there is one: add ${c} to its number, write only the result, as plain digits without commas, to depth.txt, and declare the objective complete.`,
      'Add no task.',
    ].join('\n'),
    after: [ADDING],
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    command: memoryAdded(),
    iterations: endedAtOnce(),
    noMemories: noMemoriesInjected({ iteration: 1 }),
    stored: memoryStored({ content: `The well is ${a + b} feet deep`, type: 'context' }),
    injected: memoryInjected({ content: `The well is ${a + b} feet deep`, type: 'context' }),
    file: fileEquals('depth.txt', `${a + b + c}`),
  }),

  agent: [
    onObjective(/add (\d+) to its number/)
      .when({ memories: { regex: 'well is (\\d+) feet' } })
      .writes('depth.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/work out (\d+) \+ (\d+)/).runs(
      'ralph tools memory add "The well is {{add 1 2}} feet deep" --type context',
    ),
  ],

  pressure: [
    {
      name: 'nothing yet',
      description: 'Neither the memory file nor its folder exists',
      why: 'Every project starts like this.',
    },
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends', 'iterations'),
    'does not write what it knows': { agent: without('writes'), kills: ['file'] },
    'there is a memory file already': {
      config: arranging({
        files: remembering({ id: 'mem-1700000001-aaaa', type: 'fix', content: 'Something else' }),
      }),
      kills: ['noMemories'],
      why: 'The first prompt must not contain any memory.',
    },
    'Ralph confirms the first memory and does not write it': {
      target: 'lose-memories',
      kills: ['stored', 'injected', 'ends', 'command'],
    },
  },
});

export const memoryDamage = [corruptedFile, missingFile];
