import {
  completed,
  fileEquals,
  keptOutOfPrompt,
  loop,
  memoryBudgetKept,
  memoryInjected,
  onAnyPrompt,
  onObjective,
  onPrompt,
  promptContained,
  promptLacked,
  scenario,
  without,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { IDLE_WORKERS, MECHANICS, SMALL_WORKER, smallWork, workDone } from '../support/commands.js';
import {
  CODEWORD,
  codeword,
  LONG_PROMPT_BACKENDS,
  MEMORY_FILE,
  remembering,
  renderMemory,
  type StoredMemory,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** What an agent does if it does not get the memory. */
const knowsNothing = onAnyPrompt().says('My prompt names no codeword.').completes();

const TELL = [
  'Your memories are at the top of this prompt, and one of them names the codeword of this project.',
  'Write only the codeword, in uppercase, to codeword.txt.',
  'This tests that memories reach your prompt, so take it from there: open no file and run no command to find it.',
  'Then declare the objective complete.',
].join('\n');

const injection = scenario({
  id: 'memory-injection',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'Stored memories are injected into the prompt automatically',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'auto' } }),
    files: remembering({
      id: 'mem-1700000001-aaaa',
      type: 'decision',
      content: codeword(nonce),
      tags: ['word'],
    }),
    prompt: TELL,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    injected: memoryInjected(
      { content: codeword(nonce), type: 'decision', tags: ['word'] },
      { iteration: 1 },
    ),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names the codeword')
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    knowsNothing,
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'has the memory and does not use it': { agent: without('writes'), kills: ['file'] },
    'No memories configured': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['injected', 'file'],
      failure: 'ConfigurationError',
      why: 'Only injection brings memories into the prompt: without it the agent cannot use what it learned earlier.',
    },
    'Ralph keeps memories out of the prompt': {
      target: 'skip-memory-injection',
      kills: ['injected', 'file'],
    },
  },
});

const BUDGET = 2000;
/**
 * Sixty memories of about 200 bytes each: one and a half times the budget. Most of their characters take three bytes, so
 * a budget that counts characters keeps more of them, and a cut at the wrong byte splits a character.
 */
const FILLERS = Array.from({ length: 60 }, (_, index) => ({
  id: `mem-17000000${10 + index}-bbbb`,
  type: 'fix' as const,
  content: `Build ${10 + index} failed: ${'…'.repeat(40)}`,
}));
const FIRST_BYTES = (first: StoredMemory) =>
  Buffer.byteLength(`# Memories\n\n## Patterns\n\n${renderMemory(first)}\n## Fixes\n`);

/** Returns the last filler that fits into the budget after the first memory, and the one after it. */
function aroundTheCut(first: StoredMemory): readonly [string, string] {
  let bytes = FIRST_BYTES(first);
  const ends = FILLERS.map((filler) => {
    bytes += Buffer.byteLength(`\n${renderMemory(filler)}`);
    return bytes;
  });
  // A memory counts as whole without its last line feed.
  const cut = ends.findIndex((end) => end - 1 > BUDGET * 4);
  return [FILLERS[cut - 1]?.content ?? '', FILLERS[cut]?.content ?? ''];
}

const first = (word: string) => ({
  id: 'mem-1700000001-aaaa',
  type: 'pattern' as const,
  content: codeword(word),
});
const tooMuch = (a: number) => `Cabinet ${a} is full`;

