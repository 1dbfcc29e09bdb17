import {
  completed,
  fileContains,
  fileEquals,
  loop,
  memoriesListed,
  memoryInjected,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import {
  asking,
  CODEWORD,
  COMMANDS_ONLY,
  codeword,
  LIST_MEMORIES,
  LONG_PROMPT_BACKENDS,
  MEMORY_FILE,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const paragraphs = (word: string) => `First paragraph.\n\nSecond paragraph: ${word}`;

/** What is stored should come back as it was. */
const blankLines = scenario({
  id: 'memory-blank-lines',
  tier: 6,
  priority: 'should',
  phase: 'pressure',
  description: 'A memory of two paragraphs keeps the blank line between them',
  covers: ['FR12'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'blank lines of a memory are written to the file and lost when it is read',
    link: 'docs/ralph-behavior.md',
    breaks: ['listed'],
  },

  arrange: ({ nonce }) => ({
    config: COMMANDS_ONLY,
    prompt: [
      `Run exactly this command, with ${nonce} in capital letters in place of WORD:`,
      `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' WORD)" --type fix > added.txt`,
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    file: fileContains('added.txt', 'Memory stored: mem-'),
    listed: memoriesListed(LIST_MEMORIES, [paragraphs(nonce.toUpperCase())]),
  }),

  agent: [
    onObjective(/with (\w+) in capital letters/)
      .runs(
        `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' {{upper 1}})" --type fix > added.txt`,
      )
      .completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes('ends'),
    'stores nothing': { agent: without('runs'), kills: ['file', 'listed'] },
  },
});

/** Only headings of memories and sections end a memory: what people write under others joins the one above. */
const handWritten = scenario({
  id: 'memory-hand-written-heading',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'pressure',
  description: 'What people write under a heading of their own does not become part of a memory',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'text under a heading that is not of ralph joins the memory above it',
    link: 'docs/ralph-behavior.md',
    breaks: ['injected', 'listed'],
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
      'A memory at the top of this prompt names the codeword of this project. Write it in capital letters, nothing else, into codeword.txt.',
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
    'does all, but never completes': neverCompletes('ends'),
    'does not write what it knows': { agent: without('writes'), kills: ['file'] },
    'ralph gives the whole file up': {
      target: 'distrust-damaged-memories',
      kills: ['injected', 'listed', 'file'],
    },
  },
});

export const memoryText = [blankLines, handWritten];
