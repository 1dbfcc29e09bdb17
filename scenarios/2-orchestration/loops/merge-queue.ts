import {
  type Check,
  completed,
  type Errand,
  errandAnswered,
  fileEquals,
  loop,
  onObjective,
  scenario,
  type WantedAnswer,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { queueEntry, queueMerging, queueWaiting } from './queue.js';

/* The queue of finished loops that wait to be merged, in each of its states, and what `ralph loops` does with them. */

const QUEUE = [
  queueWaiting(1, 'waiting'),
  queueWaiting(2, 'busy'),
  queueMerging(2, 'busy'),
  queueWaiting(3, 'done'),
  queueMerging(3, 'done'),
  queueEntry(3, 'done', { type: 'merged', commit: 'abc123' }),
  queueWaiting(4, 'stuck'),
  queueMerging(4, 'stuck'),
  queueEntry(4, 'stuck', { type: 'needs_review', reason: 'conflicts' }),
  queueWaiting(5, 'gone'),
  queueEntry(5, 'gone', { type: 'discarded', reason: 'not needed' }),
  queueWaiting(6, 'bare'),
  queueWaiting(7, 'held'),
].join('');

/** A loop that crashed: no process has this number. */
const REGISTRY = JSON.stringify({
  loops: [
    {
      id: 'crashed',
      pid: 4_194_304,
      started: '2026-01-31T00:00:00Z',
      prompt: 'Work of crashed',
      workspace: '.',
    },
  ],
});

const BRANCHES: readonly Errand[] = [
  { git: ['branch', 'ralph/waiting'] },
  { git: ['branch', 'ralph/stuck'] },
  { git: ['branch', 'ralph/done'] },
  { git: ['branch', 'ralph/held'] },
];

const waiting = {
  id: 'waiting',
  status: 'queued',
  prompt: 'Work of waiting',
  merge: 'ready',
  location: '-',
  age: /^\d+d$/,
};
const busy = { id: 'busy', status: 'merging' };
const done = { id: 'done', status: 'merged', location: 'abc123' };
const stuck = { id: 'stuck', status: 'needs-review' };
const gone = { id: 'gone', status: 'discarded' };
/** Thrown away before the others are asked about. */
const bare = { id: 'bare', status: 'discarded' };
const held = { id: 'held', status: 'discarded' };

/** Each command, and what it answers. They run in this order. */
const ASKED: Readonly<Record<string, readonly [args: string, wanted: WantedAnswer]>> = {
  // It has no branch, so there is nothing to warn of.
  discardBare: ['loops discard --yes bare', { stdout: /^Loop 'bare' discarded\.\n$/, stderr: /^$/ }],
  discardHeld: [
    'loops discard --yes held',
    {
      stdout: /^Loop 'held' discarded\.$/m,
      stderr: /^Warning: failed to delete branch 'ralph\/held': .*ralph\/held/,
    },
  ],
  list: ['loops list --json', { json: [waiting, busy, stuck] }],
  all: ['loops list --all --json', { json: [waiting, busy, done, stuck, gone, bare, held] }],
  wholeTable: [
    'loops list --all',
    {
      stdout:
        /^(?![\s\S]*hidden)Loops: queued: 1, merging: 1, needs-review: 1, merged: 1, discarded: 3\n[\s\S]*^done +merged +- +\d+d +abc123 +Work of done\n[\s\S]*^gone +discarded +- +\d+d +- +Work of gone\n/m,
    },
  ],
  middle: ['loops logs aitin', { exitCode: 1, stderr: /No events file found for loop 'waiting'/ }],
  diffNobody: ['loops diff busy', { exitCode: 1, stderr: "Branch 'ralph/busy' not found" }],
  table: [
    'loops',
    {
      stdout:
        /^Loops: queued: 1, merging: 1, needs-review: 1\n[\s\S]*^waiting +queued +ready +\d+d +- +Work of waiting\n[\s\S]*\(4 merged\/discarded hidden\. Use --all to show\.\)\nHint: Use `ralph loops retry/m,
    },
  ],
  ready: ['loops merge-button-state waiting', { json: { state: 'active' } }],
  blocked: [
    'loops merge-button-state busy',
    { json: { state: 'blocked', reason: 'Merge already in progress' } },
  ],
  mergeBusy: [
    'loops merge busy',
    { exitCode: 1, stderr: /Loop 'busy' is currently merging .*Use --force to override/ },
  ],
  mergeDone: ['loops merge done', { exitCode: 1, stderr: "Loop 'done' is already merged." }],
  mergeGone: ['loops merge gone', { exitCode: 1, stderr: "Loop 'gone' is discarded." }],
  retryWaiting: [
    'loops retry waiting',
    { exitCode: 1, stderr: "Loop 'waiting' is in state Queued, can only retry 'needs-review' loops" },
  ],
  retryNobody: ['loops retry nobody', { exitCode: 1, stderr: "Loop 'nobody' not found in merge queue" }],
  discardBusy: [
    'loops discard --yes busy',
    { exitCode: 1, stderr: /cannot transition from Merging to Discarded/ },
  ],
  discardDone: [
    'loops discard --yes done',
    { exitCode: 1, stderr: /cannot transition from Merged to Discarded/ },
  ],
  stop: ['loops stop', { exitCode: 1, stderr: /Cannot determine active loop/ }],
  attach: ['loops attach waiting', { exitCode: 1, stderr: /Loop 'waiting' is not a worktree-based loop/ }],
  logs: ['loops logs waiting', { exitCode: 1, stderr: /No events file found for loop 'waiting'/ }],
  history: ['loops history waiting', { exitCode: 1, stderr: /No history file found for loop 'waiting'/ }],
  logsNobody: ['loops logs nobody', { exitCode: 1, stderr: "Loop 'nobody' not found" }],
  resume: [
    'loops resume waiting',
    { stdout: "Loop 'waiting' is not currently suspended. Nothing to resume." },
  ],
  resumeAgain: [
    'loops resume stuck',
    {
      stdout:
        "Resume was already requested for loop 'stuck'. The loop is not currently suspended; no action taken.",
    },
  ],
  resumeSuspended: [
    'loops resume busy',
    { stdout: "Resume was already requested for loop 'busy'. Waiting for the loop to continue." },
  ],
  prune: ['loops prune', { stdout: 'No stale loops found.' }],
  discard: ['loops discard --yes waiting', { stdout: /^Loop 'waiting' discarded\.\n$/, stderr: /^$/ }],
  discardStuck: ['loops discard --yes stuck', { stdout: /^Loop 'stuck' discarded\.\n$/, stderr: /^$/ }],
  // Nobody needs a review any more.
  lastTable: [
    'loops list',
    { stdout: /^(?![\s\S]*Hint:)Loops: merging: 1\n[\s\S]*^Use `ralph loops --help`/m },
  ],
  after: ['loops list --json', { json: [busy] }],
};

const BRANCHES_LEFT = 'branch --list ralph/waiting ralph/stuck';

/** What somebody else does before and after a command. */
const MEANWHILE: Readonly<Record<string, readonly [before: string, after: string]>> = {
  // git does not delete a branch that is locked.
  discardHeld: ['touch .git/refs/heads/ralph/held.lock', 'rm .git/refs/heads/ralph/held.lock'],
  resumeAgain: ['touch .ralph/resume-requested', 'true'],
  resumeSuspended: [
    'cp suspended.json .ralph/suspend-state.json',
    'rm .ralph/suspend-state.json .ralph/resume-requested',
  ],
};
const somebody = (does: string): Errand => ({ git: ['-c', `alias.does=!${does}`, 'does'] });
const SUSPENDED = JSON.stringify({
  schema_version: 1,
  state: 'suspended',
  loop_id: 'waiting',
  phase_event: 'pre.iteration.start',
  hook_name: 'gate',
  reason: 'not now',
  suspend_mode: 'wait_for_resume',
  suspended_at: '2026-01-31T00:00:00Z',
});
const asked = (names: readonly string[]): readonly Errand[] =>
  Object.entries(ASKED)
    .filter(([name]) => names.includes(name))
    .flatMap(([name, [args]]): Errand[] => [
      ...(MEANWHILE[name] ?? []).slice(0, 1).map(somebody),
      { ralph: args.split(' ') },
      ...(MEANWHILE[name] ?? []).slice(1).map(somebody),
      ...(name === 'discard' ? [{ git: BRANCHES_LEFT.split(' ') }] : []),
    ]);

const NAMES = Object.keys(ASKED);

/** The merge queue: who is listed, and who may be merged, tried again or thrown away. */
const mergeQueue = scenario({
  ...MECHANICS,
  id: 'merge-queue',
  phase: 'red',
  description: '`ralph loops` lists, refuses and discards loops that wait to be merged, by their state',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'worktrees and merges',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: { '.ralph/merge-queue.jsonl': QUEUE, '.ralph/loops.json': REGISTRY, 'suspended.json': SUSPENDED },
    before: [...BRANCHES, ...asked(NAMES.filter((name) => name !== 'after'))],
    after: asked(['after']),
    prompt: 'Write work.txt.',
  }),

  expect: (): Record<string, Check> => ({
    ends: completed(),
    work: fileEquals('work.txt', 'done'),
    ...Object.fromEntries(
      Object.entries(ASKED)
        // The last answer counts, and this command runs twice.
        .filter(([name]) => name !== 'list')
        .map(([name, [args, wanted]]) => [name, errandAnswered(args, wanted)]),
    ),
    branchGone: errandAnswered(BRANCHES_LEFT, { stdout: /^ +ralph\/stuck\n$/ }),
  }),

  agent: [onObjective('Write work.txt').writes('work.txt', 'done\n').completes()],

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});

export const mergeQueues = [mergeQueue];
