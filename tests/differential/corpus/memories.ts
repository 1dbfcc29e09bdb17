import { completes, says } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

const STORE = `# Memories

## Patterns

### mem-1700000001-aaaa
> first line
> second line
<!-- tags: a, b | created: 2024-01-01 -->

### mem-1700000002-bbbb
> older pattern
<!-- tags:  | created: 2023-01-01 -->

## Decisions

## Fixes

### mem-1700000003-cccc
> a fix about Docker
<!-- tags: docker | created: 2024-02-02 -->

### mem-by-hand
> invisible
<!-- tags: x | created: 2024-02-02 -->

## Context

### mem-1700000004-dddd
> context here
<!-- tags: b | created: 2024-03-03 -->
`;
const PATH = '.ralph/agent/memories.md';
const tools = (...args: readonly string[]) => ['tools', 'memory', ...args];

/** What a loop remembers. */
export const MEMORIES: readonly DifferentialCase[] = [
  {
    name: 'memory: a store is put into the prompt, a hand-made id is part of the one before',
    covers: '§7.3 §8',
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: one that was added in an iteration is in the next prompt',
    covers: '§7.3',
    agent: [
      ['ralph tools memory add "remember this" -t fix --tags a,b', 'ralph tools memory add "two\nlines"'],
      completes,
    ],
  },
  {
    name: 'memory: survives into the next run',
    covers: '§3 kept across runs',
    agent: [['ralph tools memory add "from the first run"', says('LOOP_COMPLETE')], completes],
    commands: [run(), run()],
  },
  {
    name: 'memory: over budget it is cut after a whole one',
    covers: '§7.3 budget',
    config: loop({ more: 'memories: {budget: 40}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: a budget that not even one fits into',
    covers: '§7.3 budget',
    config: loop({ more: 'memories: {budget: 5}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: inject manual keeps it out',
    covers: '§2 memories.inject',
    config: loop({ more: 'memories: {inject: manual}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: inject none keeps it out',
    covers: '§2',
    config: loop({ more: 'memories: {inject: none}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: switched off',
    covers: '§2 memories.enabled',
    config: loop({ more: 'memories: {enabled: false}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: a filter does not change what is injected',
    covers: '§2 filter is not applied',
    config: loop({ more: 'memories: {filter: {types: [fix], tags: [docker], recent: 1}}' }),
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'memory: with hats, for every hat',
    covers: '§7.3',
    config: loop({ loop: 'max_iterations: 3, starting_event: build.task', more: TWO_HATS }),
    files: { [PATH]: STORE },
    agent: [[says('x')], completes],
  },
  {
    name: 'memory: an empty store',
    covers: '§7.3',
    files: { [PATH]: '# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n' },
    agent: [completes],
  },
  {
    name: 'memory command: add with every type and format',
    covers: '§8 add',
    config: null,
    commands: [
      tools('add', 'plain'),
      tools('add', 'a decision', '-t', 'decision', '--tags', 'x,y', '--format', 'json'),
      tools('add', 'a fix', '--type', 'fix', '--format', 'quiet'),
      tools('add', 'context', '-t', 'context', '--format', 'markdown'),
      tools('add', 'bad', '-t', 'nonsense'),
      tools('add'),
      tools('add', 'newer plain', '--tags', ' spaced , tags '),
    ],
  },
  {
    name: 'memory command: list in every format',
    covers: '§8 list',
    files: { [PATH]: STORE },
    commands: [
      tools('list', '--format', 'json'),
      tools('list', '--format', 'quiet'),
      tools('list', '--format', 'markdown'),
      tools('list', '-t', 'fix', '--format', 'markdown'),
      tools('list', '--last', '2', '--format', 'quiet'),
      tools('list', '--tags', 'a'),
    ],
  },
  {
    name: 'memory command: list and search of an empty store',
    covers: '§8 human text even for JSON',
    commands: [
      'ralph tools memory list | head -2',
      'ralph tools memory list --format json | head -2',
      'ralph tools memory search x --format json | head -2',
      tools('prime'),
      tools('prime', '--format', 'json'),
    ],
  },
  {
    name: 'memory command: search by text, type and tag',
    covers: '§8 search',
    files: { [PATH]: STORE },
    commands: [
      tools('search', 'docker', '--format', 'markdown'),
      tools('search', 'DOCKER', '--format', 'quiet'),
      tools('search', '--tags', 'a,docker', '--format', 'quiet'),
      'ralph tools memory search pattern -t fix | head -2',
      tools('search', '--format', 'json', '-t', 'context'),
      tools('search', '--all', '--format', 'quiet'),
    ],
  },
  {
    name: 'memory command: show and delete',
    covers: '§8 show, delete rewrites',
    files: { [PATH]: STORE },
    commands: [
      tools('show', 'mem-1700000001-aaaa', '--format', 'markdown'),
      tools('show', 'mem-1700000003-cccc', '--format', 'json'),
      tools('show', 'mem-0-0000'),
      tools('delete', 'mem-1700000002-bbbb'),
      tools('delete', 'mem-1700000002-bbbb'),
    ],
  },
  {
    name: 'memory command: prime with budget, type, tags and formats',
    covers: '§8 prime',
    files: { [PATH]: STORE },
    commands: [
      tools('prime'),
      tools('prime', '--budget', '30'),
      tools('prime', '-t', 'fix,context'),
      tools('prime', '--tags', 'b', '--format', 'json'),
      tools('prime', '--recent', '1'),
      tools('prime', '--format', 'quiet'),
    ],
  },
  {
    name: 'memory command: eight writers at the same time',
    covers: '§8 the lock',
    // The order is a matter of chance: the file is shown sorted, and goes.
    commands: [
      'for i in 1 2 3 4 5 6 7 8; do ralph tools memory add "writer $i" --format quiet >/dev/null & done; wait; grep "^>" .ralph/agent/memories.md | sort; rm .ralph/agent/memories.md',
    ],
  },
  {
    name: 'memory command: a long one',
    covers: '§8 content is kept whole',
    commands: [
      `ralph tools memory add "${'many words '.repeat(200)}end" >/dev/null; grep -c "words end" .ralph/agent/memories.md; rm .ralph/agent/memories.md`,
    ],
  },
  {
    name: 'memory command: init',
    covers: '§8 init',
    commands: [tools('init'), tools('init'), tools('init', '--force'), ['memory', 'list']],
  },
  {
    name: 'memory command: lists and details for people',
    covers: '§8 list, show',
    files: { [PATH]: STORE },
    commands: [
      tools(
        'add',
        'A long text that does not fit into the column of the table',
        '--tags',
        'one,two,three,four',
      ),
      tools('list'),
      tools('list', '-t', 'FIX'),
      tools('list', '-t', 'pattern', '--last', '1', '--format', 'quiet'),
      tools('show', 'mem-1700000001-aaaa'),
      tools('show', 'mem-1700000002-bbbb', '--format', 'quiet'),
    ],
  },
  {
    name: 'memory command: a search with more than ten matches',
    covers: '§8 search, max 10',
    files: {
      [PATH]: `# Memories\n\n## Fixes\n${Array.from({ length: 12 }, (_, index) => `\n### mem-17000000${10 + index}-abcd\n> Pump ${index}\n<!-- tags: Wet | created: 2024-01-01 -->\n`).join('')}`,
    },
    commands: [
      tools('search', 'pump'),
      tools('search', 'pump', '--format', 'quiet'),
      tools('search', 'pump', '--all', '--format', 'quiet'),
      tools('search', '--tags', 'wET', '--format', 'quiet'),
      tools('search', 'nothing'),
      tools('prime', '--tags', 'wET', '--format', 'quiet'),
      tools('prime', '--type', 'nonsense', '--format', 'quiet'),
      tools('prime', '--type', 'Fix,nonsense', '--budget', '60'),
      tools('prime', '--type', 'fix', '--format', 'table', '--budget', '0'),
    ],
  },
  {
    name: 'memory command: the first one of a type whose heading is missing',
    covers: '§8 add',
    files: { [PATH]: '# Memories\n\n## Patterns\n' },
    commands: [tools('add', 'one', '-t', 'context'), tools('add', 'two', '-t', 'Context')],
  },
];
