import {
  type Check,
  completed,
  type Errand,
  errandAnswered,
  fileContains,
  fileEquals,
  loop,
  onObjective,
  scenario,
  type WantedAnswer,
  without,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/* The queue of finished loops that wait to be merged, in each of its states, and what `ralph loops` does with them. */

const entry = (minute: number, loop_id: string, event: Readonly<Record<string, unknown>>) =>
  `${JSON.stringify({ ts: `2026-01-31T00:0${minute}:00Z`, loop_id, event })}\n`;
const queued = (minute: number, id: string) => entry(minute, id, { type: 'queued', prompt: `Work of ${id}` });
const merging = (minute: number, id: string) => entry(minute, id, { type: 'merging', pid: 4_194_304 });

const QUEUE = [
  queued(1, 'waiting'),
  queued(2, 'busy'),
  merging(2, 'busy'),
  queued(3, 'done'),
  merging(3, 'done'),
  entry(3, 'done', { type: 'merged', commit: 'abc123' }),
  queued(4, 'stuck'),
  merging(4, 'stuck'),
  entry(4, 'stuck', { type: 'needs_review', reason: 'conflicts' }),
  queued(5, 'gone'),
  entry(5, 'gone', { type: 'discarded', reason: 'not needed' }),
  queued(6, 'bare'),
  queued(7, 'held'),
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

/** Branches off, works, comes back, and goes on. */
const BRANCHES: readonly Errand[] = [
  { git: ['checkout', '--quiet', '-b', 'ralph/waiting'] },
  { git: ['mv', 'page.txt', 'leaf.txt'] },
  { git: ['commit', '--quiet', '--message', 'turn the page'] },
  { git: ['checkout', '--quiet', '-'] },
  { git: ['commit', '--quiet', '--allow-empty', '--message', 'go on'] },
  { git: ['branch', 'base-line'] },
  { git: ['branch', 'ralph/stuck'] },
  { git: ['branch', 'ralph/done'] },
  // A loop that is in no list.
  { git: ['branch', 'ralph/unlisted'] },
  { git: ['branch', 'ralph/held'] },
  { git: ['init', '--quiet', '--bare', 'remote.git'] },
  { git: ['remote', 'add', 'origin', 'remote.git'] },
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
      stdout: /^Loop 'held' discarded\.\n$/,
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
  resumeUnlisted: [
    'loops resume unlisted',
    { stdout: "Loop 'unlisted' is not currently suspended. Nothing to resume." },
  ],
  prune: ['loops prune', { stdout: 'No stale loops found.' }],
  publish: [
    'loops publish-review waiting --base HEAD --remote-branch review/page',
    { stdout: /^Published loop 'waiting' for review: origin\/review\/page\n/ },
  ],
  publishPlain: [
    'loops publish-review waiting --base HEAD --summary notes/review.md',
    {
      stdout:
        /^Published loop 'waiting' for review: origin\/ralph\/waiting\nReview summary: .*\/notes\/review\.md\n$/,
    },
  ],
  publishNowhere: [
    'loops publish-review waiting --base HEAD --remote nowhere',
    { exitCode: 1, stderr: "Remote 'nowhere' not found" },
  ],
  rebaseNowhere: [
    'loops rebase waiting --remote nowhere',
    { exitCode: 1, stderr: /Remote 'nowhere' not found\. Pass --no-fetch/ },
  ],
  rebase: [
    'loops rebase waiting --no-fetch --base base-line',
    { stdout: 'Rebased 1 loop branch(es) onto base-line.' },
  ],
  rebasePush: [
    'loops rebase waiting --no-fetch --base base-line --push',
    { stdout: 'Rebased 1 loop branch(es) onto base-line.' },
  ],
  rebaseAll: [
    'loops rebase --no-fetch --base base-line',
    {
      stdout:
        /^Rebasing loop 'waiting' [\s\S]*Rebasing loop 'stuck' [\s\S]*Rebased 2 loop branch\(es\) onto base-line\.\n$/,
    },
  ],
  discard: ['loops discard --yes waiting', { stdout: /^Loop 'waiting' discarded\.\n$/, stderr: /^$/ }],
  discardStuck: ['loops discard --yes stuck', { stdout: /^Loop 'stuck' discarded\.\n$/, stderr: /^$/ }],
  // Nobody needs a review any more.
  lastTable: [
    'loops list',
    { stdout: /^(?![\s\S]*Hint:)Loops: merging: 1\n[\s\S]*^Use `ralph loops --help`/m },
  ],
  after: ['loops list --json', { json: [busy] }],
};

const LOG = 'log --oneline --format=%s ralph/waiting';
const REMOTE = 'for-each-ref --format=%(refname:short) refs/remotes';
const PUBLISHED = 'log --oneline --format=%s origin/ralph/waiting';
const BRANCHES_LEFT = 'branch --list ralph/waiting ralph/stuck';
const PUBLISHED_AGAIN = 'log --format=%s origin/ralph/waiting';

/** git does not delete a branch that somebody else is about to change. */
const locked = (how: 'touch' | 'rm') => ({
  git: ['-c', `alias.lock=!${how} .git/refs/heads/ralph/held.lock`, 'lock'],
});
const asked = (names: readonly string[]): readonly Errand[] =>
  Object.entries(ASKED)
    .filter(([name]) => names.includes(name))
    .flatMap(([name, [args]]): Errand[] => [
      ...(name === 'discardHeld' ? [locked('touch')] : []),
      { ralph: args.split(' ') },
      ...(name === 'discardHeld' ? [locked('rm')] : []),
      // What it did to the branch, before the branch is gone.
      ...(name === 'rebase' ? [LOG, REMOTE, PUBLISHED].map((git) => ({ git: git.split(' ') })) : []),
      ...(name === 'rebasePush' ? [{ git: PUBLISHED_AGAIN.split(' ') }] : []),
      ...(name === 'discard' ? [{ git: BRANCHES_LEFT.split(' ') }] : []),
    ]);

const NAMES = Object.keys(ASKED);

/** The merge queue: who is listed, who may be merged, tried again or thrown away, and how a branch gets to its reviewers. */
const mergeQueue = scenario({
  ...MECHANICS,
  id: 'merge-queue',
  tier: 2,
  priority: 'should',
  phase: 'red',
  description:
    '`ralph loops` lists, refuses, publishes, rebases and discards loops that wait to be merged, by their state',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'worktrees and merges',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: { '.ralph/merge-queue.jsonl': QUEUE, '.ralph/loops.json': REGISTRY, 'page.txt': 'page\n' },
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
    rebased: errandAnswered(LOG, { stdout: /^turn the page\ngo on\n/ }),
    pushed: errandAnswered(REMOTE, { stdout: /^origin\/ralph\/waiting\norigin\/review\/page\n$/ }),
    unmoved: errandAnswered(PUBLISHED, { stdout: /^turn the page\n(?!go on)/ }),
    moved: errandAnswered(PUBLISHED_AGAIN, { stdout: /^turn the page\ngo on\n/ }),
    branchGone: errandAnswered(BRANCHES_LEFT, { stdout: /^ +ralph\/stuck\n$/ }),
    summary: fileContains(
      'summary.txt',
      /\*\*Remote branch:\*\* `origin\/review\/page`[\s\S]*turn the page[\s\S]*page\.txt/,
    ),
    summaryToo: fileContains('summary-too.txt', /\*\*Remote branch:\*\* `origin\/ralph\/waiting`/),
  }),

  agent: [
    onObjective('Write work.txt')
      .writes('work.txt', 'done\n')
      .runs('cp .ralph/reviews/waiting.md summary.txt; cp notes/review.md summary-too.txt')
      .completes(),
  ],

  saboteurs: {
    'writes nothing': { agent: without('writes'), kills: ['work'] },
    'does not read the summary': { agent: without('runs'), kills: ['summary', 'summaryToo'] },
    'never completes': neverCompletes('ends'),
    'nobody asks': {
      config: (arrangement) => ({ ...arrangement, before: BRANCHES, after: [] }),
      kills: [
        ...NAMES.filter((name) => name !== 'list'),
        ...['rebased', 'pushed', 'unmoved', 'moved', 'branchGone', 'summary', 'summaryToo'],
      ],
      failure: 'AssertionMismatch',
    },
  },
});

export const mergeQueues = [mergeQueue];