const budget = scenario({
  id: 'memory-injection-budget',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  phase: 'pressure',
  description:
    'Memories over the budget are cut after the last whole one that fits, and the prompt marks the cut',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'auto', budget: BUDGET } }),
    files: remembering(first(nonce), ...FILLERS, {
      id: 'mem-1700000099-cccc',
      type: 'context',
      content: tooMuch(a),
    }),
    prompt: TELL,
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    injected: memoryInjected({ content: codeword(nonce), type: 'pattern' }, { iteration: 1 }),
    budget: memoryBudgetKept(BUDGET, { iteration: 1 }),
    lastThatFits: memoryInjected({ content: aroundTheCut(first(nonce))[0], type: 'fix' }, { iteration: 1 }),
    marked: promptContained(
      `> ${aroundTheCut(first(nonce))[0]}\n<!-- tags:  | created: 2026-01-31 -->\n\n\n<!-- truncated: budget ${BUDGET} tokens exceeded -->\n`,
      { iteration: 1 },
    ),
    firstThatDoesNot: keptOutOfPrompt(aroundTheCut(first(nonce))[1], { iteration: 1 }),
    keptOut: keptOutOfPrompt(tooMuch(a), { iteration: 1 }),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names the codeword')
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    knowsNothing,
  ],

  pressure: [
    {
      name: 'too many memories',
      description: 'Sixty-two memories, one and a half times the budget of 2,000 tokens',
      why: 'After months of work a project has more memories than a prompt should hold.',
    },
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'No budget': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['budget', 'marked', 'keptOut', 'firstThatDoesNot'],
      failure: 'ConfigurationError',
      why: 'Without a budget every memory is in the prompt: only the budget cuts.',
    },
    'the budget is too small for a single memory': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto', budget: 10 } }) }),
      kills: ['injected', 'budget', 'file', 'lastThatFits'],
      failure: 'ConfigurationError',
    },
    'the budget counts bytes and not tokens': {
      config: arranging({
        config: loop({ maxIterations: 3, memories: { inject: 'auto', budget: BUDGET / 4 } }),
      }),
      kills: ['lastThatFits', 'budget'],
      failure: 'ConfigurationError',
      why: 'A budget that is used up too early hides memories as much as one that is ignored shows too many.',
    },
    'Ralph ignores the budget': {
      target: 'ignore-memory-budget',
      kills: ['budget', 'keptOut', 'firstThatDoesNot'],
    },
  },
});

const PUMPS = [
  { id: 'mem-1700000001-aaaa', type: 'fix', content: 'Oil the pump' },
  { id: 'mem-1700000002-aaaa', type: 'fix', content: 'Clean the pump before the summer' },
  { id: 'mem-1700000003-aaaa', type: 'fix', content: 'Paint the pump' },
] as const;
/** The beginning of the prompt up to the end of the second pump: a multiple of four bytes. */
const TWO_PUMPS = `# Memories\n\n## Fixes\n\n${renderMemory(PUMPS[0])}\n${renderMemory(PUMPS[1])}`.trimEnd();
const TWO_PUMPS_BUDGET = TWO_PUMPS.length / 4;
/** A store that fits to the last byte, with the line feed after it. */
const FITTING = remembering(PUMPS[0], { ...PUMPS[1], content: 'Clean the pump before the month' });
const withBudget = (tokens: number) =>
  loop({ maxIterations: 3, memories: { inject: 'auto', budget: tokens } });

/** The budget ends with the last character of a memory, and then with the last one of the store. */
const exactBudget = scenario({
  id: 'memory-injection-exact-budget',
  ...MECHANICS,
  description:
    'A memory that ends exactly where the budget ends is in the prompt, and nothing after it; a store that just fits is not cut',
  covers: ['FR13'],
  expectedIterations: 2,

  arrange: (context) => ({
    config: withBudget(TWO_PUMPS_BUDGET),
    files: { ...remembering(...PUMPS), 'fitting.md': FITTING[MEMORY_FILE] ?? '' },
    prompt: smallWork(context),
  }),

  expect: (context) => ({
    ...workDone(context),
    cut: promptContained(`${TWO_PUMPS}\n\n<!-- truncated: budget ${TWO_PUMPS_BUDGET} tokens exceeded -->\n`, {
      iteration: 1,
    }),
    keptOut: keptOutOfPrompt('Paint the pump', { iteration: 1 }),
    fits: promptContained('> Clean the pump before the month\n', { iteration: 2 }),
    uncut: promptLacked('<!-- truncated', { iteration: 2 }),
  }),

  agent: [
    onPrompt('before the summer').runs(`cp fitting.md ${MEMORY_FILE}`).emits('store.changed', 'it fits'),
    SMALL_WORKER,
  ],

  saboteurs: {
    ...IDLE_WORKERS,
    'the store does not change': {
      agent: replacing('cp fitting.md', 'ls'),
      kills: ['fits'],
      failure: 'AssertionMismatch',
    },
    'the store is a byte too long': {
      agent: replacing('cp fitting.md', "sed -i.bak 's/pump before/pumps before/' fitting.md; cp fitting.md"),
      kills: ['uncut', 'fits'],
      failure: 'AssertionMismatch',
    },
    'one token less': {
      config: arranging({ config: withBudget(TWO_PUMPS_BUDGET - 1) }),
      kills: ['cut'],
    },
    'Ralph ignores the budget': { target: 'ignore-memory-budget', kills: ['cut', 'keptOut'] },
  },
});

export const memoryInjection = [injection, budget, exactBudget];
