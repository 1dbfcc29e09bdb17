import {
  completed,
  fileContains,
  fileEquals,
  loop,
  memoriesListed,
  memoryInjected,
  memoryStored,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import {
  ADDING,
  asking,
  COMMANDS_ONLY,
  LIST_MEMORIES,
  LONG_PROMPT_BACKENDS,
  memoryAdded,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const WRITERS = [1, 2, 3, 4, 5, 6, 7, 8];
const writing = (word: string) =>
  `for i in ${WRITERS.join(' ')}; do ralph tools memory add "Writer $i says ${word}" --type fix >> added.txt & done; wait`;

/** Eight processes at once: each reads the file, adds to it and writes it back. */
const rapidWrite = scenario({
  id: 'memory-rapid-write',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  phase: 'pressure',
  description: 'Eight processes add memories at the same time, and all of them are stored',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: COMMANDS_ONLY,
    prompt: [
      `Run this as one shell command, with WORD replaced by ${nonce} in uppercase:`,
      writing('WORD'),
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), ADDING],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    command: memoryAdded(),
    file: fileContains('added.txt', /^(?:Memory stored: \S+\n){8}$/),
    listed: memoriesListed(
      LIST_MEMORIES,
      WRITERS.map((writer) => `Writer ${writer} says ${nonce.toUpperCase()}`),
    ),
  }),

  agent: [
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .once()
      .runs(writing('{{upper 1}}'))
      .completes(),
    onObjective('as one shell command').says('That is done already.').completes(),
  ],

  pressure: [
    {
      name: 'writers at the same time',
      description: 'Eight processes each add a memory, and none waits for another',
      why: 'Loops in worktrees and agents with subagents share one memory file.',
    },
  ],

  saboteurs: {
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['listed', 'command'],
    },
    'does everything but never completes': neverCompletes('ends'),
    'runs one writer too few': { agent: replacing('1 2 3', '2 3'), kills: ['file', 'listed'] },
    'Ralph lets writers overwrite each other': { target: 'unlocked-memories', kills: ['listed'] },
  },
});

/** Some 30,000 bytes of text that could break a parser, a shell or a prompt. No line is empty. */
const notes = (word: string) =>
  [
    ...Array.from(
      { length: 400 },
      (_, line) =>
        `${line}. ## Fixes | \`$(id)\` "quoted" 'single' <!-- tags: a --> \\n %s {{1}} für ${line} €`,
    ),
    `The last word is ${word}`,
  ].join('\n');

const largeContent = scenario({
  id: 'memory-large-content',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  phase: 'pressure',
  description: 'A memory of four hundred lines is stored, listed and injected in full',
  covers: ['FR12', 'FR13'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, memories: { inject: 'auto' } }),
    files: { 'notes.txt': notes(nonce) },
    prompt: [
      'There are two steps. Do exactly one of them in each iteration. Do not open notes.txt: this tests that a long memory reaches your prompt.',
      '1. If there are no memories at the top of this prompt: run exactly this command, and stop:',
      '   ralph tools memory add "$(cat notes.txt)" --type decision',
      '2. If there is one: the last line of the memory names its last word. Write only that word, in uppercase, to word.txt, and declare the objective complete.',
      'Add no other memory, although the guide says to keep what you learned.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), ADDING],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    command: memoryAdded(),
    stored: memoryStored({ content: notes(nonce), type: 'decision' }),
    listed: memoriesListed(LIST_MEMORIES, [notes(nonce)]),
    injected: memoryInjected({ content: notes(nonce), type: 'decision' }),
    file: fileEquals('word.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names its last word')
      .when({ memories: { regex: '> The last word is (\\w+)' } })
      .writes('word.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('names its last word')
      .when({ memories: { contains: '> 0. ' } })
      .says('The memory has no last word.')
      .completes(),
    onObjective('names its last word').runs('ralph tools memory add "$(cat notes.txt)" --type decision'),
  ],

  pressure: [
    {
      name: 'a long text',
      description:
        'Some 30,000 bytes with quotes, comments, headings and characters that a shell would expand',
      why: 'Agents paste logs and stack traces.',
    },
  ],

  exempt: {
    'own-memory': 'the list must hold nothing else: a damaged or split memory would show up as one more',
  },

  saboteurs: {
    'the harness adds no memory': {
      config: arranging({ after: [asking(LIST_MEMORIES)] }),
      kills: ['command'],
      why: 'The command must work, whatever the agent did instead of running it.',
    },
    'does everything but never completes': neverCompletes('ends'),
    'stores only the first lines': {
      agent: replacing('cat notes.txt', 'head -n 3 notes.txt'),
      kills: ['stored', 'listed', 'injected', 'file'],
    },
    'Ralph cuts long memories': { target: 'cut-memories', kills: ['stored', 'listed', 'injected', 'file'] },
  },
});

export const memoryLoad = [rapidWrite, largeContent];
