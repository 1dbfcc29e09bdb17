import { errandAnswered, scenario } from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { IDLE_WORKERS, MECHANICS, prints, SMALL_WORKER, smallWork, workDone } from '../support/commands.js';
import { asking, COMMANDS_ONLY, remembering, type StoredMemory } from '../support/memory.js';
import { escapePattern } from '../support/texts.js';

const DAY = { created: '2026-01-31' };

/** Eleven memories about pumps: one more than a search shows. */
const PUMPS = Array.from({ length: 11 }, (_, index) => ({
  id: `mem-17000000${20 + index}-cccc`,
  type: 'fix' as const,
  content: `Pump ${20 + index} needs oil`,
}));
const FIRST_PATTERN = 'mem-1700000001-aaaa';
const SECOND_PATTERN = 'mem-1700000002-aaaa';
const DECISION = 'mem-1700000003-bbbb';
const LAST_PUMPS = ['mem-1700000029-cccc', 'mem-1700000030-cccc'] as const;
const FIRST_CONTEXT = 'mem-1700000004-dddd';
const SECOND_CONTEXT = 'mem-1700000005-dddd';

const LONG = 'Doors open to the outside, and every one of them has a number above it';

const STORE: readonly StoredMemory[] = [
  {
    id: FIRST_PATTERN,
    type: 'pattern',
    content: LONG,
    tags: ['Door'],
  },
  { id: SECOND_PATTERN, type: 'pattern', content: 'Keys hang on the left', tags: ['key', 'hall'] },
  { id: DECISION, type: 'decision', content: 'We keep the old\nelevator', tags: ['lift', 'cost'] },
  ...PUMPS,
  { id: FIRST_CONTEXT, type: 'context', content: 'The pump room is below' },
  { id: SECOND_CONTEXT, type: 'context', content: 'The roof is flat', tags: ['hall'] },
];
const ALL_IDS = STORE.map(({ id }) => id);

const LIST = 'tools memory list --format quiet';
const LIST_LAST = 'tools memory list --last 2 --format quiet';
const LIST_MORE = 'tools memory list -t context --last 9 --format quiet';
const LIST_LAST_FIXES = 'tools memory list -t fix --last 2 --format quiet';
const LIST_JSON = 'tools memory list --type decision --format json';
const LIST_MARKDOWN = 'tools memory list --type decision --format markdown';
const LIST_TABLE = 'tools memory list --type pattern';
const SHOW = `tools memory show ${DECISION}`;
const SHOW_JSON = `tools memory show ${DECISION} --format json`;
const SHOW_QUIET = `tools memory show ${DECISION} --format quiet`;
const SHOW_MARKDOWN = `tools memory show ${DECISION} --format markdown`;

const DECISION_MARKDOWN = [
  `### ${DECISION}`,
  '> We keep the old',
  '> elevator',
  '<!-- tags: lift, cost | created: 2026-01-31 -->',
];
const DECISION_JSON = {
  id: DECISION,
  memory_type: 'decision',
  content: 'We keep the old\nelevator',
  tags: ['lift', 'cost'],
  ...DAY,
};
const jsonLines = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

