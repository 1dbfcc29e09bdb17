import {
  completed,
  errandAnswered,
  fileEquals,
  iterationCount,
  iterationsAtLeast,
  keptOutOfPrompt,
  loop,
  onObjective,
  promptContained,
  scenario,
  taskIs,
  toolUsed,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { asking, LONG_PROMPT_BACKENDS } from '../../support/memory.js';

/** Open tasks block completion only in a loop with memories. */
const CONFIG = loop({ maxIterations: 4, memories: { inject: 'auto' }, tasks: true });

const blockCompletion = scenario({
  id: 'tasks-block-completion',
  backends: LONG_PROMPT_BACKENDS,
  description: 'Completion is refused while a task of the loop is open, and accepted once it is closed',
  covers: ['FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: CONFIG,
    prompt: [
      'This tests that the loop refuses to end while a task is open, so step 1 overrides the rule not to declare completion early.',
      'There are two steps. Do exactly one of them in each iteration.',
      `1. If there is no ready task at the top of this prompt: run this command, with WORD replaced by ${nonce} in uppercase:`,
      '   ralph tools task add "Check WORD"',
      '   Then declare the objective complete, although the task is open: end your answer with the line `LOOP_COMPLETE`, in plain text.',
      '2. If there is one: run `ralph tools task close <id>` with its id, and declare the objective complete.',
      'Add no other task, although the guide says to write down your plan as tasks.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(2),
    remaining: promptContained(new RegExp(`runtime tasks remain open: .*Check ${nonce.toUpperCase()}`)),
    listed: promptContained(new RegExp(`^- \\[ \\] \\[P3\\] Check ${nonce.toUpperCase()} \\(task-`, 'm')),
    closes: toolUsed('Bash', { input: 'ralph tools task close' }),
    task: taskIs(`Check ${nonce.toUpperCase()}`, 'closed'),
  }),

  agent: [
    onObjective('the loop refuses to end')
      .reads(/^- \[ \] \[P\d\] Check \w+ \((task-[\w-]+)\)/m)
      .runs('ralph tools task close {{1}}')
      .completes(),
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .runs('ralph tools task add "Check {{upper 1}}"')
      .completes(),
  ],

  saboteurs: {
    'never closes the task': {
      agent: replacing('task close', 'task show'),
      kills: ['ends', 'closes', 'task'],
      failure: 'UnexpectedTermination',
    },
    'does not declare completion early': {
      agent: (script) => ({
        ...script,
        rules: script.rules.map((rule, index) =>
          index === 0
            ? rule
            : { ...rule, respond: { steps: rule.respond.steps.filter((step) => step.do !== 'complete') } },
        ),
      }),
      kills: ['remaining'],
    },
    'Ralph completes although a task is open': {
      target: 'ignore-open-tasks',
      kills: ['iterations', 'remaining', 'task'],
      failure: 'UnexpectedTermination',
    },
    'Ralph keeps ready tasks out of the prompt': {
      target: 'drop-ready-tasks',
      kills: ['ends', 'listed', 'task'],
      failure: 'PromptIneffective',
    },
  },
});

/** One task waits for another: sanding comes before painting. */
const readyTasks = scenario({
  id: 'tasks-ready-in-prompt',
  backends: LONG_PROMPT_BACKENDS,
  description: 'The prompt lists ready tasks, and a blocked task becomes ready once the other is closed',
  covers: ['FR5', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: CONFIG,
    prompt: [
      'Take exactly one of these steps in each iteration. The tasks at the top of this prompt decide which.',
      `1. If no task is listed: run this as one shell command, with WORD replaced by ${nonce} in uppercase, and stop:`,
      '   sand=$(ralph tools task add "Sand WORD" -p 2 --format quiet); ralph tools task add "Paint WORD" -p 1 --blocked-by "$sand"',
      '2. If the "Sand" task is ready: append the line `sanded` to done.txt, run `ralph tools task close <id>` with its id, and stop.',
      '3. If the "Paint" task is ready: append the line `painted` to done.txt, run `ralph tools task close <id>` with its id, and declare the objective complete.',
      'Write nothing else to done.txt. Add no other task, although the guide says to write down your plan as tasks.',
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
      closes: toolUsed('Bash', { input: 'ralph tools task close' }),
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
    onObjective(/WORD replaced by (\w+) in uppercase/).runs(
      'sand=$(ralph tools task add "Sand {{upper 1}}" -p 2 --format quiet); ralph tools task add "Paint {{upper 1}}" -p 1 --blocked-by "$sand"',
    ),
  ],

  saboteurs: {
    'never closes a task': {
      agent: replacing('task close', 'task show'),
      kills: ['ends', 'iterations', 'paintReady', 'file', 'closes', 'sandClosed', 'paintClosed'],
    },
    'gives the first task another title': {
      agent: replacing('"Sand ', '"Sand the '),
      kills: ['ends', 'sandReady', 'sandClosed'],
    },
    'Ralph offers a task that is blocked': {
      target: 'ignore-blocked-by',
      kills: ['paintBlocked'],
      failure: 'PromptIneffective',
    },
  },
});

const ADD_TASK = 'tools task add added-by-the-harness';

/** A loop that hit its limit leaves an open task behind. The next loop must ignore it. */
const anotherLoop = scenario({
  id: 'tasks-of-another-loop',
  backends: LONG_PROMPT_BACKENDS,
  description: 'An open task of an earlier loop is not in the prompt and does not block completion',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: CONFIG,
    before: [
      {
        session: {
          prompt: [
            `Run this command, with WORD replaced by ${nonce} in uppercase:`,
            'ralph tools task add "Left over WORD"',
            'Then note in the scratchpad that you ran it, and stop. Leave the task open and do not declare completion: this tests what the next loop does with an open task.',
          ].join('\n'),
          args: ['--max-iterations', '1'],
        },
      },
    ],
    prompt: [
      `Work out ${a} + ${b} and write only the sum, as plain digits without commas, to sum.txt. Do not add or change any task, not even an open one that you find.`,
      'Then declare the objective complete.',
    ].join('\n'),
    after: [asking(ADD_TASK)],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    file: fileEquals('sum.txt', `${a + b}`),
    keptOut: keptOutOfPrompt(`Left over ${nonce.toUpperCase()}`),
    command: errandAnswered(ADD_TASK, { stdout: /task-/ }),
    task: taskIs(`Left over ${nonce.toUpperCase()}`, 'open'),
  }),

  agent: [
    onObjective(/Work out (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .runs('ralph tools task add "Left over {{upper 1}}"')
      .notes('- the task is added'),
  ],

  saboteurs: {
    'the harness adds no task': {
      config: arranging({ after: [] }),
      kills: ['command'],
      why: 'The command must work, whatever the agent of the earlier loop did.',
    },
    'the earlier loop continues instead of a new one': {
      config: arranging({ args: ['--continue'] }),
      kills: ['ends', 'iterations', 'keptOut'],
      failure: 'UnexpectedTermination',
      why: 'A task counts only in the loop that it belongs to.',
    },
    'Ralph counts tasks of other loops': {
      target: 'count-foreign-tasks',
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const runtimeTasks = [blockCompletion, readyTasks, anotherLoop];
