import {
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  loop,
  memoriesListed,
  memoryInjected,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { questionsOnly } from '../support/commands.js';
import {
  ADDING,
  asking,
  CODEWORD,
  COMMANDS_ONLY,
  codeword,
  LIST_MEMORIES,
  LONG_PROMPT_BACKENDS,
  MEMORY_FILE,
  memoryAdded,
  remembering,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const paragraphs = (word: string) => `First paragraph.\n\nSecond paragraph: ${word}`;

/** A memory should come back exactly as it was stored. */
const blankLines = scenario({
  id: 'memory-blank-lines',
  phase: 'pressure',
  description: 'A memory of two paragraphs keeps the blank line between them',
  covers: ['FR12'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph writes the blank lines of a memory to the file and loses them when it reads it',
    link: 'docs/ralph-behavior.md',
    breaks: { listed: /^exit code 0 and JSON with "First paragraph\.\\nSecond paragraph: [A-Z]+\d+"$/ },
  },

  arrange: ({ nonce }) => ({
    config: COMMANDS_ONLY,
    prompt: [
      `Run exactly this command, with WORD replaced by ${nonce} in uppercase:`,
      `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' WORD)" --type fix > added.txt`,
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), ADDING],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    command: memoryAdded(),
    file: fileContains('added.txt', 'Memory stored: mem-'),
    listed: memoriesListed(LIST_MEMORIES, [paragraphs(nonce.toUpperCase())]),
  }),

  agent: [
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .runs(
        `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' {{upper 1}})" --type fix > added.txt`,
      )
      .completes(),
  ],

  saboteurs: {
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['command'],
    },
    'does everything but never completes': neverCompletes('ends'),
    'stores nothing': { agent: without('runs'), kills: ['file', 'listed'] },
  },
});

/** In Ralph only headings of memories and sections end a memory: text under any other heading joins the memory above it. */
const handWritten = scenario({
  id: 'memory-hand-written-heading',
  backends: LONG_PROMPT_BACKENDS,
  phase: 'pressure',
  description: 'Text under a heading that a person added does not become part of a memory',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'text under a heading that Ralph did not write joins the memory above it',
    link: 'docs/ralph-behavior.md',
    breaks: {
      injected: /^fix "The codeword of this project i" … "[a-z]*\d+\\nShe knows the printer\." \(word\)$/,
      listed:
        /^exit code 0 and JSON with "The codeword of this project i" … "[a-z]*\d+\\nShe knows the printer\."$/,
    },
  },

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'auto' } }),
    files: {
      [MEMORY_FILE]: `# Memories

## Fixes

### mem-1700000001-aaaa
> ${codeword(nonce)}
<!-- tags: word | created: 2026-01-31 -->

### Ask Maria about this
> She knows the printer.
`,
    },
    prompt: [
      'A memory at the top of this prompt names the codeword of this project. Write only the codeword, in uppercase, to codeword.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    injected: memoryInjected({ content: codeword(nonce), type: 'fix' }, { iteration: 1 }),
    listed: memoriesListed(LIST_MEMORIES, [codeword(nonce)]),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names the codeword')
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('names the codeword').says('No memory names a codeword.').completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'Ralph discards the whole file': {
      target: 'distrust-damaged-memories',
      kills: ['injected', 'listed', 'file'],
    },
  },
});

const PRIME = 'tools memory prime --budget 32';

/** Ralph cuts memories for prompts in the same way, but between letters. */
const primedLetters = questionsOnly({
  id: 'memory-prime-letters',
  beyondStandIn: 'a panic',
  phase: 'pressure',
  description:
    'Priming with a budget that ends inside a letter of several bytes prints the memories that fit',
  covers: ['FR12'],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph cuts the memories at a byte and panics if that byte is inside a letter',
    link: 'docs/ralph-behavior.md',
    breaks: { primed: /^exit code 101; .*panicked at/ },
  },

  plan: {
    files: remembering(
      { id: 'mem-1700000001-aaaa', type: 'fix', content: 'First' },
      { id: 'mem-1700000002-aaaa', type: 'fix', content: 'ü'.repeat(99) },
    ),
    after: [asking(PRIME)],
  },

  answers: {
    primed: errandAnswered(PRIME, { stdout: /truncated: budget 32 tokens exceeded/ }),
  },

  saboteurs: {
    'nothing is stored': { config: arranging({ files: {} }), kills: ['primed'] },
  },
});

export const memoryText = [primedLetters, blankLines, handWritten];