/** What the list and a single memory look like, in each format. */
const listing = scenario({
  id: 'memory-list-formats',
  ...MECHANICS,
  description: 'Memories are listed in their order, by type and number, and shown in every format',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: remembering(...STORE),
    prompt: smallWork(context),
    after: [
      LIST,
      LIST_LAST,
      LIST_MORE,
      LIST_LAST_FIXES,
      LIST_JSON,
      LIST_MARKDOWN,
      LIST_TABLE,
      SHOW,
      SHOW_JSON,
      SHOW_QUIET,
      SHOW_MARKDOWN,
    ].map(asking),
  }),

  expect: (context) => ({
    ...workDone(context),
    all: prints(LIST, ...ALL_IDS),
    last: prints(LIST_LAST, FIRST_CONTEXT, SECOND_CONTEXT),
    fewerThanAsked: prints(LIST_MORE, FIRST_CONTEXT, SECOND_CONTEXT),
    lastOfType: prints(LIST_LAST_FIXES, ...LAST_PUMPS),
    json: prints(LIST_JSON, ...jsonLines([DECISION_JSON])),
    markdown: prints(LIST_MARKDOWN, '# Memories', '', '## Decisions', '', ...DECISION_MARKDOWN),
    tableTags: errandAnswered(LIST_TABLE, { stdout: /^ {2}2 \| \S+ pattern +\| [\w -]+ \| key, hall +\| /m }),
    tableCut: errandAnswered(LIST_TABLE, {
      stdout: new RegExp(`\\| Door +\\| ${escapePattern(LONG.slice(0, 47))}\\.\\.\\.$`, 'm'),
    }),
    tableCount: errandAnswered(LIST_TABLE, { stdout: 'Showing 2 memories' }),
    shown: errandAnswered(SHOW, {
      stdout: new RegExp(
        `DECISION\\n[\\s\\S]*ID: +${DECISION}\\n +Created: .*\\(2026-01-31\\)\\n +Tags: +lift, cost\\n[\\s\\S]*\\n +We keep the old\\n +elevator\\n`,
      ),
    }),
    shownJson: prints(SHOW_JSON, ...jsonLines(DECISION_JSON)),
    shownQuiet: prints(SHOW_QUIET, DECISION),
    shownMarkdown: prints(SHOW_MARKDOWN, ...DECISION_MARKDOWN),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'the store has other memories': {
      config: arranging({
        files: remembering(
          ...STORE.map((memory) => ({ ...memory, type: 'context' as const, content: 'Nothing', tags: [] })),
        ),
      }),
      kills: [
        'lastOfType',
        'json',
        'markdown',
        'tableTags',
        'tableCut',
        'tableCount',
        'shown',
        'shownJson',
        'shownMarkdown',
      ],
    },
    'the store has its memories in another order': {
      config: arranging({ files: remembering(...[...STORE].reverse()) }),
      kills: ['all', 'last', 'fewerThanAsked', 'lastOfType'],
    },
    'the memory to show has another id': {
      config: arranging({ files: remembering({ id: 'mem-1-0000', type: 'decision', content: 'Nothing' }) }),
      kills: ['shown', 'shownJson', 'shownQuiet', 'shownMarkdown'],
    },
  },
});

const PUMP = 'tools memory search pump --format quiet';
const PUMP_TABLE = 'tools memory search pump';
const PUMP_ALL = 'tools memory search pump --all --format quiet';
const PUMP_OF_TYPE = 'tools memory search pump --type context --format quiet';
const TAGGED = 'tools memory search --tags dOOR,KEY --format quiet';
const TAGGED_WORD = 'tools memory search roof --tags hall --format quiet';
const BY_TYPE = 'tools memory search -t decision --format quiet';
const NOWHERE = 'tools memory search nowhere --format json';

/** What a search finds, and how many it shows. */
const searching = scenario({
  id: 'memory-search-options',
  ...MECHANICS,
  description: 'A search is limited by type and tags, and to ten memories unless all are wanted',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: remembering(...STORE),
    prompt: smallWork(context),
    after: [PUMP, PUMP_TABLE, PUMP_ALL, PUMP_OF_TYPE, TAGGED, TAGGED_WORD, BY_TYPE, NOWHERE].map(asking),
  }),

  expect: (context) => ({
    ...workDone(context),
    ten: prints(PUMP, ...PUMPS.slice(0, 10).map(({ id }) => id)),
    counted: errandAnswered(PUMP_TABLE, {
      stdout: new RegExp(`^\\nSearch results for "pump" \\(12 of ${STORE.length} memories\\)\\n`),
    }),
    more: errandAnswered(PUMP_TABLE, { stdout: /Showing 10 of 12 matches .* --all/ }),
    all: prints(PUMP_ALL, ...PUMPS.map(({ id }) => id), FIRST_CONTEXT),
    ofType: prints(PUMP_OF_TYPE, FIRST_CONTEXT),
    anyTag: prints(TAGGED, FIRST_PATTERN, SECOND_PATTERN),
    wordAndTag: prints(TAGGED_WORD, SECOND_CONTEXT),
    typeAlone: prints(BY_TYPE, DECISION),
    nothing: errandAnswered(NOWHERE, {
      stdout: `No matching memories found in ${STORE.length} total memories.`,
    }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'the store has other memories': {
      config: arranging({
        files: remembering(
          ...STORE.map((memory) => ({ ...memory, type: 'context' as const, tags: ['nowhere'] })),
        ),
      }),
      kills: ['ofType', 'anyTag', 'wordAndTag', 'typeAlone', 'nothing'],
    },
    'there is only one pump': {
      config: arranging({ files: remembering(...STORE.filter(({ type }) => type !== 'fix')) }),
      kills: ['ten', 'counted', 'more', 'all'],
    },
    'Ralph minds the case': { target: 'case-sensitive-search', kills: ['ten', 'counted', 'more', 'all'] },
    'Ralph finds everything': {
      target: 'search-finds-all',
      kills: ['ten', 'counted', 'all', 'ofType', 'wordAndTag', 'nothing'],
    },
  },
});

