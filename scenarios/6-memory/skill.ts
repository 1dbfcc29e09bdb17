import {
  completed,
  fileEquals,
  keptOutOfPrompt,
  loop,
  memoriesListed,
  memoryStored,
  onObjective,
  promptContained,
  scenario,
  without,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { asking, COMMANDS_ONLY, LONG_PROMPT_BACKENDS, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** How the skill begins each command; what stands behind it may be worded anew in every release. */
const teaches = (command: string) =>
  promptContained(new RegExp(`^ralph tools memory ${command}`, 'm'), { iteration: 1 });

/** The task names no command: an agent that was not taught does not know any. */
const skill = scenario({
  id: 'memory-skill',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'must',
  phase: 'green',
  description: 'The prompt teaches the memory commands, and an agent that reads it can use them',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'auto' }, skills: true }),
    prompt: [
      `Work out ${a} + ${b}. Then store one memory of type fix. Its text is: The warm-up takes SUM seconds, with the sum in place of SUM.`,
      'Your prompt teaches the command for that. Give the memory no tags.',
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    add: teaches('add "'),
    search: teaches('search "'),
    list: teaches('list'),
    show: teaches('show <'),
    delete: teaches('delete <'),
    stored: memoryStored({ content: `The warm-up takes ${a + b} seconds`, type: 'fix', tags: [] }),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)/)
      .reads(/^(ralph tools memory add) "/m)
      .runs('{{3}} "The warm-up takes {{add 1 2}} seconds" -t fix')
      .completes(),
    onObjective('store one memory').says('Nobody told me how to store a memory.').completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes('ends'),
    'is taught and does not do it': { agent: without('runs'), kills: ['stored'] },
    'No skills': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['add', 'search', 'list', 'show', 'delete', 'stored'],
      failure: 'ConfigurationError',
      why: 'It is the skill that teaches the commands.',
    },
    'ralph leaves the skills out of the prompt': {
      target: 'drop-skills',
      kills: ['add', 'search', 'list', 'show', 'delete', 'stored'],
    },
  },
});

const LIST_BY_TAG = 'tools memory list --tags door --format json';
const adding = (hinges: string) =>
  `ralph tools memory add "The door has ${hinges} hinges" --type context --tags door`;

/** The skill of ralph 2.10.1 says `ralph tools memory list [-t type] [--tags tags]`. */
const listByTag = scenario({
  id: 'memory-list-by-tag',
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'Memories are listed by tag, as the skill teaches it',
  covers: ['FR12'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'the skill in every prompt teaches `memory list --tags`, and the command refuses it as unknown',
    link: 'docs/ralph-behavior.md',
    breaks: ['listed', 'file'],
  },

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    files: remembering(
      { id: 'mem-1700000001-aaaa', type: 'fix', content: `Push until it says ${nonce}`, tags: ['door'] },
      { id: 'mem-1700000002-bbbb', type: 'fix', content: `Turn it ${c} times`, tags: ['key'] },
    ),
    prompt: [
      `Run these two commands, with the sum of ${a} and ${b} in place of SUM:`,
      adding('SUM'),
      `ralph ${LIST_BY_TAG}`,
      'A fix among the memories that the second one lists ends with a word. Write that word in capital letters, nothing else, into word.txt. Do not look for it in any other way.',
      'Then declare the objective complete, whether or not you found it.',
    ].join('\n'),
    after: [asking(LIST_BY_TAG)],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    stored: memoryStored({ content: `The door has ${a + b} hinges`, type: 'context', tags: ['door'] }),
    listed: memoriesListed(LIST_BY_TAG, [`Push until it says ${nonce}`, `The door has ${a + b} hinges`]),
    file: fileEquals('word.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('ends with a word')
      .when({ toolResult: { regex: 'until it says (\\w+)' } })
      .writes('word.txt', '{{upper 1}}\n')
      .completes(),
    onObjective(/the sum of (\d+) and (\d+) in place/)
      .runs(`${adding('{{add 1 2}}')}; ralph ${LIST_BY_TAG}`)
      .says('It lists no memory that ends with a word.')
      .completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes('ends'),
    'deletes the store': {
      agent: replacing('ralph tools', 'rm -f .ralph/agent/memories.md; ralph tools'),
      kills: ['stored', 'listed', 'file'],
      failure: 'AssertionMismatch',
    },
  },
});

const MEMORY_SKILL = '<ralph-tools-memories-skill>';

/** `none` is documented as: the memories feature is disabled. */
const untaught = scenario({
  id: 'memory-injection-none-skill',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'With `inject: none` the prompt does not teach the memory commands either',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason:
      '`inject: none` is documented as switching the feature off; the skill that teaches it stays in the prompt',
    link: 'docs/ralph-behavior.md',
    breaks: ['keptOut'],
  },

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'none' }, skills: true }),
    prompt: [
      `Work out ${a} + ${b} and write the sum, nothing else, into sum.txt.`,
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    keptOut: keptOutOfPrompt(MEMORY_SKILL, { iteration: 1 }),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
  ],

  saboteurs: {
    'does all, but never completes': neverCompletes('ends'),
    'does nothing but complete': { agent: without('writes'), kills: ['file'] },
    'memories are on': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' }, skills: true }) }),
      kills: ['keptOut'],
      failure: 'ConfigurationError',
      why: 'A loop with memories teaches them.',
    },
  },
});

export const memorySkill = [skill, listByTag, untaught];
