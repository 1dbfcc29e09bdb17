import {
  completed,
  fileContains,
  fileEquals,
  loop,
  memoriesListed,
  memoryInjected,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import {
  asking,
  BACKENDS,
  CODEWORD,
  COMMANDS_ONLY,
  codeword,
  LIST,
  MEMORY_FILE,
  neverCompletes,
} from '../support/memory.js';
import { leavingOut } from '../support/saboteurs.js';

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
    link: 'docs/ralph-behaviour.md',
    breaks: ['listed'],
  },

  arrange: ({ nonce }) => ({
    config: COMMANDS_ONLY,
    prompt: [
      `Run exactly this command, with ${nonce} in capital letters in place of WORD:`,
      `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' WORD)" --type fix > added.txt`,
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    file: fileContains('added.txt', 'Memory stored: mem-'),
    listed: memoriesListed(LIST, [paragraphs(nonce.toUpperCase())]),
  }),

  agent: [
    onObjective(/with (\w+) in capital letters/)
      .runs(
        `ralph tools memory add "$(printf 'First paragraph.\\n\\nSecond paragraph: %s' {{upper 1}})" --type fix > added.txt`,
      )
      .completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes,
    'stores nothing': leavingOut('runs', 'file', 'listed'),
  },
});

/** Only headings of memories and sections end a memory: what people write under others joins the one above. */
const handWritten = scenario({
  id: 'memory-hand-written-heading',
  backends: BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'pressure',
  description: 'What people write under a heading of their own does not become part of a memory',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'text under a heading that is not of ralph joins the memory above it',
    link: 'docs/ralph-behaviour.md',
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
    after: [asking(LIST)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    injected: memoryInjected({ content: codeword(nonce), type: 'fix' }, { iteration: 1 }),
    listed: memoriesListed(LIST, [codeword(nonce)]),
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
    'does all, but never completes': neverCompletes,
    'does not write what it knows': leavingOut('writes', 'file'),
    'ralph gives the whole file up': {
      target: 'distrust-damaged-memories',
      kills: ['injected', 'listed', 'file'],
      failure: 'AssertionMismatch',
    },
  },
});

export const memoryText = [blankLines, handWritten];
