import {
  backendNeverCalled,
  completed,
  countsOnFrom,
  errandAnswered,
  failedToRun,
  fileEquals,
  guard,
  iterationCount,
  loop,
  onAnyPrompt,
  onEvent,
  onObjective,
  onPrompt,
  promptContained,
  promptLacked,
  RALPH_TOPICS,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes, neverStops, noBuiltIns } from '../../support/saboteurs.js';

/* What a continued loop knows of the session before it, and what a fresh one must not know. */

const REQUIRED = { requiredEvents: ['plan.approved', 'work.checked'], memories: {}, tasks: true };
const WORK = 'Get the plan approved and the work checked.';
const limited = ['--max-iterations', '1'];

/** The first session emits one of two required events and opens a task; the second does the rest. */
const continueState = scenario({
  ...MECHANICS,
  id: 'continue-state',
  description:
    'A continued loop still has the required events, the tasks and the pending events of the session before',
  covers: ['FR5', 'FR6', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6, ...REQUIRED }),
    before: [
      { session: { prompt: WORK, args: limited } },
      { ralph: ['emit', 'news.arrived', `the color is ${nonce}`] },
    ],
    prompt: WORK,
    args: ['--continue'],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    countsOn: countsOnFrom(2),
    iterations: iterationCount(2),
    resumed: promptContained(RALPH_TOPICS.resume, { nth: 1 }),
    news: promptContained(`Event: news.arrived - the color is ${nonce}`, { nth: 1 }),
    old: promptLacked('Event: plan.approved'),
    task: promptContained('Check the work', { nth: 1 }),
    blocked: promptContained(/Check the work/, { nth: 2 }),
    done: fileEquals('checked.txt', nonce.toUpperCase()),
  }),

  agent: [
    // The task is open, so this does not count.
    onPrompt(/Event: news\.arrived - the color is (\w+)/)
      .writes('checked.txt', '{{upper 1}}\n')
      .emits('work.checked', 'fine')
      .completes(),
    onPrompt(/Completion rejected|work\.checked/)
      .runs(
        `ralph tools task close "$(ralph tools task list --format json | sed -n 's/.*"id": *"\\([^"]*\\)".*/\\1/p' | head -n 1)"`,
      )
      .completes(),
    // Got no news.
    onEvent(RALPH_TOPICS.resume).emits('work.checked', 'fine').completes(),
    onObjective('Get the plan approved')
      .runs("ralph tools task add 'Check the work'")
      .notes('approved')
      .emits('plan.approved', 'yes'),
  ],

  saboteurs: {
    'never gets the plan approved': {
      agent: withoutEmitting('plan.approved'),
      kills: ['ends', 'iterations'],
      failure: 'EventMissing',
    },
  },
  exempt: { 'own-task': 'it looks for the only task' },
  notApplicable: {
    'by-hand': 'it tests what the next session knows, whoever wrote it down',
    'all-at-once': 'a session ends between the steps',
  },
});

/** Publishes a.c and a.d in turns: the same event again and again would make the loop stale. */
const newWork = (note: string) =>
  [onEvent('a.c').emits('a.d', 'x'), onObjective('New work').emits('a.c', 'x')].map((turn) =>
    turn.appends('turns.txt', 'new\n').notes(note),
  );

/** The iterations of both sessions count toward one limit. */
const continueLimit = scenario({
  ...MECHANICS,
  id: 'continue-limit',
  phase: 'red',
  description:
    'The iterations of the session before count toward the limit, and a fresh run forgets them and the notes',
  covers: ['FR5', 'FR9', 'FR10'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    before: [
      // Its notes must be gone in the next one.
      { session: { prompt: 'Old work.', args: limited } },
      { session: { prompt: 'New work.', args: ['--max-iterations', '2'] } },
      { ralph: ['run', '-c', 'ralph.yml', '--no-tui', '-P', 'prompt.md', '--loop-id', 'x'] },
    ],
    prompt: 'New work.',
    args: ['--continue'],
  }),

  expect: () => ({
    ends: terminatedBecause('max_iterations', 2),
    countsOn: countsOnFrom(3),
    iterations: iterationCount(2),
    notes: promptContained('note of the new work', { nth: 1 }),
    fresh: promptLacked('note of the old work'),
    handed: promptContained('Event: a.c - x', { nth: 2 }),
    turns: fileEquals('turns.txt', 'old\nnew\nnew\nnew\nnew'),
    usage: errandAnswered('run -c ralph.yml --no-tui -P prompt.md --loop-id x', {
      exitCode: 2,
      stderr: /--continue/,
    }),
  }),

  agent: [
    onObjective('Old work').appends('turns.txt', 'old\n').notes('note of the old work').emits('a.b', 'x'),
    ...newWork('note of the new work'),
  ],

  saboteurs: {
    'starts over': {
      config: arranging({ args: [] }),
      kills: ['countsOn', 'iterations', 'turns'],
    },
    'the old notes are the new ones': {
      agent: [
        onObjective('Old work').appends('turns.txt', 'old\n').notes('note of the new work').emits('a.b', 'x'),
        ...newWork('note of the old work'),
      ],
      kills: ['fresh', 'notes'],
      failure: 'AssertionMismatch',
    },
    'Ralph ignores the limit': neverStops('ends', 'iterations'),
  },
  notApplicable: { 'all-at-once': 'every iteration takes the same step' },
});

