import {
  completed,
  endedAtOnce,
  errandAnswered,
  fileContains,
  loop,
  memoriesListed,
  memoryAbsent,
  memoryInjected,
  memoryStored,
  onObjective,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import {
  ADDING,
  asking,
  COMMANDS_ONLY,
  LIST_MEMORIES,
  memoryAdded,
  memoryId,
  remembering,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** Older documents say `ralph memory`; in Ralph 2 it is `ralph tools memory`. */
const add = scenario({
  id: 'memory-add',
  priority: 'must',
  description: 'A memory that the agent adds is stored with its type and tags',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: COMMANDS_ONLY,
    prompt: [
      `Work out ${a} + ${b}. Then run this command, with SUM replaced by the result as plain digits without commas and WORD replaced by ${nonce} in uppercase:`,
      'ralph tools memory add "The queue holds SUM jobs" --type decision --tags queue,WORD > added.txt',
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(LIST_MEMORIES), ADDING],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    command: memoryAdded(),
    file: fileContains('added.txt', /^Memory stored: mem-\d+-[0-9a-f]{4}$/m),
    stored: memoryStored({
      content: `The queue holds ${a + b} jobs`,
      type: 'decision',
      tags: ['queue', nonce.toUpperCase()],
    }),
    listed: memoriesListed(LIST_MEMORIES, [`The queue holds ${a + b} jobs`]),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)[\s\S]*WORD replaced by (\w+) in uppercase/)
      .runs(
        'ralph tools memory add "The queue holds {{add 1 2}} jobs" --type decision --tags queue,{{upper 3}} > added.txt',
      )
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'stores it as another type': { agent: replacing('--type decision', '--type fix'), kills: ['stored'] },
    'Ralph confirms the memory and does not write it': {
      target: 'lose-memories',
      kills: ['stored', 'listed', 'command'],
    },
    'Ralph stores it under another type': { target: 'mistype-memories', kills: ['stored'] },
  },
});

const deleteOne = scenario({
  id: 'memory-delete',
  priority: 'must',
  description: 'A deleted memory is gone, and the others stay unchanged',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    files: remembering(
      { id: memoryId(a, c), type: 'decision', content: `Keep ${nonce}`, tags: ['first', 'second'] },
      { id: memoryId(a, b), type: 'fix', content: `Drop ${nonce}` },
      { id: memoryId(b, c), type: 'fix', content: `Spare ${nonce}` },
    ),
    prompt: [
      'Run this command. This tests the command, so do not edit the memory file or deleted.txt yourself:',
      `ralph tools memory delete ${memoryId(a, b)} > deleted.txt`,
      'Then declare the objective complete.',
    ].join('\n'),
    // An agent could edit the files by hand. So the harness deletes another memory itself.
    after: [
      asking(`tools memory delete ${memoryId(b, c)}`),
      asking(LIST_MEMORIES),
      asking(`tools memory show ${memoryId(a, b)}`),
    ],
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    deletes: errandAnswered(`tools memory delete ${memoryId(b, c)}`, {
      exitCode: 0,
      stdout: `Memory deleted: ${memoryId(b, c)}`,
    }),
    file: fileContains('deleted.txt', `Memory deleted: ${memoryId(a, b)}`),
    absent: memoryAbsent(`Drop ${nonce}`),
    stored: memoryStored({ content: `Keep ${nonce}`, type: 'decision', tags: ['first', 'second'] }),
    listed: memoriesListed(LIST_MEMORIES, [`Keep ${nonce}`]),
    answered: errandAnswered(`tools memory show ${memoryId(a, b)}`, {
      exitCode: 1,
      stderr: 'Memory not found',
    }),
  }),

  agent: [
    onObjective(/^(ralph tools memory delete \S+) > deleted\.txt$/m)
      .runs('{{1}} > deleted.txt')
      .completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends', 'file'),
    'deletes the whole file': {
      agent: replacing(' > deleted.txt', ' > deleted.txt; rm -f .ralph/agent/memories.md'),
      kills: ['stored', 'listed'],
      failure: 'AssertionMismatch',
    },
    'Ralph confirms the deletion and keeps the memory': {
      target: 'keep-deleted-memories',
      kills: ['absent', 'listed', 'answered'],
    },
  },
});

/** The text of a memory of each type. */
const KINDS = {
  pattern: (word: string) => `File names begin with ${word}`,
  decision: (word: string) => `We chose ${word} over its rival`,
  fix: (word: string) => `${word} needs a restart after an update`,
  context: (word: string) => `${word} is the name of our customer`,
} as const;
const KIND_NAMES = ['pattern', 'decision', 'fix', 'context'] as const;

/** Each type has its own section, in the store and in the prompt. */
const types = scenario({
  id: 'memory-types',
  backends: ['claude'],
  priority: 'must',
  description: 'Patterns, decisions, fixes and context are kept apart in the store and in the prompt',
  covers: ['FR12', 'FR13'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, memories: { inject: 'auto' } }),
    prompt: [
      'There are two steps. Do exactly one of them in each iteration.',
      `1. If there are no memories at the top of this prompt: run these commands, with WORD replaced by ${nonce} in uppercase, and stop:`,
      ...KIND_NAMES.map((kind) => `   ralph tools memory add "${KINDS[kind]('WORD')}" --type ${kind}`),
      '2. If there are memories: declare the objective complete.',
      'Add no task.',
    ].join('\n'),
    after: [ADDING],
  }),

  expect: ({ nonce }) => {
    const memory = (type: keyof typeof KINDS) => ({ type, content: KINDS[type](nonce.toUpperCase()) });
    return {
      ends: completed(),
      command: memoryAdded(),
      iterations: endedAtOnce(),
      storedPattern: memoryStored(memory('pattern')),
      storedDecision: memoryStored(memory('decision')),
      storedFix: memoryStored(memory('fix')),
      storedContext: memoryStored(memory('context')),
      injectedPattern: memoryInjected(memory('pattern')),
      injectedDecision: memoryInjected(memory('decision')),
      injectedFix: memoryInjected(memory('fix')),
      injectedContext: memoryInjected(memory('context')),
    };
  },

  agent: [
    onObjective('There are two steps.')
      .when({ memories: { contains: 'is the name of our customer' } })
      .completes(),
    KIND_NAMES.reduce(
      (rule, kind) => rule.runs(`ralph tools memory add "${KINDS[kind]('{{upper 1}}')}" --type ${kind}`),
      onObjective(/WORD replaced by (\w+) in uppercase/),
    ),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends', 'iterations'),
    'stores patterns as fixes': {
      agent: replacing('--type pattern', '--type fix'),
      kills: ['storedPattern', 'injectedPattern'],
    },
    'Ralph stores every memory as a pattern': {
      target: 'mistype-memories',
      kills: [
        'storedDecision',
        'storedFix',
        'storedContext',
        'injectedDecision',
        'injectedFix',
        'injectedContext',
        'command',
      ],
    },
    'Ralph keeps memories out of the prompt': {
      target: 'skip-memory-injection',
      kills: ['ends', 'injectedPattern', 'injectedDecision', 'injectedFix', 'injectedContext'],
    },
  },
});

export const memoryStore = [add, deleteOne, types];
