import {
  type Check,
  completed,
  type Errand,
  errandAnswered,
  fileContains,
  loop,
  onObjective,
  scenario,
  type WantedAnswer,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { queueEntry, queueMerging, queueWaiting } from './queue.js';

/* How the branch of a finished loop gets to its reviewers. */

const QUEUE = [
  queueWaiting(1, 'waiting'),
  queueWaiting(2, 'stuck'),
  queueMerging(2, 'stuck'),
  queueEntry(2, 'stuck', { type: 'needs_review', reason: 'conflicts' }),
].join('');

/** Branches off, works, comes back, and goes on. */
const BRANCHES: readonly Errand[] = [
  { git: ['checkout', '--quiet', '-b', 'ralph/waiting'] },
  { git: ['mv', 'page.txt', 'leaf.txt'] },
  { git: ['commit', '--quiet', '--message', 'turn the page'] },
  { git: ['checkout', '--quiet', '-'] },
  { git: ['commit', '--quiet', '--allow-empty', '--message', 'go on'] },
  { git: ['branch', 'base-line'] },
  { git: ['branch', 'ralph/stuck'] },
  // A loop that is in no list.
  { git: ['branch', 'ralph/unlisted'] },
  { git: ['init', '--quiet', '--bare', 'remote.git'] },
  { git: ['remote', 'add', 'origin', 'remote.git'] },
];

/** Each command, and what it answers. They run in this order. */
const ASKED: Readonly<Record<string, readonly [args: string, wanted: WantedAnswer]>> = {
  resumeUnlisted: [
    'loops resume unlisted',
    { stdout: "Loop 'unlisted' is not currently suspended. Nothing to resume." },
  ],
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
};

const LOG = 'log --oneline --format=%s ralph/waiting';
const REMOTE = 'for-each-ref --format=%(refname:short) refs/remotes';
const PUBLISHED = 'log --oneline --format=%s origin/ralph/waiting';
const PUBLISHED_AGAIN = 'log --format=%s origin/ralph/waiting';

/** The commands, and what git says about the branch after some of them. */
const asked: readonly Errand[] = Object.entries(ASKED).flatMap(([name, [args]]): Errand[] => [
  { ralph: args.split(' ') },
  ...(name === 'rebase' ? [LOG, REMOTE, PUBLISHED].map((git) => ({ git: git.split(' ') })) : []),
  ...(name === 'rebasePush' ? [{ git: PUBLISHED_AGAIN.split(' ') }] : []),
]);

/** Somebody publishes the branch of a loop for review, and moves it onto a newer base. */
const loopsReview = scenario({
  ...MECHANICS,
  id: 'loops-review',
  description:
    '`ralph loops` publishes the branch of a loop for review, writes a summary, and rebases branches',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'worktrees and merges',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: { '.ralph/merge-queue.jsonl': QUEUE, 'page.txt': 'page\n' },
    before: [...BRANCHES, ...asked],
    prompt: 'Keep the summaries.',
  }),

  expect: (): Record<string, Check> => ({
    ends: completed(),
    ...Object.fromEntries(
      Object.entries(ASKED).map(([name, [args, wanted]]) => [name, errandAnswered(args, wanted)]),
    ),
    rebased: errandAnswered(LOG, { stdout: /^turn the page\ngo on\n/ }),
    pushed: errandAnswered(REMOTE, { stdout: /^origin\/ralph\/waiting\norigin\/review\/page\n$/ }),
    unmoved: errandAnswered(PUBLISHED, { stdout: /^turn the page\n(?!go on)/ }),
    moved: errandAnswered(PUBLISHED_AGAIN, { stdout: /^turn the page\ngo on\n/ }),
    summary: fileContains(
      'summary.txt',
      /\*\*Remote branch:\*\* `origin\/review\/page`[\s\S]*turn the page[\s\S]*page\.txt/,
    ),
    summaryToo: fileContains('summary-too.txt', /\*\*Remote branch:\*\* `origin\/ralph\/waiting`/),
  }),

  agent: [
    onObjective('Keep the summaries')
      .runs('cp .ralph/reviews/waiting.md summary.txt; cp notes/review.md summary-too.txt')
      .completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});

export const reviews = [loopsReview];
