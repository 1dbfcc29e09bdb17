import {
  completed,
  errandAnswered,
  fileEquals,
  loop,
  memoryInjected,
  onObjective,
  type ScenarioContext,
  scenario,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { ADDING, LONG_PROMPT_BACKENDS, MEMORY_FILE, memoryAdded } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

const CONFIG = loop({ maxIterations: 3, memories: { inject: 'auto' } });
const safe = (sum: number) => `The safe opens with ${sum}`;

/** The first session stores a fact that no later prompt repeats. */
const firstSession = ({ numbers: [a, b] }: ScenarioContext) => ({
  session: {
    prompt: [
      `Work out ${a} + ${b}. Then run this command, with SUM replaced by the result as plain digits without commas:`,
      'ralph tools memory add "The safe opens with SUM" --type context',
      'Then declare the objective complete.',
    ].join('\n'),
  },
});

const secondSession = ({ numbers: [, , c] }: ScenarioContext) =>
  [
    'An earlier session stored a memory about a safe. It is at the top of this prompt.',
    `Add ${c} to the number that the safe opens with, and write only the sum, as plain digits without commas, to safe.txt.`,
    'Then declare the objective complete.',
  ].join('\n');

const agent = [
  onObjective(/Work out (\d+) \+ (\d+)/)
    .runs('ralph tools memory add "The safe opens with {{add 1 2}}" --type context')
    .completes(),
  onObjective(/Add (\d+) to the number/)
    .when({ memories: { regex: 'safe opens with (\\d+)' } })
    .writes('safe.txt', '{{add 1 2}}\n')
    .completes(),
  onObjective('Add').says('I remember no safe.').completes(),
];

const acrossRuns = scenario({
  id: 'memory-persistence',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'A memory that one session stores is in the prompt of the next session',
  covers: ['FR13', 'FR14'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: CONFIG,
    before: [firstSession(context)],
    prompt: secondSession(context),
    after: [ADDING],
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    command: memoryAdded(),
    injected: memoryInjected({ content: safe(a + b), type: 'context' }, { iteration: 1 }),
    file: fileEquals('safe.txt', `${a + b + c}`),
  }),

  agent,

  saboteurs: {
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['injected', 'file', 'command'],
    },
    'does everything but never completes': neverCompletes('ends'),
    'there was no earlier session': {
      config: arranging({ before: [] }),
      kills: ['injected', 'file'],
      why: 'The answer must come from the earlier session.',
    },
    'Ralph forgets between runs': { target: 'forget-memories-between-runs', kills: ['injected', 'file'] },
  },
});

const SHOW_COMMITTED = `show HEAD:${MEMORY_FILE}`;

/** Ralph commits when a loop completes. Everything outside that commit is deleted before the second session. */
const throughGit = scenario({
  id: 'memory-persistence-git',
  backends: LONG_PROMPT_BACKENDS,
  priority: 'must',
  description: 'Memories are committed with the work, so a clean checkout still has them',
  covers: ['FR14'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: CONFIG,
    before: [
      firstSession(context),
      { git: ['reset', '--quiet', '--hard'] },
      { git: ['clean', '--quiet', '--force', '-d', '-x'] },
      { git: SHOW_COMMITTED.split(' ') },
    ],
    prompt: secondSession(context),
    after: [ADDING],
  }),

  expect: ({ numbers: [a, b, c] }) => ({
    ends: completed(),
    command: memoryAdded(),
    answered: errandAnswered(SHOW_COMMITTED, { stdout: safe(a + b) }),
    injected: memoryInjected({ content: safe(a + b), type: 'context' }, { iteration: 1 }),
    file: fileEquals('safe.txt', `${a + b + c}`),
  }),

  agent,

  saboteurs: {
    'the second session never completes': {
      agent: (script) => ({
        ...script,
        rules: script.rules.map((rule, index) =>
          index === 0
            ? rule
            : { ...rule, respond: { steps: rule.respond.steps.filter((step) => step.do !== 'complete') } },
        ),
      }),
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'git ignores the memories': {
      config: arranging({ files: { '.gitignore': '.ralph/\n' } }),
      kills: ['answered', 'injected', 'file'],
      why: 'Only what is committed survives a clean checkout.',
    },
    'Ralph confirms memories and does not write them': {
      target: 'lose-memories',
      kills: ['answered', 'injected', 'file', 'command'],
    },
    'Ralph commits nothing': { target: 'skip-commit', kills: ['answered', 'injected', 'file'] },
  },
});

export const memoryPersistence = [acrossRuns, throughGit];
