import {
  completed,
  fileEquals,
  keptOutOfPrompt,
  loop,
  memoryInjected,
  memoryStored,
  noMemoriesInjected,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { CODEWORD, codeword, LONG_PROMPT_BACKENDS, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const SEARCH = 'ralph tools memory search codeword --format json';

const manual = scenario({
  id: 'memory-injection-manual',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'must',
  phase: 'green',
  description: 'With `inject: manual` no memory stands in the prompt, and the agent can still look it up',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'manual' } }),
    files: remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: codeword(nonce) }),
    prompt: [
      `Run: ${SEARCH}`,
      'The memory that it finds names a codeword. Write it in capital letters, nothing else, into codeword.txt.',
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    keptOut: keptOutOfPrompt(codeword(nonce), { iteration: 1 }),
    noMemories: noMemoriesInjected({ iteration: 1 }),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names a codeword')
      .when({ toolResult: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('names a codeword').runs(SEARCH).says('The search found no codeword.').completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes('ends'),
    'searches for something else': {
      agent: replacing('search codeword', 'search password'),
      kills: ['file'],
    },
    'memories are injected after all': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut', 'noMemories'],
      failure: 'ConfigurationError',
      why: 'It is `inject: manual` that keeps them out.',
    },
    'ralph injects them although it should not': {
      target: 'inject-always',
      kills: ['keptOut', 'noMemories'],
    },
  },
});

const none = scenario({
  id: 'memory-injection-none',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'must',
  phase: 'green',
  description: 'With `inject: none` no memory stands in the prompt, and the store stays as it is',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'none' } }),
    files: remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: codeword(nonce) }),
    prompt: [
      `Work out ${a} + ${b} and write the sum, nothing else, into sum.txt.`,
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
    'does all, but never completes': neverCompletes('ends'),
    'does nothing but complete': { agent: without('writes'), kills: ['file'] },
    'memories are injected after all': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut', 'noMemories'],
      failure: 'ConfigurationError',
      why: 'It is `inject: none` that keeps them out.',
    },
    'ralph injects them although it should not': {
      target: 'inject-always',
      kills: ['keptOut', 'noMemories'],
    },
    'ralph throws the memories away': { target: 'forget-memories-between-runs', kills: ['stored'] },
  },
});

/** What the filter leaves out is said to stay out of the prompt. */
const filter = scenario({
  id: 'memory-injection-filter',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'A filter on types keeps memories of other types out of the prompt',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: '`memories.filter` is read and never applied to what is injected',
    link: 'docs/ralph-behavior.md',
    breaks: ['keptOut'],
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
      'One of the memories at the top of this prompt names a codeword. Write it in capital letters, nothing else, into codeword.txt.',
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
    'does all, but never completes': neverCompletes('ends'),
    'has the memory and does not use it': { agent: without('writes'), kills: ['file'] },
    'No filter': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['keptOut'],
      failure: 'ConfigurationError',
      why: 'It is the filter that should keep them out.',
    },
    'ralph keeps memories out of the prompt': {
      target: 'skip-memory-injection',
      kills: ['injected', 'file'],
    },
  },
});

export const memoryKeptOut = [manual, none, filter];
