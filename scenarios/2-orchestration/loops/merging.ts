import {
  earlierSessionEnded,
  errandAnswered,
  loop,
  onObjective,
  onPrompt,
  scenario,
  type WantedJson,
} from '../../../src/authoring.js';
import { replacing, withoutEmitting } from '../../support/agent-changes.js';
import { IDLE_WORKERS, MECHANICS, SMALL_WORKER, smallWork, workDone } from '../../support/commands.js';

/*
 * Merges of finished loops. Ralph runs each merge as a loop of its own, with the `ralph` on PATH, and such a loop may
 * outlive the one that started it. So merges run in errands. The agent of an earlier session says which Ralph is under
 * test.
 */

/** Takes a second that no other loop has: Ralph names files by the second, and loops that start at once trip over the lock. */
const OWN_SECOND =
  'mkdir -p .ralph; until mkdir ".ralph/second-$(date +%s)" 2> /dev/null; do sleep 0.05; done';

/** The Ralph under test, on PATH. */
const ON_PATH = {
  'programs/ralph': {
    content: `#!/bin/sh\n[ "$1" != run ] || { ${OWN_SECOND}; }\nexec "$(cat ralph-bin.txt)" "$@"\n`,
    mode: 0o755,
  },
};
const WHICH = 'Say which Ralph you are.';
const SHOW_RALPH = onObjective(WHICH).runs('printf %s "$RALPH_BIN" > ralph-bin.txt').completes();

/** Runs a script of the workspace. */
const script = (name: string) => ['-c', `alias.script=!sh ${name}`, 'script'];
const answerOf = (name: string) => script(name).join(' ');

/** Shell functions: `work NAME` makes the branch of a loop, and `queued MINUTE NAME` is a line of the queue. */
const FUNCTIONS = `
work() {
  git checkout --quiet -b ralph/$1
  echo $1 > $1.txt
  git add $1.txt
  git commit --quiet --message "work of $1"
  git checkout --quiet -
}
entry() { echo "{\\"ts\\":\\"2026-01-31T00:0$1:00Z\\",\\"loop_id\\":\\"$2\\",\\"event\\":$3}"; }
queued() { entry $1 $2 "{\\"type\\":\\"queued\\",\\"prompt\\":\\"Work of $2\\"}"; }
`;

/** Prints the queue with the subjects of commits. */
const QUEUE = `
cp .ralph/merge-queue.jsonl queue.txt
git log --format='%H %s' | while read -r commit subject; do sed -i.bak "s/$commit/$subject/" queue.txt; done
cat queue.txt
${OWN_SECOND}
`;
const queueHas = (loop_id: string | RegExp, event: WantedJson) =>
  errandAnswered(answerOf('queue.sh'), { json: { loop_id, event } });

const IGNORED = '.ralph/\n.worktrees/\n*.log\n*.txt.bak\nqueue.txt\nwaits.txt\nralph-bin.txt\n';
const COMMIT = /^[0-9a-f]{40}$/;

/** The agent of a merge. The message that it writes shows what it was told, and how. */
const MERGER = onPrompt(/Merge loop ([\w-]+) from branch (ralph\/[\w-]+)/)
  .runs('git merge --quiet --no-ff --message "merge {{1}} as $RALPH_MERGE_LOOP_ID" {{2}}')
  .emits('MERGE_COMPLETE', 'merged');

/** One loop waits, one seems to be merging, and one has a worktree that the queue does not know. */
const PREPARE = `${FUNCTIONS}
work waiting
work busy
git worktree add --quiet -b ralph/orphan .worktrees/orphan
echo orphan > .worktrees/orphan/orphan.txt
git -C .worktrees/orphan add orphan.txt
git -C .worktrees/orphan commit --quiet --message 'work of orphan'
{ queued 1 waiting; queued 2 busy; entry 3 busy '{"type":"merging","pid":4194304}'; } > .ralph/merge-queue.jsonl
`;

