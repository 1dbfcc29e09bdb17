import {
  allOf,
  completed,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  RALPH_TOPICS,
  type Scenario,
  scenario,
  toldTimes,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import {
  DEFAULT_GUARDRAILS,
  EVENT_WRITING,
  inObjective,
  inReminder,
  inRequest,
  ONLY_PROMPTS,
  ORIENTATION,
} from '../../support/prompt-parts.js';
import { neverCompletes } from '../../support/saboteurs.js';

/* What Ralph puts into prompts. */

const objective = (word: string) => `Write the word ${word}.\n\n- Write it twice.`;

const NOTES = /^<scratchpad path="\.ralph\/agent\/scratchpad\.md">\n\s*a note\n+<\/scratchpad>$/m;

/** Reads every prompt of a loop without hats, memories and tasks. */
const solo = scenario({
  ...MECHANICS,
  id: 'prompt-solo',
  description: 'Every prompt has the objective, the guides and the notes, and each event exactly once',
  covers: ['FR4', 'FR5', 'FR6'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, promise: `DONE_${nonce}` }),
    prompt: objective(nonce),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    objective: toldTimes(3, inObjective(objective(nonce))),
    start: promptContained(inRequest(objective(nonce)), { iteration: 1 }),
    orientation: toldTimes(3, ORIENTATION),
    guardrails: toldTimes(3, DEFAULT_GUARDRAILS),
    workflow: toldTimes(3, /^## WORKFLOW\n\n### 1\. /m),
    eventWriting: toldTimes(3, EVENT_WRITING),
    completion: toldTimes(3, `the literal completion promise \`DONE_${nonce}\` as the final non-empty line`),
    reminder: toldTimes(3, inReminder(objective(nonce))),
    state: toldTimes(3, '**Scratchpad** (`.ralph/agent/scratchpad.md`)'),

    noNotes: promptLacked('<scratchpad path', { iteration: 1 }),
    notes: allOf(
      'the notes are in both later prompts',
      promptContained(NOTES, { iteration: 2 }),
      promptContained(NOTES, { iteration: 3 }),
    ),
    otherNotes: promptContained(/^### AVAILABLE CONTEXT FILES$[\s\S]*^- `\.ralph\/agent\/plan\.md`$/m, {
      iteration: 2,
    }),
    onlyOthers: promptLacked(/^- `\.ralph\/agent\/(?:scratchpad|memories)\.md`$/m),
    noTasks: promptLacked('<ready-tasks>\n'),
    noSkills: promptLacked('## SKILLS'),

    pending: pendingEvents(['word.first', 'word.second'], { iteration: 2 }),
    payloads: promptContained('\nEvent: word.first - one\ntwo "three"\nEvent: word.second - {"four":5}\n', {
      iteration: 2,
    }),
    once: promptLacked('Event: word.', { iteration: 3 }),
    recovery: promptContained(
      /^Event: task\.resume - <top-level-prompt>\nRECOVERY: Previous iteration did not publish an event\./m,
      { iteration: 3 },
    ),
  }),

  agent: [
    onEvent(RALPH_TOPICS.resume).completes(),
    onEvent('word.second').says('I read both.'),
    onObjective(/Write it twice/).runs(
      `printf 'a note\\n' >> .ralph/agent/scratchpad.md; echo plan > .ralph/agent/plan.md; echo none > .ralph/agent/memories.md; ralph tools task add "Write it once more"; ralph emit word.first 'one\ntwo "three"'; ralph emit word.second --json '{"four": 5}'`,
    ),
  ],

  notApplicable: { 'by-hand': ONLY_PROMPTS },

  saboteurs: {
    'prompts have only the request and the events': {
      target: 'bare-prompt',
      kills: ['orientation', 'guardrails', 'workflow', 'eventWriting', 'completion', 'reminder', 'state'],
      failure: 'PromptIneffective',
    },
    'the prompt asks for another promise': {
      target: 'default-promise-in-prompt',
      kills: ['completion', 'ends', 'iterations'],
      failure: 'UnexpectedTermination',
      why: 'An agent says what it is told to say: the loop would never end.',
    },
    'only the first event is in the prompt': {
      target: 'first-event-only',
      kills: ['pending', 'payloads'],
    },
    'events come back': { target: 'repeat-events', kills: ['once'] },
    'notes are lost': { target: 'drop-scratchpad', kills: ['notes'], failure: 'PromptIneffective' },
    'keeps its plan elsewhere': {
      agent: replacing('.ralph/agent/plan.md', 'plan.txt'),
      kills: ['otherNotes'],
    },
    'the list of other notes has the known ones, too': { target: 'list-known-notes', kills: ['onlyOthers'] },
    'publishes again': {
      agent: replacing('I read both.', '<event topic="word.third">x</event>'),
      kills: ['once', 'recovery'],
    },
    'the objective is another one': {
      config: arranging({ prompt: 'Write it twice' }),
      kills: ['objective', 'start', 'reminder'],
      failure: 'PromptIneffective',
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

const PAD = 'notes/pad.md';

const ADD_TASKS = [
  'sand=$(ralph tools task add "Sand it" -p 2 --format quiet)',
  'saw=$(ralph tools task ensure "Saw it" --key wood:saw -p 4 --format quiet)',
  'ralph tools task add "Paint it" -p 1 --blocked-by "$sand,$saw"',
  'ralph tools task close $(ralph tools task add "Buy it" --format quiet)',
].join('; ');

/** Reads the prompts of a loop with memories, tasks and settings of its own. */
const configured = scenario({
  ...MECHANICS,
  id: 'prompt-configured',
  description: 'Configured guardrails, notes, tasks and skills are in the prompt',
  covers: ['FR4', 'FR5'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: loop({
      maxIterations: 3,
      memories: {},
      tasks: true,
      skills: true,
      more: {
        core: {
          guardrails: [`Mind the ${nonce}`, `The scratchpad is memory ${a}`, 'Leave no tools behind'],
          // Without hats, notes are always on.
          scratchpad: { enabled: false, path: PAD },
        },
      },
    }),
    prompt: 'Have the wood worked.',
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    guardrails: toldTimes(
      2,
      `### GUARDRAILS\n999. Mind the ${nonce}\n1000. The save learnings to memories for next time ${a}\n1001. Leave no tools behind\n\n`,
    ),
    path: toldTimes(2, `### 0b. SCRATCHPAD\n\`${PAD}\``),
    state: toldTimes(2, `**Scratchpad** (\`${PAD}\`)`),
    details: toldTimes(2, new RegExp(`^## EVENT WRITING\n[\\s\\S]*\`${PAD}\``, 'm')),
    notes: promptContained(new RegExp(`^<scratchpad path="${PAD}">\nsharp ${nonce}\n+</scratchpad>$`, 'm'), {
      iteration: 2,
    }),
    counts: promptContained('<ready-tasks>\n## Tasks: 2 ready, 3 open, 1 closed\n', { iteration: 2 }),
    ready: promptContained(
      /^- \[ \] \[P2\] Sand it \(task-[\w-]+\)\n- \[ \] \[P4\] Saw it \(task-[\w-]+\) — key: wood:saw$/m,
      { iteration: 2 },
    ),
    blocked: promptContained(
      /^Blocked:\n- \[blocked\] \[P1\] Paint it \(task-[\w-]+\) — blocked by: task-[\w-]+, task-[\w-]+$/m,
      { iteration: 2 },
    ),
    workflow: toldTimes(2, /^## WORKFLOW\n[\s\S]*`ralph tools task start <id>`/m),
    tasksBeforeDone: toldTimes(2, /^## DONE\n[\s\S]*`ralph tools task list`/m),
    skills: allOf(
      'tasks and memories are taught',
      promptContained('<ralph-tools-skill>\n', { iteration: 1 }),
      promptContained('<ralph-tools-tasks-skill>\n', { iteration: 1 }),
      promptContained('<ralph-tools-memories-skill>\n', { iteration: 1 }),
    ),
    apart: allOf(
      'an empty line is between skills',
      promptContained('\n</ralph-tools-skill>\n\n<ralph-tools-tasks-skill>\n', { iteration: 1 }),
      promptContained('\n</ralph-tools-tasks-skill>\n\n<ralph-tools-memories-skill>\n', { iteration: 1 }),
    ),
    index: promptContained(
      /^\| ralph-tools \| .+\n\| ralph-tools-memories \| .+\n\| ralph-tools-tasks \| .+ \| `ralph tools skill load ralph-tools-tasks` \|\n\| robot-interaction \| /m,
      { iteration: 1 },
    ),
  }),

  agent: [
    onEvent('wood.sorted')
      .runs('for task in $(ralph tools task list --format quiet); do ralph tools task close $task; done')
      .completes(),
    onObjective(/Have the wood worked/)
      .reads(/^999\. Mind the (\w+)$/m)
      .runs(`${ADD_TASKS}; echo "sharp {{1}}" >> notes/pad.md; ralph emit wood.sorted "done"`),
    onObjective(/Have the wood worked/).says('I do not know what to mind.'),
  ],

  exempt: { 'own-task': 'the prompt counts the tasks, and another one changes the counts' },
  notApplicable: { 'by-hand': ONLY_PROMPTS },

  saboteurs: {
    'prompts have only the request and the events': {
      target: 'bare-prompt',
      kills: ['guardrails', 'path', 'state', 'details', 'workflow', 'tasksBeforeDone'],
      failure: 'PromptIneffective',
    },
    'tasks do not reach the prompt': { target: 'drop-ready-tasks', kills: ['counts', 'ready', 'blocked'] },
    'nothing is blocked': { target: 'ignore-blocked-by', kills: ['counts', 'blocked'] },
    'notes are lost': { target: 'drop-scratchpad', kills: ['notes'], failure: 'PromptIneffective' },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

export const promptContent: readonly Scenario[] = [solo, configured];
