import {
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  memoriesListed,
  memoryAbsent,
  memoryStored,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS, questionsOnly } from '../support/commands.js';
import { answersOf, askAll, asks } from '../support/inquiries.js';
import { asking, COMMANDS_ONLY, MEMORY_FILE, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const ID = 'mem-\\d+-[0-9a-f]{4}';
const ADD_PLAIN = 'tools memory add Plain --format markdown';
const ADD_TAGGED = [
  'tools',
  'memory',
  'add',
  'Tagged',
  '-t',
  'Decision',
  '--tags',
  'red, blue,green',
  '--format',
  'json',
];
const ADD_QUICK = 'tools memory add Quick --type fix --format quiet';
const ADD_INSIDE = 'tools memory add Inside';
const LIST_INSIDE = 'tools memory list --root inner --format json';
const ADD_LATER = 'tools memory add Later --type fix';
const ADD_WRONG = 'tools memory add Wrong --type nonsense';
const ADD_ROOTED = 'tools memory add Rooted --root elsewhere';
const LIST_ROOTED = 'tools memory list --root elsewhere --format json';
const RECENT = 'tools memory prime --recent 1 --type fix --format json';
const DELETE_UNKNOWN = 'tools memory delete mem-1600000000-0000';

/** A folder with a Ralph of its own, although only the one around it is a repository. */
const INNER = { 'inner/.ralph/kept': '', 'inner/below/kept': '' };

/** The store has the heading for patterns only: the others come with their first memory. */
const adding = scenario({
  id: 'memory-add-options',
  ...MECHANICS,
  description:
    'A memory is stored with defaults or options, also from a subfolder, and the newest comes first',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: COMMANDS_ONLY,
    files: { [MEMORY_FILE]: '# Memories\n\n## Patterns\n', ...INNER },
    before: [
      { ralph: ADD_INSIDE.split(' '), in: 'inner/below', env: { RALPH_WORKSPACE_ROOT: null } },
      asking(LIST_INSIDE),
      asking(ADD_PLAIN),
      { ralph: ADD_TAGGED },
      asking(ADD_QUICK),
      asking(ADD_LATER),
      asking(ADD_WRONG),
      asking(DELETE_UNKNOWN),
    ],
    prompt: [
      `Run this command, with WORD replaced by ${nonce} in uppercase:`,
      'mkdir -p deep/down && cd deep/down && env -u RALPH_WORKSPACE_ROOT ralph tools memory add "From below: WORD" --type context',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(RECENT), asking(ADD_ROOTED), asking(LIST_ROOTED)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    below: memoryStored({ content: `From below: ${nonce.toUpperCase()}`, type: 'context', tags: [] }),
    nearest: errandAnswered(LIST_INSIDE, { json: [{ content: 'Inside' }] }),
    plain: memoryStored({ content: 'Plain', type: 'pattern', tags: [] }),
    plainAnswer: errandAnswered(ADD_PLAIN, {
      stdout: new RegExp(`^### ${ID}\\n> Plain\\n<!-- tags: {2}\\| created: \\d{4}-\\d\\d-\\d\\d -->\\n$`),
    }),
    tagged: memoryStored({ content: 'Tagged', type: 'decision', tags: ['red', 'blue', 'green'] }),
    taggedAnswer: errandAnswered(ADD_TAGGED.join(' '), {
      stdout: new RegExp(
        `^\\{\\s+"id": "${ID}",\\s+"memory_type": "decision",\\s+"content": "Tagged",\\s+"tags": \\[\\s+"red",\\s+"blue",\\s+"green"\\s+\\],\\s+"created": "\\d{4}-\\d\\d-\\d\\d"\\s+\\}\\n$`,
      ),
    }),
    quickAnswer: errandAnswered(ADD_QUICK, { stdout: new RegExp(`^${ID}\\n$`) }),
    laterAnswer: errandAnswered(ADD_LATER, { stdout: new RegExp(`^Memory stored: ${ID}\\n$`) }),
    newestFirst: fileContains(MEMORY_FILE, /^## Fixes$[^#]*### .*\n> Later\n.*\n\n### .*\n> Quick\n/m),
    today: errandAnswered(RECENT, { stdout: /"content": "Later"[\s\S]*"content": "Quick"/ }),
    refused: errandAnswered(ADD_WRONG, {
      exitCode: 2,
      stderr: /Invalid memory type: 'nonsense'. Valid types: pattern, decision, fix, context/,
    }),
    nothingWrong: memoryAbsent('Wrong'),
    rooted: memoriesListed(LIST_ROOTED, ['Rooted']),
    notRooted: memoryAbsent('Rooted'),
    deleteUnknown: errandAnswered(DELETE_UNKNOWN, {
      exitCode: 1,
      stderr: 'Memory not found: mem-1600000000-0000',
    }),
  }),

  agent: [
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .runs(
        'mkdir -p deep/down && cd deep/down && env -u RALPH_WORKSPACE_ROOT ralph tools memory add "From below: {{upper 1}}" --type context',
      )
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'the harness stores nothing': {
      config: arranging({ before: [] }),
      kills: [
        'nearest',
        'plain',
        'plainAnswer',
        'tagged',
        'taggedAnswer',
        'quickAnswer',
        'laterAnswer',
        'newestFirst',
        'today',
        'refused',
        'deleteUnknown',
      ],
    },
    'the wrong ones are stored already': {
      config: arranging({
        files: {
          ...INNER,
          ...remembering(
            { id: 'mem-1700000001-aaaa', type: 'fix', content: 'Wrong' },
            { id: 'mem-1700000002-aaaa', type: 'fix', content: 'Rooted' },
          ),
        },
      }),
      kills: ['nothingWrong', 'notRooted'],
    },
    'Ralph stores every memory as a pattern': {
      target: 'mistype-memories',
      kills: ['below', 'tagged', 'newestFirst', 'today'],
    },
  },
});

const TEMPLATE = '# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n';
const INITS = {
  refused: asks('tools memory init', {
    exitCode: 1,
    stderr: /Memories file already exists at .*Use --force/,
  }),
  created: asks('tools memory init --root elsewhere', {
    stdout: /^Initialized memories file at elsewhere\/\S+\n$/,
  }),
  forced: asks('tools memory init --root forced --force', {
    stdout: /^Initialized memories file at forced\/\S+\n$/,
  }),
  empty: asks(LIST_ROOTED, { stdout: /No memories yet\.[\s\S]*ralph tools memory add/ }),
};

/** One store exists, one does not, and one is overwritten. */
const initializing = questionsOnly({
  id: 'memory-init',
  description: 'An empty store is created, and an existing one is overwritten only by force',
  covers: ['FR12'],

  plan: {
    files: {
      ...remembering({ id: 'mem-1700000001-aaaa', type: 'fix', content: 'Stays' }),
      [`forced/${MEMORY_FILE}`]: 'Goes\n',
    },
    after: askAll(INITS),
  },

  answers: {
    ...answersOf(INITS),
    stays: memoryStored({ content: 'Stays', type: 'fix' }),
    template: fileEquals(`elsewhere/${MEMORY_FILE}`, TEMPLATE),
    overwritten: fileEquals(`forced/${MEMORY_FILE}`, TEMPLATE),
  },

  saboteurs: {
    'there is no store yet': {
      config: arranging({ files: {} }),
      kills: ['refused', 'stays'],
    },
  },
});

const DELETE = 'tools memory delete mem-1700000003-aaaa';
const KEPT = [
  { id: 'mem-1700000002-aaaa', type: 'pattern', content: 'Second\nof two lines', tags: ['x'] },
  { id: 'mem-1700000001-aaaa', type: 'pattern', content: 'First' },
  { id: 'mem-1700000004-aaaa', type: 'context', content: 'Fourth', tags: ['y', 'z'] },
] as const;

/** A deletion writes the whole file anew. */
const deleting = questionsOnly({
  id: 'memory-delete-keeps-others',
  description: 'A deletion keeps all other memories as they are, with lines, tags, dates and order',
  covers: ['FR12'],

  plan: {
    files: remembering(
      KEPT[0],
      { id: 'mem-1700000003-aaaa', type: 'pattern', content: 'Third', tags: ['gone'] },
      KEPT[1],
      KEPT[2],
    ),
    after: [asking(DELETE)],
  },

  answers: {
    deleted: errandAnswered(DELETE, { stdout: /^Memory deleted: mem-1700000003-aaaa\n$/ }),
    rest: fileEquals(MEMORY_FILE, remembering(...KEPT)[MEMORY_FILE] ?? ''),
  },

  saboteurs: {
    'Ralph confirms the deletion and keeps the memory': {
      target: 'keep-deleted-memories',
      kills: ['rest'],
    },
  },
});

export const memoryEdges = [adding, initializing, deleting];
