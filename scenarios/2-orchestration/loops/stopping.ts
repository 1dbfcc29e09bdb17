import {
  completed,
  endedAtOnce,
  fileContains,
  fileEquals,
  fileHasJson,
  loop,
  onObjective,
  scenario,
  terminatedBecause,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/* Loops that are stopped or lose their worktree while they run. The agent of the first loop starts and stops the others. */

const start = (prompt: string, log: string) =>
  `"$RALPH_BIN" run -c "$config" --no-tui -p '${prompt}' > ${log} 2>&1 & loop=$!`;

/** `begun` waits until the agent of the other loop works, in the worktree or, as 2.10.1 does, in the workspace. */
const FUNCTIONS = `
config=$PWD/ralph.yml
begun() { for i in $(seq 200); do ls begun .worktrees/*/begun 2> /dev/null | grep -q . && break; sleep 0.05; done; }
look() { echo "== $1"; shift; "$@" 2>&1 < /dev/null; echo "exit $?"; }
`;

/** What the agent of the other loop does: it works until it is told to go on. */
const WORKS = 'touch begun; for i in $(seq 200); do [ -e go ] && break; sleep 0.05; done';

/** Kills a loop in another repository, and then asks its own loop to stop. */
const STOP = `${FUNCTIONS}
git init --quiet other
cd other
${start('Endless work.', 'endless.log')}
begun
{
  look force "$RALPH_BIN" loops stop --force
  wait $loop
  echo "the loop: exit $?"
  look list "$RALPH_BIN" loops list
  look dead "$RALPH_BIN" loops stop
} > force.log
touch go
cd ..
sed "s/$loop/PID/g" other/force.log > force.txt
rm -rf other/.git
holder=$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock)
look stop "$RALPH_BIN" loops stop | sed "s/$holder/HOLDER/g" > stop.txt
`;

/** Somebody stops a loop that runs: after its iteration, or at once. */
const loopsStop = scenario({
  ...MECHANICS,
  id: 'loops-stop',
  phase: 'red',
  description:
    '`ralph loops stop` asks a running loop to end after its iteration; with --force, it kills the loop at once',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'the commands for loops',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    files: { 'stop.sh': STOP },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: terminatedBecause('stopped', 1),
    atOnce: endedAtOnce('One step is done.'),
    finished: fileEquals('after.txt', 'done'),
    asked: fileContains(
      'stop.txt',
      "== stop\nStop requested for loop '(primary)' (PID HOLDER). The loop will stop at the next iteration boundary.\nexit 0\n",
    ),
    killed: fileContains(
      'force.txt',
      "== force\nSending SIGKILL to loop '(primary)' (PID PID)...\nSignal sent.\nexit 0\nthe loop: exit 137\n",
    ),
    unlisted: fileContains('force.txt', '== list\nNo loops found.\nexit 0\n'),
    dead: fileContains(
      'force.txt',
      "== dead\nError: Loop '(primary)' is not running (process PID not found)\nexit 1\n",
    ),
  }),

  agent: [
    onObjective('Endless work').runs(WORKS),
    onObjective('First work')
      .once()
      .runs('sh stop.sh')
      .writes('after.txt', 'done\n')
      .says('One step is done.'),
    onObjective('First work').completes(),
  ],

  saboteurs: {
    'stops nobody': {
      agent: replacing(
        'sh stop.sh',
        'sed -i.bak "s/loops stop/--version/" stop.sh; mkdir other; touch other/go; sh stop.sh',
      ),
      kills: ['ends', 'atOnce', 'asked', 'killed', 'dead'],
      failure: 'UnexpectedTermination',
    },
  },
});

const STOP_SECOND = `${FUNCTIONS}
${start('Second work.', 'second.log')}
begun
id=$(ls .worktrees)
look stop "$RALPH_BIN" loops stop $id > answer.log
sed "s/$id/ID/g; s/$loop/PID/g" answer.log > stop.txt
touch go .worktrees/*/go
wait
grep -o 'Loop terminated: .*' second.log > second.txt
`;

