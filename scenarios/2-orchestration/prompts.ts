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
  type Scenario,
  scenario,
  toldTimes,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging, configuring } from '../support/arrangement-changes.js';
import {
  DEFAULT_GUARDRAILS,
  EVENT_WRITING,
  inObjective,
  inReminder,
  inRequest,
  ORIENTATION,
} from '../support/prompt-parts.js';
import { neverCompletes } from '../support/saboteurs.js';

// Only what Ralph puts into prompts is tested here, and on one backend: a model, or another one, would add nothing.
const MECHANICS = { lanes: ['sim', 'scripted'], backends: ['claude'] } as const;

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

export const prompts: readonly Scenario[] = [solo];