/** Merges that succeed, and merges that do not. */
const loopsMerge = scenario({
  ...MECHANICS,
  id: 'loops-merge',
  description:
    '`ralph loops merge` and `retry` run a merge loop; the queue says what became of it, with the commit or the reason',
  covers: ['FR5', 'FR9'],
  waitsSeconds: 3,
  beyondStandIn: 'worktrees and merges',
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3 }),
    files: { ...ON_PATH, '.gitignore': IGNORED, 'prepare.sh': PREPARE, 'queue.sh': QUEUE },
    path: ['programs'],
    before: [
      { session: { prompt: WHICH } },
      { git: script('prepare.sh') },
      // A merge that completes starts all that wait, so the one that waits comes first and fails.
      { ralph: ['loops', 'merge', 'waiting'] },
      { ralph: ['loops', 'merge', 'busy', '--force'] },
      { ralph: ['loops', 'retry', 'waiting'] },
      { ralph: ['loops', 'merge', 'orphan'] },
      { ralph: ['loops', 'list', '--all', '--json'] },
      { git: script('queue.sh') },
    ],
    prompt: smallWork(context),
  }),

  expect: (context) => ({
    ...workDone(context),
    fails: errandAnswered('loops merge waiting', {
      exitCode: 1,
      stdout: /^Merging loop 'waiting'\.\.\.\nSpawning merge-ralph for loop 'waiting'\.\.\.\n/,
      stderr: 'merge-ralph exited with error',
    }),
    forced: errandAnswered('loops merge busy --force', {
      exitCode: 1,
      stdout: /^Force-merging loop 'busy'\.\.\.\n/,
    }),
    retried: errandAnswered('loops retry waiting', { stdout: /^Spawning merge-ralph for loop 'waiting'/ }),
    found: errandAnswered('loops merge orphan', {
      stdout: /^Found orphan worktree for loop 'orphan'\. Queueing for merge\.\.\.\n/,
    }),
    began: queueHas('waiting', { type: 'merging', pid: /^[1-9]\d*$/ }),
    stopped: queueHas('waiting', { type: 'needs_review', reason: 'manually stopped' }),
    stale: queueHas('busy', { type: 'needs_review', reason: 'stale loop detected' }),
    merged: queueHas('waiting', { type: 'merged', commit: 'merge waiting as waiting' }),
    mergedToo: queueHas('orphan', { type: 'merged', commit: 'merge orphan as orphan' }),
    listed: errandAnswered('loops list --all --json', {
      json: [
        { id: 'waiting', status: 'merged', location: COMMIT, prompt: 'Work of waiting' },
        { id: 'busy', status: 'needs-review', location: '-', prompt: 'Work of busy' },
        { id: 'orphan', status: 'merged', location: COMMIT },
      ],
    }),
  }),

  agent: [
    onPrompt('Merge loop waiting from branch').once().runs('"$RALPH_BIN" loops stop').says('I have to stop.'),
    onPrompt('Merge loop busy from branch')
      .emits('merge.odd', 'again')
      .emits('merge.odd', 'again')
      .emits('merge.odd', 'again'),
    MERGER,
    SHOW_RALPH,
    SMALL_WORKER,
  ],

  saboteurs: {
    ...IDLE_WORKERS,
    'the merge is not stopped': {
      agent: replacing('loops stop', '--version'),
      kills: ['fails', 'stopped', 'retried'],
      failure: 'AssertionMismatch',
    },
    'the merge is not stale': {
      agent: withoutEmitting('merge.odd'),
      kills: ['stale'],
      failure: 'AssertionMismatch',
    },
    'does not merge': {
      agent: replacing('git merge', 'true git merge'),
      kills: ['merged', 'mergedToo'],
      failure: 'AssertionMismatch',
    },
  },
});

/** A loop that waits from the start. */
const EARLY = `${FUNCTIONS}
work early
mkdir -p .ralph/diagnostics/logs
queued 1 early > .ralph/merge-queue.jsonl
`;

/** `merged N` waits until N loops are merged and every merge that was started has ended. */
const WAIT = `
started() { ls .ralph/diagnostics/logs | grep -c ralph-merge; }
merged() {
  for i in $(seq 200); do
    ended=$(grep -lE 'Loop terminated|^Error' .ralph/diagnostics/logs/ralph-merge-* 2> /dev/null | wc -l)
    [ "$(grep -c '"merged"' .ralph/merge-queue.jsonl)" -ge "$1" ] && [ "$ended" -eq "$(started)" ] && break
    sleep 0.05
  done
}
`;

/** The first loop, and what waited when it was about to complete. */
const AUTO = `${WAIT}
echo "merges before: $(started)"
ralph run -c ralph.yml --no-tui -p 'First work.' | grep -o 'Loop terminated: .*'
merged 2
echo "merged: $(grep -c '"merged"' .ralph/merge-queue.jsonl)"
cat waits.txt
id=$(sed -n 's/.*"loop_id":"\\([^"]*\\)".*Second work.*/\\1/p' waits.txt)
git ls-tree --name-only ralph/$id | sed -n 's/^second.txt$/committed: &/p'
git log --format='message: %s' -1 ralph/$id | sed "s/$id/ID/"
ralph loops history $id --json | sed -n 's/.*"kind":"\\([a-z]*_queued\\)".*/recorded: \\1/p'
`;