/** A second loop is stopped by its name. */
const loopsStopSecond = scenario({
  ...MECHANICS,
  id: 'loops-stop-second',
  phase: 'red',
  description: '`ralph loops stop` with the name of a second loop asks that loop to end after its iteration',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'worktrees',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    files: { 'stop.sh': STOP_SECOND, '.gitignore': '.ralph/\n' },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    first: fileEquals('after.txt', 'done'),
    asked: fileContains(
      'stop.txt',
      "== stop\nStop requested for loop 'ID' (PID PID). The loop will stop at the next iteration boundary.\nexit 0\n",
    ),
    stopped: fileEquals('second.txt', 'Loop terminated: Manually stopped'),
  }),

  agent: [
    onObjective('Second work').once().runs(WORKS).says('One step is done.'),
    onObjective('Second work').completes(),
    onObjective('First work').runs('sh stop.sh').writes('after.txt', 'done\n').completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph looks for the lock of a second loop in its worktree, and only the first loop has a lock',
    link: 'docs/ralph-behavior.md',
    breaks: {
      asked: /== stop\s+Error: Cannot determine active loop - it may have already stopped\s+exit 1/,
      stopped: '"Loop terminated: Completion promise detected"',
    },
  },

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'stops nobody': {
      agent: without('runs'),
      kills: ['asked', 'stopped'],
      failure: 'AssertionMismatch',
    },
  },
});

/** To wait for 0 ms is no choice: Ralph waits as long as it always does. */
const LOSE = `${FUNCTIONS}
lose() { id=$(ls .worktrees); git worktree remove --force .worktrees/$id; }
${start('Second work.', 'second.log')}
begun
lose
"$RALPH_BIN" loops list --json | sed "s/$id/ID/" > lost.json
look prune "$RALPH_BIN" loops prune > prune.txt
"$RALPH_BIN" loops list --json > pruned.json
touch go
wait $loop
echo "exit $?" >> second.log
rm -rf begun go .worktrees
${start('Second work.', 'third.log')}
begun
lose
{
  look stop env RALPH_LOOPS_STOP_WAIT_MS=0 "$RALPH_BIN" loops stop $id
  kill -0 $loop 2> /dev/null && echo 'it still runs'
} > answer.log
touch go
wait
sed "s/$id/ID/g; s/$loop/PID/g" answer.log > stop.txt
cp .ralph/loops.json registry.json
`;

/** Two second loops lose their worktrees while they run: one is forgotten, and one is stopped. */
const secondLoopLost = scenario({
  ...MECHANICS,
  id: 'second-loop-lost',
  phase: 'red',
  description:
    'A running loop whose worktree is gone is listed as an orphan, ends by itself, and can be pruned or stopped',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'worktrees',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    files: { 'lose.sh': LOSE, '.gitignore': '.ralph/\n' },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    first: fileEquals('after.txt', 'done'),
    orphan: fileHasJson('lost.json', [
      { id: '(primary)', status: 'running' },
      { id: 'ID', status: 'orphan', location: 'ID', prompt: 'Second work.' },
    ]),
    pruned: fileContains('prune.txt', '== prune\nCleaned up 1 stale loop(s).\nexit 0\n'),
    forgotten: fileHasJson('pruned.json', [{ id: '(primary)', status: 'running' }]),
    noticed: fileContains(
      'second.log',
      /Loop terminated: Workspace directory removed[\s\S]*Iterations: +1\n[\s\S]*^exit 1$/m,
    ),
    stopped: fileEquals(
      'stop.txt',
      "== stop\nWorktree gone. Sending SIGTERM to orphan loop 'ID' (PID PID)...\nOrphan loop 'ID' cleaned up.\nexit 0",
    ),
    deregistered: fileHasJson('registry.json', { loops: [] }),
  }),

  agent: [
    onObjective('Second work').runs(WORKS).says('One step is done.'),
    onObjective('First work').runs('sh lose.sh').writes('after.txt', 'done\n').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'the worktrees stay': {
      agent: replacing(
        'sh lose.sh',
        'sed -i.bak "s/; git worktree remove --force .*; }/; touch .worktrees\\/*\\/go; }/" lose.sh; sh lose.sh',
      ),
      kills: ['orphan', 'pruned', 'forgotten', 'noticed', 'stopped'],
      failure: 'AssertionMismatch',
    },
  },
});

export const loopStops = [loopsStop, loopsStopSecond, secondLoopLost];
