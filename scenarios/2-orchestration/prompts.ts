import {
  allOf,
  completed,
  fileContains,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  type Scenario,
  scenario,
  toldTimes,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging, configuring } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import {
  DEFAULT_GUARDRAILS,
  EVENT_WRITING,
  inObjective,
  inReminder,
  inRequest,
  ORIENTATION,
} from '../support/prompt-parts.js';
import { neverCompletes, noBuiltIns } from '../support/saboteurs.js';

/* What Ralph puts into prompts. */

const BY_HAND = 'this tests what prompts say, and not the commands of Ralph';

const objective = (word: string) => `Write the word ${word}.\n\n- Write it twice.`;

const NOTES = /^<scratchpad path="\.ralph\/agent\/scratchpad\.md">\n\s*a note\n+<\/scratchpad>$/m;

/** Reads every prompt of a loop without hats, memories and tasks. */
const solo = scenario({
  ...MECHANICS,
  id: 'prompt-solo',
  tier: 2,
  priority: 'should',
  phase: 'green',
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
    onEvent('task.resume').completes(),
    onEvent('word.second').says('I read both.'),
    onObjective(/Write it twice/).runs(
      `printf 'a note\\n' >> .ralph/agent/scratchpad.md; echo plan > .ralph/agent/plan.md; echo none > .ralph/agent/memories.md; ralph tools task add "Write it once more"; ralph emit word.first 'one\ntwo "three"'; ralph emit word.second --json '{"four": 5}'`,
    ),
  ],

  notApplicable: { 'by-hand': BY_HAND },

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
    'an earlier session left notes, and this one continues it': {
      config: arranging({
        files: { '.ralph/agent/scratchpad.md': 'an old note\n' },
        args: ['--continue'],
      }),
      kills: ['noNotes', 'notes', 'start'],
      failure: 'AssertionMismatch',
    },
    'tasks are on': {
      config: configuring('tasks', { enabled: true }),
      kills: ['noTasks'],
      failure: 'AssertionMismatch',
    },
    'skills are on': {
      config: configuring('skills', { enabled: true }),
      kills: ['noSkills'],
      failure: 'AssertionMismatch',
    },
    'the notes have another name': {
      config: configuring('core', { scratchpad: '.ralph/agent/pad.md' }),
      kills: ['state', 'notes'],
      failure: 'AssertionMismatch',
    },
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
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Own guardrails, own notes, tasks and skills are in the prompt as configured',
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
  notApplicable: { 'by-hand': BY_HAND },

  saboteurs: {
    'prompts have only the request and the events': {
      target: 'bare-prompt',
      kills: ['guardrails', 'path', 'state', 'details', 'workflow', 'tasksBeforeDone'],
      failure: 'PromptIneffective',
    },
    'the settings are lost': {
      config: ({ config: { core: _core, ...config }, ...arrangement }) => ({ ...arrangement, config }),
      kills: ['guardrails', 'path', 'state', 'details', 'notes'],
      failure: 'AssertionMismatch',
    },
    'memories are off': {
      config: configuring('memories', { enabled: false }),
      kills: ['guardrails', 'workflow', 'tasksBeforeDone', 'skills', 'index'],
      failure: 'ConfigurationError',
    },
    'tasks are off': {
      config: configuring('tasks', { enabled: false }),
      kills: ['counts', 'ready', 'blocked', 'skills', 'index'],
      failure: 'ConfigurationError',
    },
    'tasks do not reach the prompt': { target: 'drop-ready-tasks', kills: ['counts', 'ready', 'blocked'] },
    'nothing is blocked': { target: 'ignore-blocked-by', kills: ['counts', 'blocked'] },
    'notes are lost': { target: 'drop-scratchpad', kills: ['notes'], failure: 'PromptIneffective' },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

const BUDGET = 16_000;
const LINE = 100;
const LINES = BUDGET / LINE;

/** Fills the notes up to the byte: the first line is a heading, and all lines have the same length. */
const NOTES_SH = `line() { printf '%-${LINE - 1}s\\n' "$1"; }
if [ -f .ralph/agent/scratchpad.md ]; then line "line ${LINES + 1} ends here" >> .ralph/agent/scratchpad.md; exit; fi
line '# line 1 ends here'
number=2; while [ $number -le ${LINES} ]; do line "line $number ends here"; number=$((number+1)); done
`;

/** Notes that are as long as a prompt may have them, and one line longer. */
const longNotes = scenario({
  ...MECHANICS,
  id: 'prompt-long-notes',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'Notes of 16,000 bytes are in the prompt; of longer notes, the newest, with the headings of the rest',
  covers: ['FR5'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: { 'notes.sh': NOTES_SH },
    prompt: `Take notes about ${nonce}.`,
  }),

  expect: () => ({
    ends: completed(),
    iterations: iterationCount(3),
    whole: promptContained(/^<scratchpad path="[^"]+">\n# line 1 ends here +\nline 2 ends here +\n/m, {
      iteration: 2,
    }),
    uncut: promptLacked('earlier content truncated', { iteration: 2 }),
    cut: promptContained(
      /^<scratchpad path="[^"]+">\n<!-- earlier content truncated \(200 chars omitted\) -->\n<!-- discarded sections: # line 1 ends here +-->\n\nline 3 ends here /m,
      { iteration: 3 },
    ),
    newest: promptContained(/^line 161 ends here +\n\n<\/scratchpad>$/m, { iteration: 3 }),
  }),

  agent: [
    onEvent('notes.full').completes(),
    onEvent('notes.begun').runs('sh notes.sh; ralph emit notes.full "161"'),
    onObjective(/Take notes about/).runs(
      'sh notes.sh > notes.txt; cat notes.txt > .ralph/agent/scratchpad.md; ralph emit notes.begun "160"',
    ),
  ],

  notApplicable: { 'by-hand': BY_HAND, 'forged-output': BY_HAND },

  saboteurs: {
    'notes are lost': {
      target: 'drop-scratchpad',
      kills: ['whole', 'cut', 'newest'],
      failure: 'PromptIneffective',
    },
    'takes longer notes from the start': {
      agent: replacing('cat notes.txt >', 'cat notes.txt notes.txt >'),
      kills: ['whole', 'uncut', 'cut'],
    },
    'adds nothing': {
      agent: replacing('sh notes.sh; ', ''),
      kills: ['cut', 'newest'],
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

/**
 * A backend that measures its prompts. From the second one it knows how much Ralph adds to the payload of an event, and
 * makes the third as long as an argument may be, and the fourth a byte longer.
 */
const MEASURE = `#!/bin/sh
prefix='Please read and execute the task in '
case $1 in
  "$prefix"*) way=file; cat "\${1#"$prefix"}" > prompt.txt ;;
  *) way=argument; printf %s "$1" > prompt.txt ;;
esac
size=$(($(wc -c < prompt.txt)))
echo "$way $size" >> calls.txt
emit() { ralph emit size.next "$(printf %0$1d 0)" > /dev/null; }
case $(($(wc -l < calls.txt))) in
  1) emit 1000 ;;
  2) echo $((7000 - size + 1000)) > room.txt; emit $(cat room.txt) ;;
  3) emit $(($(cat room.txt) + 1)) ;;
  *) echo LOOP_COMPLETE ;;
esac
`;

const inFile = scenario({
  ...MECHANICS,
  id: 'prompt-in-file',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'A prompt of 7,000 bytes is passed as an argument, and a longer one as a file with all of it',
  covers: ['FR4'],
  expectedIterations: 4,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6, more: { cli: { backend: 'custom', command: './measure.sh' } } }),
    files: { 'measure.sh': { content: MEASURE, mode: 0o755 } },
    prompt: `Measure ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(4),
    argument: fileContains('calls.txt', /^argument 7000$/m),
    file: fileContains('calls.txt', /^file 7001$/m),
    whole: fileContains(
      'prompt.txt',
      new RegExp(`^\\s*### 0a\\. ORIENTATION\n[\\s\\S]*\n> Measure ${nonce}\\.\n[\\s\\S]*^## DONE$`, 'm'),
    ),
  }),

  agent: [],

  notApplicable: noBuiltIns('no agent takes part: the backend is a program that measures'),

  saboteurs: {
    'the prompt is another one': { config: arranging({ prompt: 'Measure it.' }), kills: ['whole'] },
    'no prompt is just short enough': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('7000', '7001'), mode: 0o755 } },
      }),
      kills: ['argument'],
      failure: 'AssertionMismatch',
    },
    'no prompt is too long': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('7000', '6999'), mode: 0o755 } },
      }),
      kills: ['file'],
      failure: 'AssertionMismatch',
    },
    'never completes': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('LOOP_COMPLETE', 'done'), mode: 0o755 } },
      }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const prompts: readonly Scenario[] = [solo, configured, longNotes, inFile];