/** One more that waits, and nobody who completes. */
const PROCESS = `${FUNCTIONS}${WAIT}
work late
queued 3 late >> .ralph/merge-queue.jsonl
ralph loops process
merged 3
ls early.txt second.txt late.txt
`;

/** The agent of the first loop starts two more, one after the other. */
const FIRST = [
  `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' > second.log 2>&1`,
  `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Third work.' --no-auto-merge > third.log 2>&1`,
  'cp .ralph/merge-queue.jsonl waits.txt',
].join('; ');

/** Loops that are merged without being asked, and one that is not. */
const autoMerge = scenario({
  ...MECHANICS,
  id: 'auto-merge',
  description:
    'With features.auto_merge, a completed second loop waits with its work committed, and when the first completes, a merge starts for each that waits',
  covers: ['FR5'],
  waitsSeconds: 4,
  beyondStandIn: 'worktrees and merges',
  expectedIterations: 1,

  arrange: (context) => ({
    config: { ...loop({ maxIterations: 3 }), features: { auto_merge: true } },
    files: {
      ...ON_PATH,
      '.gitignore': IGNORED,
      'early.sh': EARLY,
      'auto.sh': AUTO,
      'process.sh': PROCESS,
      'queue.sh': QUEUE,
    },
    path: ['programs'],
    before: [
      { git: script('early.sh') },
      // It ends at its limit, so it merges nothing.
      { session: { prompt: WHICH, args: ['--max-iterations', '1'] } },
      { git: script('auto.sh') },
      { git: script('process.sh') },
      { ralph: ['loops', 'list', '--all', '--json'] },
      { git: script('queue.sh') },
    ],
    prompt: smallWork(context),
  }),

  expect: (context) => ({
    ...workDone(context),
    limited: earlierSessionEnded(2),
    untouched: errandAnswered(answerOf('auto.sh'), { stdout: /^merges before: 0\n/ }),
    first: errandAnswered(answerOf('auto.sh'), { stdout: 'Loop terminated: Completion promise detected' }),
    // Before anybody asks for it.
    byItself: errandAnswered(answerOf('auto.sh'), { stdout: /^merged: 2$/m }),
    waits: errandAnswered(answerOf('auto.sh'), {
      stdout: /"loop_id":"early"[^\n]*\n[^\n]*"event":\{"type":"queued","prompt":"Second work\."\}\}\n(?!\{)/,
    }),
    committed: errandAnswered(answerOf('auto.sh'), { stdout: /^committed: second\.txt$/m }),
    named: errandAnswered(answerOf('auto.sh'), {
      stdout: /^message: chore: auto-commit before merge \(loop ID\)$/m,
    }),
    recorded: errandAnswered(answerOf('auto.sh'), { stdout: /^recorded: merge_queued$/m }),
    merged: queueHas('early', { type: 'merged', commit: 'merge early as early' }),
    mergedToo: queueHas(/^[a-z]+-[a-z]+$/, { type: 'merged', commit: /^merge ([a-z]+-[a-z]+) as \1$/ }),
    processed: queueHas('late', { type: 'merged', commit: 'merge late as late' }),
    files: errandAnswered(answerOf('process.sh'), { stdout: /^early\.txt\nlate\.txt\nsecond\.txt\n$/m }),
    listed: errandAnswered('loops list --all --json', {
      json: [
        { id: 'early', status: 'merged', location: COMMIT },
        { id: 'late', status: 'merged', location: COMMIT },
        { id: /^[a-z]+-[a-z]+$/, status: 'merged', location: COMMIT, prompt: 'Second work.' },
        { id: /^[a-z]+-[a-z]+$/, status: 'orphan' },
      ],
    }),
  }),

  agent: [
    MERGER,
    SHOW_RALPH,
    SMALL_WORKER,
    onObjective('First work').runs(FIRST).completes(),
    onObjective('Second work').runs('cd .worktrees/* && echo second > second.txt').completes(),
    onObjective('Third work').completes(),
  ],

  saboteurs: {
    ...IDLE_WORKERS,
    'the first completes when it is asked who it is': {
      config: ({ before = [], ...arrangement }) => ({
        ...arrangement,
        before: before.map((errand) => ('session' in errand ? { session: { prompt: WHICH } } : errand)),
      }),
      kills: ['limited', 'untouched'],
    },
    'does not merge': {
      agent: replacing('git merge', 'true git merge'),
      kills: ['merged', 'mergedToo', 'processed', 'files'],
      failure: 'AssertionMismatch',
    },
  },
});

export const merging = [loopsMerge, autoMerge];
