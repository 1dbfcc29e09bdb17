import {
  agentSaid,
  completed,
  fileEquals,
  iterationCount,
  keptOutOfPrompt,
  loop,
  onObjective,
  promptContained,
  scenario,
  taskIs,
  without,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { LONG_PROMPT_BACKENDS } from '../support/memory.js';

/** Open tasks stand in the way of completion only in a loop with memories. */
const CONFIG = loop({ maxIterations: 4, memories: { inject: 'auto' }, tasks: true });

const blockCompletion = scenario({
  id: 'tasks-block-completion',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'Completion is refused while a task of the loop is open, and granted once it is closed',
  covers: ['FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: CONFIG,
    prompt: [
      'This tests that the loop refuses to end while a task is open. There are two steps. Do exactly one of them in an iteration.',
      `1. If no ready task stands at the top of this prompt: run this command, with ${nonce} in capital letters in place of WORD, and declare the objective complete at once, although the task is open:`,
      '   ralph tools task add "Check WORD"',
      '2. If it stands there: run "ralph tools task close" with its id, and declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    said: agentSaid(/^LOOP_COMPLETE$/m, { iteration: 1 }),
    remaining: promptContained(new RegExp(`runtime tasks remain open: .*Check ${nonce.toUpperCase()}`), {
      iteration: 2,
    }),
    listed: promptContained(new RegExp(`^- \\[ \\] \\[P3\\] Check ${nonce.toUpperCase()} \\(task-`, 'm'), {
      iteration: 2,
    }),
    task: taskIs(`Check ${nonce.toUpperCase()}`, 'closed'),
  }),

  agent: [
    onObjective('the loop refuses to end')
      .reads(/^- \[ \] \[P\d\] Check \w+ \((task-[\w-]+)\)/m)
      .runs('ralph tools task close {{1}}')
      .completes(),
    onObjective(/with (\w+) in capital letters/)
      .runs('ralph tools task add "Check {{upper 1}}"')
      .completes(),
  ],

  saboteurs: {
    'never closes the task': {
      agent: replacing('task close', 'task show'),
      kills: ['ends', 'iterations', 'task'],
      failure: 'UnexpectedTermination',
    },
    'does not declare completion too early': {
      agent: (script) => ({
        ...script,
        rules: script.rules.map((rule, index) =>
          index === 0
            ? rule
            : { ...rule, respond: { steps: rule.respond.steps.filter((step) => step.do !== 'complete') } },
        ),
      }),
      kills: ['said', 'remaining'],
    },
    'ralph completes although a task is open': {
      target: 'ignore-open-tasks',
      kills: ['iterations', 'remaining', 'task'],
      failure: 'UnexpectedTermination',
    },
    'ralph keeps ready tasks out of the prompt': {
      target: 'drop-ready-tasks',
      kills: ['ends', 'listed', 'task'],
      failure: 'PromptIneffective',
    },
  },
});

/** Work that waits for other work: sanding comes before painting. */
const readyTasks = scenario({
  id: 'tasks-ready-in-prompt',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'The prompt lists the tasks that are ready, and a task that waits once the other is closed',
  covers: ['FR5', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: CONFIG,
    prompt: [
      'Take exactly one of these steps in an iteration; the tasks at the top of this prompt tell which.',
      `1. No task is listed: run this as one shell command, with ${nonce} in capital letters in place of WORD, and stop:`,
      '   sand=$(ralph tools task add "Sand WORD" -p 2 --format quiet); ralph tools task add "Paint WORD" -p 1 --blocked-by "$sand"',
      '2. "Sand WORD" is ready: append the line "sanded" to done.txt, run "ralph tools task close" with its id, and stop.',
      '3. "Paint WORD" is ready: append the line "painted" to done.txt, run "ralph tools task close" with its id, and declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => {
    const word = nonce.toUpperCase();
    return {
      ends: completed(),
      iterations: iterationCount(3),
      sandReady: promptContained(new RegExp(`^- \\[ \\] \\[P2\\] Sand ${word} \\(task-`, 'm'), {
        iteration: 2,
      }),
      paintBlocked: promptContained(
        new RegExp(`^- \\[blocked\\] \\[P1\\] Paint ${word} .*blocked by: task-`, 'm'),
        {
          iteration: 2,
        },
      ),
      paintReady: promptContained(new RegExp(`^- \\[ \\] \\[P1\\] Paint ${word} \\(task-`, 'm'), {
        iteration: 3,
      }),
      file: fileEquals('done.txt', 'sanded\npainted'),
      sandClosed: taskIs(`Sand ${word}`, 'closed'),
      paintClosed: taskIs(`Paint ${word}`, 'closed'),
    };
  },

  agent: [
    onObjective('Take exactly one')
      .reads(/^- \[ \] \[P\d\] Sand \w+ \((task-[\w-]+)\)/m)
      .appends('done.txt', 'sanded\n')
      .runs('ralph tools task close {{1}}'),
    onObjective('Take exactly one')
      .reads(/^- \[ \] \[P\d\] Paint \w+ \((task-[\w-]+)\)/m)
      .appends('done.txt', 'painted\n')
      .runs('ralph tools task close {{1}}')
      .completes(),
    onObjective(/with (\w+) in capital letters/).runs(
      'sand=$(ralph tools task add "Sand {{upper 1}}" -p 2 --format quiet); ralph tools task add "Paint {{upper 1}}" -p 1 --blocked-by "$sand"',
    ),
  ],

  saboteurs: {
    'closes tasks without doing them': { agent: without('appends'), kills: ['file'] },
    'never closes a task': {
      agent: replacing('task close', 'task show'),
      kills: ['ends', 'iterations', 'paintReady', 'file', 'sandClosed', 'paintClosed'],
    },
    'gives the first task another title': {
      agent: replacing('"Sand ', '"Sand the '),
      kills: ['ends', 'sandReady', 'sandClosed'],
    },
    'ralph offers work that waits for other work': {
      target: 'ignore-blocked-by',
      kills: ['paintBlocked'],
      failure: 'PromptIneffective',
    },
  },
});

/** A loop that was cut off leaves its task behind; the next loop has nothing to do with it. */
const anotherLoop = scenario({
  id: 'tasks-of-another-loop',
  backends: LONG_PROMPT_BACKENDS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'An open task of an earlier loop is neither in the prompt nor in the way of completion',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: CONFIG,
    before: [
      {
        session: {
          prompt: [
            `Run this command, with ${nonce} in capital letters in place of WORD, note in the scratchpad that you did, and stop:`,
            'ralph tools task add "Left over WORD"',
            'The task stays open: do not declare completion.',
          ].join('\n'),
          args: ['--max-iterations', '1'],
        },
      },
    ],
    prompt: [
      `Work out ${a} + ${b} and write the sum, nothing else, into sum.txt. Add no tasks.`,
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    file: fileEquals('sum.txt', `${a + b}`),
    keptOut: keptOutOfPrompt(`Left over ${nonce.toUpperCase()}`),
    task: taskIs(`Left over ${nonce.toUpperCase()}`, 'open'),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/with (\w+) in capital letters/)
      .runs('ralph tools task add "Left over {{upper 1}}"')
      .notes('- the task is added'),
  ],

  saboteurs: {
    'does nothing but complete': { agent: without('writes'), kills: ['file'] },
    'the earlier loop adds no task': {
      agent: without('runs'),
      kills: ['task'],
      failure: 'AssertionMismatch',
    },
    'the earlier loop goes on instead of a new one': {
      config: arranging({ args: ['--continue'] }),
      kills: ['ends', 'iterations', 'keptOut'],
      failure: 'UnexpectedTermination',
      why: 'It is the loop that a task belongs to which decides.',
    },
    'ralph counts tasks of other loops': {
      target: 'count-foreign-tasks',
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const runtimeTasks = [blockCompletion, readyTasks, anotherLoop];
