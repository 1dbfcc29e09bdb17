import {
  completed,
  fileEquals,
  keptOutOfPrompt,
  loop,
  memoriesListed,
  memoryInjected,
  memoryStored,
  noMemoriesInjected,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { asking, CODEWORD, codeword, LONG_PROMPT_BACKENDS, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const SEARCH = 'tools memory search codeword --format json';

const manual = scenario({
  id: 'memory-injection-manual',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'With `inject: manual` no memory is in the prompt, and the agent can still look it up',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'manual' } }),
    files: remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: codeword(nonce) }),
    prompt: [
      'Find a memory with this command. This tests the command, so do not read the memory file yourself:',
      `ralph ${SEARCH}`,
      'The memory that it finds names a codeword. Write only the codeword, in uppercase, to codeword.txt.',
      'Add no memory, although the guide says to keep what you learned.',
      'Then declare the objective complete.',
    ].join('\n'),
    // An agent could read the memory file instead. So the harness runs the command itself.
    after: [asking(SEARCH)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    keptOut: keptOutOfPrompt(codeword(nonce), { iteration: 1 }),
    noMemories: noMemoriesInjected({ iteration: 1 }),
    found: memoriesListed(SEARCH, [codeword(nonce)]),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names a codeword')
      .when({ toolResult: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('names a codeword').runs(`ralph ${SEARCH}`).says('The search found no codeword.').completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'searches for something else': {
      agent: replacing('search codeword', 'search password'),
      kills: ['file'],
    },
    'memories are injected anyway': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut', 'noMemories'],
      failure: 'ConfigurationError',
      why: 'Only `inject: manual` keeps them out.',
    },
    'Ralph injects them although it should not': {
      target: 'inject-always',
      kills: ['keptOut', 'noMemories'],
    },
  },
});

const none = scenario({
  id: 'memory-injection-none',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'With `inject: none` no memory is in the prompt, and the store stays unchanged',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'none' } }),
    files: remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: codeword(nonce) }),
    prompt: [
      `Work out ${a} + ${b} and write only the sum, as plain digits without commas, to sum.txt.`,
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    keptOut: keptOutOfPrompt(codeword(nonce), { iteration: 1 }),
    noMemories: noMemoriesInjected({ iteration: 1 }),
    file: fileEquals('sum.txt', `${a + b}`),
    stored: memoryStored({ content: codeword(nonce), type: 'pattern' }),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'memories are injected anyway': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut', 'noMemories'],
      failure: 'ConfigurationError',
      why: 'Only `inject: none` keeps them out.',
    },
    'Ralph injects them although it should not': {
      target: 'inject-always',
      kills: ['keptOut', 'noMemories'],
    },
    'Ralph throws the memories away': { target: 'forget-memories-between-runs', kills: ['stored'] },
  },
});

/** Ralph documents that memories outside the filter stay out of the prompt. */
const filter = scenario({
  id: 'memory-injection-filter',
  backends: LONG_PROMPT_BACKENDS,
  description: 'A filter on types keeps memories of other types out of the prompt',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph reads `memories.filter` and never applies it to what it injects',
    link: 'docs/ralph-behavior.md',
    breaks: { keptOut: 'found in 1 of 1 prompt' },
  },

  arrange: ({ nonce, numbers: [a] }) => ({
    config: loop({
      maxIterations: 3,
      more: { memories: { enabled: true, inject: 'auto', filter: { types: ['fix'] } } },
    }),
    files: remembering(
      { id: 'mem-1700000001-aaaa', type: 'fix', content: codeword(nonce) },
      { id: 'mem-1700000002-bbbb', type: 'context', content: `The office is in room ${a}` },
    ),
    prompt: [
      'One of the memories at the top of this prompt names a codeword. Write only the codeword, in uppercase, to codeword.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    injected: memoryInjected({ content: codeword(nonce), type: 'fix' }, { iteration: 1 }),
    keptOut: keptOutOfPrompt(`The office is in room ${a}`, { iteration: 1 }),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names a codeword')
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('names a codeword').says('No memory names a codeword.').completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'No filter': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut'],
      failure: 'ConfigurationError',
      why: 'Only the filter should keep them out.',
    },
    'Ralph keeps memories out of the prompt': {
      target: 'skip-memory-injection',
      kills: ['injected', 'file'],
    },
  },
});

export const memoryKeptOut = [manual, none, filter];