/** There is nothing to continue. */
const continueNothing = scenario({
  ...MECHANICS,
  id: 'continue-nothing',
  phase: 'red',
  description:
    '`--continue` without notes of an earlier session is refused, with the path of the missing notes',
  covers: ['FR5', 'FR9'],

  arrange: () => ({
    config: { ...loop({ maxIterations: 3 }), core: { scratchpad: '.ralph/agent/diary.md' } },
    prompt: 'Declare the objective complete.',
    args: ['--continue'],
  }),

  expect: () => ({
    refuses: failedToRun(
      1,
      /Cannot continue: scratchpad not found at '\.ralph\/agent\/diary\.md'\. Start a fresh run with `ralph run`\./,
    ),
    neverCalled: guard(backendNeverCalled(), 'a Ralph that calls an agent here has not refused'),
  }),

  agent: [onAnyPrompt().completes()],
  notApplicable: noBuiltIns('Ralph refuses before it calls an agent'),
});

const RESUME = 'resume -c ralph.yml --no-tui';
const RESUME_TO_THREE = 'resume -c ralph.yml --no-tui --max-iterations 3';
const DEPRECATED = /warning:\S* `ralph resume` is deprecated\. Use `ralph run --continue` instead\.\n/;
const COUNT = 'Count the iterations in the notes, and stop after four.';
const turn = (number: string) => onPrompt(new RegExp(`^${number}$`, 'm'));

/** The hidden command that people knew before `--continue`. It takes its prompt from the configuration. */
const oldCommand = scenario({
  ...MECHANICS,
  id: 'continue-by-old-command',
  description: '`ralph resume` says what replaces it, and continues as `ralph run --continue` does',
  covers: ['FR5', 'FR10'],
  expectedIterations: 1,

  arrange: () => {
    const { event_loop: limits, ...rest } = loop({ maxIterations: 6 });
    return {
      config: { ...rest, event_loop: { ...Object(limits), prompt_file: 'prompt.md' } },
      before: [
        { ralph: RESUME.split(' ') },
        { session: { prompt: COUNT, args: limited } },
        // Ralph names its diagnostics by the second: this loop must not share them with the next.
        { ralph: RESUME_TO_THREE.split(' '), env: { RALPH_DIAGNOSTICS: null } },
      ],
      prompt: COUNT,
      args: ['--continue', '--loop-id', 'chosen-loop'],
    };
  },

  expect: () => ({
    ends: completed(),
    countsOn: countsOnFrom(4),
    refused: errandAnswered(RESUME, {
      exitCode: 1,
      stderr: /Cannot continue: scratchpad not found at '\.ralph\/agent\/scratchpad\.md'\./,
    }),
    warned: errandAnswered(RESUME, { exitCode: 1, stderr: DEPRECATED }),
    resumed: errandAnswered(RESUME_TO_THREE, {
      exitCode: 2,
      stdout:
        /^(?![\s\S]*Interactive mode requested)[\s\S]*Found existing scratchpad at '\.ralph\/agent\/scratchpad\.md'[\s\S]* ITERATION 2 \|[\s\S]* ITERATION 3 \|[\s\S]*Maximum iterations reached/,
    }),
    warnedAgain: errandAnswered(RESUME_TO_THREE, { exitCode: 2, stderr: DEPRECATED }),
    // The first iteration of each session: only the very first is a start.
    begins: fileEquals('begins.txt', 'task.start\ntask.resume'),
    notes: promptContained(/^one$[\s\S]*^two$[\s\S]*^three$/m, { nth: 1 }),
    // The loop ended twice before: neither what came before the first end nor what came between them comes again.
    old: promptLacked(/^Event: a\.[abc] - /m),
    chosen: fileEquals('.ralph/current-loop-id', 'chosen-loop'),
  }),

  agent: [
    turn('three').notes('four').completes(),
    turn('two').notes('three').emits('a.c', 'x'),
    turn('one')
      .reads(/^Event: (task\.\w+) - /m)
      .appends('begins.txt', '{{1}}\n')
      .notes('two')
      .emits('a.b', 'x'),
    onObjective('Count the iterations')
      .reads(/^Event: (task\.\w+) - /m)
      .appends('begins.txt', '{{1}}\n')
      .notes('one')
      .emits('a.a', 'x'),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
  notApplicable: { 'all-at-once': 'a session ends between the steps' },
});

export const continuationStates = [continueState, continueLimit, continueNothing, oldCommand];