const ADD_NEW = 'tools memory add Fresh --type context --tags new';
const PRIME = 'tools memory prime --type decision';
const PRIME_TYPES = 'tools memory prime -t decision,Pattern --format quiet';
const PRIME_TAGS = 'tools memory prime --tags hall,LIFT --format quiet';
const PRIME_RECENT = 'tools memory prime --recent 1 --format json';
const PRIME_OLD = 'tools memory prime --recent 36500 --type pattern --format quiet';
const PRIME_JSON = 'tools memory prime --type decision --format json';
const PRIME_TEXT = 'tools memory prime --type decision --format table';
const PRIME_NOTHING = 'tools memory prime --tags nobody';
const PRIME_UNLIMITED = 'tools memory prime --type fix --format quiet --budget 0';
/** The eighth pump ends exactly where 171 tokens end. */
const PRIME_BUDGET = 'tools memory prime --type fix --budget 171';

const pumpMarkdown = (pumps: typeof PUMPS) =>
  pumps.flatMap(({ id, content }) => [
    '',
    `### ${id}`,
    `> ${content}`,
    '<!-- tags:  | created: 2026-01-31 -->',
  ]);

/** What `prime` gives to an agent or a script. */
const priming = scenario({
  id: 'memory-prime',
  ...MECHANICS,
  description: 'Memories are primed by type, tags, age and budget, in every format',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: remembering(...STORE),
    before: [asking(ADD_NEW)],
    prompt: smallWork(context),
    after: [
      PRIME,
      PRIME_TYPES,
      PRIME_TAGS,
      PRIME_RECENT,
      PRIME_OLD,
      PRIME_JSON,
      PRIME_TEXT,
      PRIME_NOTHING,
      PRIME_UNLIMITED,
      PRIME_BUDGET,
    ].map(asking),
  }),

  expect: (context) => ({
    ...workDone(context),
    markdown: prints(PRIME, '# Memories', '', '## Decisions', '', ...DECISION_MARKDOWN),
    types: prints(PRIME_TYPES, FIRST_PATTERN, SECOND_PATTERN, DECISION),
    tags: prints(PRIME_TAGS, SECOND_PATTERN, DECISION, SECOND_CONTEXT),
    recent: errandAnswered(PRIME_RECENT, { stdout: /^\[\n {2}\{\n[^{]*"content": "Fresh",[^{]*\}\n\]\n?$/ }),
    old: prints(PRIME_OLD, FIRST_PATTERN, SECOND_PATTERN),
    json: errandAnswered(PRIME_JSON, {
      stdout: new RegExp(`^${escapePattern(JSON.stringify([DECISION_JSON], null, 2))}\\n?$`),
    }),
    text: prints(
      PRIME_TEXT,
      `# ${DECISION} [Decisions]`,
      'We keep the old',
      'elevator',
      'Tags: lift, cost',
      'Created: 2026-01-31',
      '',
    ),
    nothing: errandAnswered(PRIME_NOTHING, { stdout: /^$/ }),
    unlimited: prints(PRIME_UNLIMITED, ...PUMPS.map(({ id }) => id)),
    budget: errandAnswered(PRIME_BUDGET, {
      stdout: new RegExp(
        `^${['# Memories', '', '## Fixes', ...pumpMarkdown(PUMPS.slice(0, 8))].map(escapePattern).join('\\n')}\\n+<!-- truncated: budget 171 tokens exceeded -->$`,
      ),
    }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'the store has other memories': {
      config: arranging({
        files: remembering(
          ...STORE.map((memory) => ({ ...memory, type: 'context' as const, tags: ['nobody'] })),
        ),
      }),
      kills: ['markdown', 'types', 'tags', 'old', 'json', 'text', 'nothing', 'unlimited', 'budget'],
    },
    'no memory is new': {
      config: arranging({ before: [] }),
      kills: ['recent'],
    },
  },
});

export const memoryOptions = [listing, searching, priming];
