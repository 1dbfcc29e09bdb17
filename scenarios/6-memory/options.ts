import { arranging } from '../support/arrangement-changes.js';
import { questionsOnly } from '../support/commands.js';
import { answersOf, askAll, asks, type Inquiries, printed } from '../support/inquiries.js';
import { asking, remembering, type StoredMemory } from '../support/memory.js';
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

const LISTS = {
  all: asks('tools memory list --format quiet', printed(...ALL_IDS)),
  last: asks('tools memory list --last 2 --format quiet', printed(FIRST_CONTEXT, SECOND_CONTEXT)),
  fewerThanAsked: asks(
    'tools memory list -t context --last 9 --format quiet',
    printed(FIRST_CONTEXT, SECOND_CONTEXT),
  ),
  lastOfType: asks('tools memory list -t fix --last 2 --format quiet', printed(...LAST_PUMPS)),
  json: asks('tools memory list --type decision --format json', printed(...jsonLines([DECISION_JSON]))),
  markdown: asks(
    'tools memory list --type decision --format markdown',
    printed('# Memories', '', '## Decisions', '', ...DECISION_MARKDOWN),
  ),
  tableTags: asks('tools memory list --type pattern', {
    stdout: /^ {2}2 \| \S+ pattern +\| [\w -]+ \| key, hall +\| /m,
  }),
  tableCut: asks('tools memory list --type pattern', {
    stdout: new RegExp(`\\| Door +\\| ${escapePattern(LONG.slice(0, 47))}\\.\\.\\.$`, 'm'),
  }),
  tableCount: asks('tools memory list --type pattern', { stdout: 'Showing 2 memories' }),
  shown: asks(`tools memory show ${DECISION}`, {
    stdout: new RegExp(
      `DECISION\\n[\\s\\S]*ID: +${DECISION}\\n +Created: .*\\(2026-01-31\\)\\n +Tags: +lift, cost\\n[\\s\\S]*\\n +We keep the old\\n +elevator\\n`,
    ),
  }),
  shownJson: asks(`tools memory show ${DECISION} --format json`, printed(...jsonLines(DECISION_JSON))),
  shownQuiet: asks(`tools memory show ${DECISION} --format quiet`, printed(DECISION)),
  shownMarkdown: asks(`tools memory show ${DECISION} --format markdown`, printed(...DECISION_MARKDOWN)),
} satisfies Inquiries;

/** What the list and a single memory look like, in each format. */
const listing = questionsOnly({
  id: 'memory-list-formats',
  description: 'Memories are listed in their order, by type and number, and shown in every format',
  covers: ['FR12'],

  plan: {
    files: remembering(...STORE),
    after: askAll(LISTS),
  },

  answers: answersOf(LISTS),
});

const SEARCHES = {
  ten: asks('tools memory search pump --format quiet', printed(...PUMPS.slice(0, 10).map(({ id }) => id))),
  counted: asks('tools memory search pump', {
    stdout: new RegExp(`^\\nSearch results for "pump" \\(12 of ${STORE.length} memories\\)\\n`),
  }),
  more: asks('tools memory search pump', { stdout: /Showing 10 of 12 matches .* --all/ }),
  all: asks(
    'tools memory search pump --all --format quiet',
    printed(...PUMPS.map(({ id }) => id), FIRST_CONTEXT),
  ),
  ofType: asks('tools memory search pump --type context --format quiet', printed(FIRST_CONTEXT)),
  anyTag: asks('tools memory search --tags dOOR,KEY --format quiet', printed(FIRST_PATTERN, SECOND_PATTERN)),
  wordAndTag: asks('tools memory search roof --tags hall --format quiet', printed(SECOND_CONTEXT)),
  typeAlone: asks('tools memory search -t decision --format quiet', printed(DECISION)),
  nothing: asks('tools memory search nowhere --format json', {
    stdout: `No matching memories found in ${STORE.length} total memories.`,
  }),
} satisfies Inquiries;

/** What a search finds, and how many it shows. */
const searching = questionsOnly({
  id: 'memory-search-options',
  description: 'A search is limited by type and tags, and to ten memories unless all are wanted',
  covers: ['FR12'],

  plan: {
    files: remembering(...STORE),
    after: askAll(SEARCHES),
  },

  answers: answersOf(SEARCHES),

  saboteurs: {
    'Ralph minds the case': { target: 'case-sensitive-search', kills: ['ten', 'counted', 'more', 'all'] },
    'Ralph finds everything': {
      target: 'search-finds-all',
      kills: ['ten', 'counted', 'all', 'ofType', 'wordAndTag', 'nothing'],
    },
  },
});

const pumpMarkdown = (pumps: typeof PUMPS) =>
  pumps.flatMap(({ id, content }) => [
    '',
    `### ${id}`,
    `> ${content}`,
    '<!-- tags:  | created: 2026-01-31 -->',
  ]);

const PRIMES = {
  markdown: asks(
    'tools memory prime --type decision',
    printed('# Memories', '', '## Decisions', '', ...DECISION_MARKDOWN),
  ),
  types: asks(
    'tools memory prime -t decision,Pattern --format quiet',
    printed(FIRST_PATTERN, SECOND_PATTERN, DECISION),
  ),
  tags: asks(
    'tools memory prime --tags hall,LIFT --format quiet',
    printed(SECOND_PATTERN, DECISION, SECOND_CONTEXT),
  ),
  recent: asks('tools memory prime --recent 1 --format json', {
    stdout: /^\[\n {2}\{\n[^{]*"content": "Fresh",[^{]*\}\n\]\n?$/,
  }),
  old: asks(
    'tools memory prime --recent 36500 --type pattern --format quiet',
    printed(FIRST_PATTERN, SECOND_PATTERN),
  ),
  json: asks('tools memory prime --type decision --format json', {
    stdout: new RegExp(`^${escapePattern(JSON.stringify([DECISION_JSON], null, 2))}\\n?$`),
  }),
  text: asks(
    'tools memory prime --type decision --format table',
    printed(
      `# ${DECISION} [Decisions]`,
      'We keep the old',
      'elevator',
      'Tags: lift, cost',
      'Created: 2026-01-31',
      '',
    ),
  ),
  nothing: asks('tools memory prime --tags nobody', { stdout: /^$/ }),
  unlimited: asks(
    'tools memory prime --type fix --format quiet --budget 0',
    printed(...PUMPS.map(({ id }) => id)),
  ),
  // The eighth pump ends exactly where 171 tokens end.
  budget: asks('tools memory prime --type fix --budget 171', {
    stdout: new RegExp(
      `^${['# Memories', '', '## Fixes', ...pumpMarkdown(PUMPS.slice(0, 8))].map(escapePattern).join('\\n')}\\n+<!-- truncated: budget 171 tokens exceeded -->$`,
    ),
  }),
} satisfies Inquiries;

/** What `prime` gives to an agent or a script. */
const priming = questionsOnly({
  id: 'memory-prime',
  description: 'Memories are primed by type, tags, age and budget, in every format',
  covers: ['FR12', 'FR13'],

  plan: {
    files: remembering(...STORE),
    before: [asking('tools memory add Fresh --type context --tags new')],
    after: askAll(PRIMES),
  },

  answers: answersOf(PRIMES),

  saboteurs: {
    'the store has other memories': {
      config: arranging({
        files: remembering(
          ...STORE.map((memory) => ({ ...memory, type: 'context' as const, tags: ['nobody'] })),
        ),
      }),
      kills: ['markdown', 'types', 'tags', 'old', 'json', 'text', 'nothing', 'unlimited', 'budget'],
    },
  },
});

export const memoryOptions = [listing, searching, priming];
