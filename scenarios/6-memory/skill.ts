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
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import {
  ADDING,
  asking,
  COMMANDS_ONLY,
  LONG_PROMPT_BACKENDS,
  memoryAdded,
  remembering,
} from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** Matches only the start of a command in the skill: the rest may be reworded in any release. */
const teaches = (command: string) =>
  promptContained(new RegExp(`^ralph tools memory ${command}`, 'm'), { iteration: 1 });

/** The prompt names no command, so an agent can know it only from the skill. */
const skill = scenario({
  id: 'memory-skill',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'The prompt teaches the memory commands well enough for the agent to use them',
  covers: ['FR12', 'FR13'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'auto' }, skills: true }),
    prompt: [
      `Work out ${a} + ${b}. Then store one memory of type fix, without tags, with exactly this text, SUM replaced by the result as plain digits without commas: \`The warm-up takes SUM seconds\``,
      'Your prompt teaches the command for that. This tests that it does, so use the command and do not edit the memory file yourself.',
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
    onObjective('store one memory').says('My prompt does not say how to store a memory.').completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'No skills': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' } }) }),
      kills: ['add', 'search', 'list', 'show', 'delete', 'stored'],
      failure: 'ConfigurationError',
      why: 'Only the skill teaches the commands.',
    },
    'Ralph leaves the skills out of the prompt': {
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
  description: 'Memories can be listed by tag, as the skill teaches',
  covers: ['FR12'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'the skill in every prompt teaches `memory list --tags`, and the command rejects the option as unknown',
    link: 'docs/ralph-behavior.md',
    breaks: {
      listed: /^exit code 2; stdout: empty text; stderr: "error: unexpected argument '--tags' found /,
      file: /^no such file;/,
    },
  },

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: COMMANDS_ONLY,
    files: remembering(
      { id: 'mem-1700000001-aaaa', type: 'fix', content: `Push until it says ${nonce}`, tags: ['door'] },
      { id: 'mem-1700000002-bbbb', type: 'fix', content: `Turn it ${c} times`, tags: ['key'] },
    ),
    prompt: [
      `Run these two commands, with SUM replaced by the sum of ${a} and ${b} as plain digits without commas:`,
      adding('SUM'),
      `ralph ${LIST_BY_TAG}`,
      'The second command lists a memory of type fix. Write only the last word of its text, in uppercase, to word.txt.',
      'This tests the second command, so do not look for the word in any other way. If the command fails, do not write word.txt.',
      'Then declare the objective complete, whether or not you found the word.',
    ].join('\n'),
    after: [asking(LIST_BY_TAG), ADDING],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    command: memoryAdded(),
    stored: memoryStored({ content: `The door has ${a + b} hinges`, type: 'context', tags: ['door'] }),
    listed: memoriesListed(LIST_BY_TAG, [`Push until it says ${nonce}`, `The door has ${a + b} hinges`]),
    file: fileEquals('word.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('the last word of its text')
      .when({ toolResult: { regex: 'until it says (\\w+)' } })
      .writes('word.txt', '{{upper 1}}\n')
      .completes(),
    onObjective(/replaced by the sum of (\d+) and (\d+)/)
      .runs(`${adding('{{add 1 2}}')}; ralph ${LIST_BY_TAG}`)
      .says('The command lists no fix.')
      .completes(),
  ],

  saboteurs: {
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['stored', 'command'],
    },
    'does everything but never completes': neverCompletes('ends'),
    'deletes the store': {
      agent: replacing('ralph tools', 'rm -f .ralph/agent/memories.md; ralph tools'),
      kills: ['stored', 'listed', 'file'],
      failure: 'AssertionMismatch',
    },
  },
});

const MEMORY_SKILL = '<ralph-tools-memories-skill>';

/** Ralph documents `none` as: the memories feature is disabled. */
const untaught = scenario({
  id: 'memory-injection-none-skill',
  backends: LONG_PROMPT_BACKENDS,
  description: 'With `inject: none` the prompt does not teach the memory commands either',
  covers: ['FR13'],
  expectedIterations: 1,

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'Ralph documents `inject: none` as disabling memories, but the skill that teaches them stays in the prompt',
    link: 'docs/ralph-behavior.md',
    breaks: { keptOut: 'found in 1 of 1 prompt' },
  },

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, memories: { inject: 'none' }, skills: true }),
    prompt: [
      `Work out ${a} + ${b} and write only the sum, as plain digits without commas, to sum.txt.`,
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
    'does everything but never completes': neverCompletes('ends'),
    'memories are on': {
      config: arranging({ config: loop({ maxIterations: 3, memories: { inject: 'auto' }, skills: true }) }),
      kills: ['keptOut'],
      failure: 'ConfigurationError',
      why: 'A loop with memories on teaches the commands.',
    },
  },
});

export const memorySkill = [skill, listByTag, untaught];
