import {
  completed,
  errandAnswered,
  fileEquals,
  iterationCount,
  iterationsAtLeast,
  keptOutOfPrompt,
  loop,
  onAnyPrompt,
  onObjective,
  onPrompt,
  promptContained,
  scenario,
  taskIs,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { asking } from '../../support/memory.js';
import { neverCompletes } from '../../support/saboteurs.js';

const BY_HAND = 'the commands have scenarios of their own; here only the prompt counts';
const ID = 'task-\\d+-[0-9a-f]{4}';

/** One task a line, as an agent would plan its work. The word comes from the prompt. */
const PLAN = [
  'a=$(ralph tools task add "Sand $1" -p 1 --format quiet)',
  'b=$(ralph tools task ensure "Fill $1" --key wall:fill --format quiet)',
  'ralph tools task add "Paint $1" --blocked-by "$a,$b"',
  'c=$(ralph tools task add "Order $1" --format quiet) && ralph tools task fail $c',
  'd=$(ralph tools task add "Wash $1" --format quiet) && ralph tools task close $d',
].join('\n');
/** No list and no counts: only what the agent can do. */
const NOTHING_OPEN = /<ready-tasks>\n[^\n#]*`ralph tools task add`\.\n<\/ready-tasks>/;
const FAIL_ALL = 'for id in $(ralph tools task list --format quiet); do ralph tools task fail $id; done';

/** Plans, declares completion too early, gives up what is left, and completes when nothing is open. */
const inPrompt = scenario({
  id: 'tasks-counted-in-prompt',
  ...MECHANICS,
  description:
    'The prompt counts and lists the tasks of the loop; one in progress blocks completion, failed ones do not',
  covers: ['FR10'],
  expectedIterations: 4,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 5, memories: { inject: 'auto' }, tasks: true }),
    files: { 'plan.sh': PLAN, 'give-up.sh': FAIL_ALL },
    prompt: `Plan the work with \`sh plan.sh\` and the word ${nonce} in uppercase. Start one task and complete.`,
    after: [asking('tools task ready')],
  }),

  expect: ({ nonce }) => {
    const word = nonce.toUpperCase();
    const listed = (pattern: string) => promptContained(new RegExp(`^${pattern}$`, 'm'), { iteration: 2 });
    return {
      ends: completed(),
      iterations: iterationCount(4),
      counts: listed('## Tasks: 2 ready, 3 open, 2 closed'),
      priority: listed(`- \\[ \\] \\[P1\\] Sand ${word} \\(${ID}\\)`),
      key: listed(`- \\[ \\] \\[P3\\] Fill ${word} \\(${ID}\\) — key: wall:fill`),
      blocked: listed(`- \\[blocked\\] \\[P3\\] Paint ${word} \\(${ID}\\) — blocked by: ${ID}, ${ID}`),
      hidden: keptOutOfPrompt(`Wash ${word}`),
      remaining: promptContained(
        new RegExp(
          `runtime tasks remain open: \\["${ID}: Sand ${word}", "${ID}: Fill ${word}", "${ID}: Paint ${word}"\\]`,
        ),
        { iteration: 3 },
      ),
      nothingOpen: promptContained(NOTHING_OPEN, { iteration: 4 }),
      failed: taskIs(`Paint ${word}`, 'failed'),
      closed: taskIs(`Wash ${word}`, 'closed'),
      nothingReady: errandAnswered('tools task ready', { stdout: /^No ready tasks\n$/ }),
    };
  },

  agent: [
    onPrompt(NOTHING_OPEN).completes(),
    onPrompt(/runtime tasks remain open/).runs('sh give-up.sh'),
    onObjective('Plan the work')
      .reads(/^- \[ \] \[P1\] Sand \w+ \((task-[\w-]+)\)/m)
      .runs('ralph tools task start {{1}}')
      .completes(),
    onObjective(/the word (\w+) in uppercase/).runs('sh plan.sh {{upper 1}}'),
  ],

  exempt: { 'own-task': 'the prompt counts the tasks' },
  notApplicable: {
    'by-hand': BY_HAND,
    'all-at-once': 'every step depends on what the prompt says after the one before',
  },

  saboteurs: {
    'gives up nothing': {
      agent: replacing('sh give-up.sh', 'true'),
      kills: ['ends', 'iterations', 'nothingOpen', 'failed', 'nothingReady'],
      failure: 'UnexpectedTermination',
    },
    'plans other work': {
      agent: replacing('{{upper 1}}', 'ELSE'),
      kills: ['priority', 'key', 'blocked', 'failed', 'closed', 'remaining'],
    },
    'Ralph completes although a task is open': {
      target: 'ignore-open-tasks',
      kills: ['iterations', 'remaining', 'failed'],
      failure: 'UnexpectedTermination',
    },
    'Ralph keeps only the first blocker': { target: 'first-blocker-only', kills: ['blocked'] },
    'Ralph keeps ready tasks out of the prompt': {
      target: 'drop-ready-tasks',
      kills: ['counts', 'priority', 'key', 'blocked'],
    },
  },
});

const ADD = 'ralph tools task add "Tidy {{upper 1}}"';

/** The task belongs to the loop: only the setting keeps it out of the prompt. */
const disabled = scenario({
  id: 'tasks-disabled',
  ...MECHANICS,
  description: 'With tasks disabled, the prompt has no tasks',
  covers: ['FR10'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      `First add the task "Tidy WORD", with WORD replaced by ${nonce} in uppercase.`,
      `In the next iteration write the result of ${a} + ${b} to sum.txt and complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(2),
    keptOut: keptOutOfPrompt(`Tidy ${nonce.toUpperCase()}`),
    noTasks: keptOutOfPrompt('<ready-tasks>'),
    task: taskIs(`Tidy ${nonce.toUpperCase()}`, 'open'),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/WORD replaced by (\w+) in uppercase/)
      .once()
      .runs(ADD),
    onObjective(/result of (\d+) \+ (\d+)/)
      .writes('sum.txt', '{{add 1 2}}\n')
      .completes(),
    onAnyPrompt().completes(),
  ],

  notApplicable: { 'by-hand': BY_HAND },

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'does all at once': {
      agent: [
        onObjective(/WORD replaced by (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
          .runs(ADD)
          .writes('sum.txt', '{{add 2 3}}\n')
          .completes(),
      ],
      kills: ['iterations'],
    },
  },
});

export const taskPrompt = [inPrompt, disabled];
