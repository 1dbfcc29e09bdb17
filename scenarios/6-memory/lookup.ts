import {
  completed,
  errandAnswered,
  fileEquals,
  memoriesListed,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { asking, COMMANDS_ONLY, LIST_MEMORIES, memoryId, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const SEARCH = 'tools memory search STAGING --format json';

/** The search ignores case and looks at texts and tags: neither the word nor what it finds is in lowercase. */
const search = scenario({
  id: 'memory-search',
  priority: 'must',
  description: 'A search finds the memories that have the word in their text or tags, and no others',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    files: remembering(
      { id: 'mem-1700000001-aaaa', type: 'context', content: `The Staging server listens on port ${a}` },
      { id: 'mem-1700000002-bbbb', type: 'context', content: `The database listens on port ${b}` },
      { id: 'mem-1700000003-cccc', type: 'fix', content: `Restart it after ${c} seconds`, tags: ['Staging'] },
    ),
    prompt: [
      `Run \`ralph ${SEARCH}\`. This tests the command, so do not read the memory file yourself.`,
      'It finds two memories, and each of them names a number. Write only the sum of the two numbers, as plain digits without commas, to sum.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(SEARCH)],
  }),

  expect: ({ numbers: [a, , c] }) => ({
    ends: completed(),
    file: fileEquals('sum.txt', `${a + c}`),
    listed: memoriesListed(SEARCH, [
      `The Staging server listens on port ${a}`,
      `Restart it after ${c} seconds`,
    ]),
  }),

  agent: [
    onObjective('the sum of the two numbers')
      .when({ toolResult: { regex: 'after (\\d+) seconds[\\s\\S]*Staging server listens on port (\\d+)' } })
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective('the sum of the two numbers')
      .runs(`ralph ${SEARCH}`)
      .says('The search did not find two memories.')
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'searches for something else': { agent: replacing('STAGING', 'database'), kills: ['file'] },
    'there are no memories': {
      config: arranging({ files: {} }),
      kills: ['file', 'listed'],
      why: 'The answer must come from the memories, not from the prompt.',
    },
    'Ralph finds everything': { target: 'search-finds-all', kills: ['listed'] },
    'Ralph minds the case': { target: 'case-sensitive-search', kills: ['listed', 'file'] },
  },
});

const LIST_FIXES = 'tools memory list --type fix --format json';
const LIST_LAST = 'tools memory list --last 1 --format json';

const list = scenario({
  id: 'memory-list',
  priority: 'must',
  description: 'The list shows every memory, or only those of a type, or only the last ones',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    before: [
      { ralph: ['tools', 'memory', 'add', `Shelf one holds ${a} boxes`, '--type', 'pattern'] },
      { ralph: ['tools', 'memory', 'add', `Shelf two holds ${b} boxes`, '--type', 'fix'] },
      { ralph: ['tools', 'memory', 'add', `Shelf three holds ${c} boxes`, '--type', 'context'] },
    ],
    prompt: [
      `Run \`ralph ${LIST_MEMORIES}\`. This tests the command, so do not read the memory file yourself.`,
      'Each memory that it lists names a number of boxes. Write only the sum of these numbers, as plain digits without commas, to sum.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), asking(LIST_FIXES), asking(LIST_LAST)],
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    file: fileEquals('sum.txt', `${a + b + c}`),
    listedAll: memoriesListed(LIST_MEMORIES, [
      `Shelf one holds ${a} boxes`,
      `Shelf two holds ${b} boxes`,
      `Shelf three holds ${c} boxes`,
    ]),
    listedFixes: memoriesListed(LIST_FIXES, [`Shelf two holds ${b} boxes`]),
    listedLast: memoriesListed(LIST_LAST, [`Shelf three holds ${c} boxes`]),
  }),

  agent: [
    onObjective('the sum of these numbers')
      .when({ toolResult: { regex: 'one holds (\\d+)[\\s\\S]*two holds (\\d+)[\\s\\S]*three holds (\\d+)' } })
      .writes('sum.txt', '{{add 1 2 3}}\n')
      .completes(),
    onObjective('the sum of these numbers')
      .runs(`ralph ${LIST_MEMORIES}`)
      .says('The list lacks a memory.')
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'lists only one type': { agent: replacing('memory list', 'memory list --type fix'), kills: ['file'] },
    'one memory is missing': {
      config: (arrangement) => ({ ...arrangement, before: arrangement.before?.slice(0, 2) ?? [] }),
      kills: ['file', 'listedAll', 'listedLast'],
      why: 'The answer must come from the stored memories.',
    },
    'Ralph stores every memory as a pattern': { target: 'mistype-memories', kills: ['listedFixes'] },
  },
});

const showOne = scenario({
  id: 'memory-show',
  priority: 'must',
  description: 'A memory is shown by its id, and an unknown id is an error',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    files: remembering(
      { id: memoryId(a, c), type: 'fix', content: 'The printer is out of paper' },
      { id: memoryId(a, b), type: 'fix', content: `The door opens with the word ${nonce}`, tags: ['door'] },
    ),
    prompt: [
      `Run \`ralph tools memory show ${memoryId(a, b)} --format json\`. This tests the command, so do not read the memory file yourself.`,
      'The memory names a word. Write only that word, in uppercase, to word.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(`tools memory show ${memoryId(a, b)}`), asking('tools memory show mem-1600000000-0000')],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    file: fileEquals('word.txt', nonce.toUpperCase()),
    shown: errandAnswered(`tools memory show ${memoryId(a, b)}`, {
      stdout: `The door opens with the word ${nonce}`,
    }),
    unknownId: errandAnswered('tools memory show mem-1600000000-0000', {
      exitCode: 1,
      stderr: 'Memory not found: mem-1600000000-0000',
    }),
  }),

  agent: [
    onObjective('The memory names a word')
      .when({ toolResult: { regex: 'opens with the word (\\w+)' } })
      .writes('word.txt', '{{upper 1}}\n')
      .completes(),
    onObjective(/Run `(ralph tools memory show \S+ --format json)`/)
      .runs('{{1}}')
      .says('The memory names no word.')
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'the memory has another id': {
      config: arranging(({ nonce }) => ({
        files: remembering({
          id: 'mem-1600000000-0000',
          type: 'fix',
          content: `The door opens with the word ${nonce}`,
        }),
      })),
      kills: ['file', 'shown', 'unknownId'],
      why: 'A memory is shown because its id matches, not because it is the only one.',
    },
    'Ralph shows another memory': { target: 'show-wrong-memory', kills: ['file', 'shown'] },
  },
});

export const memoryLookup = [search, list, showOne];
