import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

/** A loop whose agent is at work, and stays until it may go. */
const FIRST = 'ralph run --no-tui -p first > /dev/null & until [ -f "$SEEN/ready" ]; do sleep 0.05; done';
const STAYING = ['touch "$seen/ready"; until [ -f "$seen/go" ]; do sleep 0.05; done', ...completes];

/** Git, signals, folders that cannot be written, and hooks. */
export const WORLD: readonly DifferentialCase[] = [
  {
    name: 'git: completion commits everything and clears stashes',
    covers: '§0.4 landing',
    agent: [
      [
        'echo a > f; git add f; git commit -qm f; echo b > f; git stash -q; echo new > g',
        says('LOOP_COMPLETE'),
      ],
    ],
  },
  {
    name: 'git: completion warns of what git cannot do',
    covers: '§0.4 landing',
    agent: [
      [
        'echo a > f; git add f; git commit -qm f; echo b > f; git stash push -q -m spare; git remote add origin ./nowhere; touch .git/refs/stash.lock .git/HEAD.lock',
        says('LOOP_COMPLETE'),
      ],
    ],
    commands: [
      "ralph run --no-tui -p x | grep -oE 'WARN.*(Auto-commit failed|Failed to (clear|prune))[a-z ]*'",
    ],
  },
  {
    name: 'git: the handoff of a loop without tasks',
    covers: '§3 handoff.md, summary.md',
    agent: [
      [
        'echo "- [x] one\n- [ ] two\nthree\n  - [~] four" > .ralph/agent/scratchpad.md',
        says('LOOP_COMPLETE'),
      ],
    ],
    commands: [
      ['run', '--no-tui', '-p', `${'a long objective '.repeat(40)}`],
      'cat .ralph/agent/handoff.md .ralph/agent/summary.md',
    ],
  },
  {
    name: 'git: the handoff of a loop that leaves tasks',
    covers: '§3 handoff.md',
    config: loop({ more: 'memories: {enabled: false}' }),
    agent: [
      [
        'git checkout -q -b topic; touch f; git add f; git commit -qm one; touch g; git add g; git commit -qm two',
        'a=$(ralph tools task add "first" --format quiet); ralph tools task close $a >/dev/null',
        'b=$(ralph tools task add "second" --format quiet); ralph tools task fail $b >/dev/null',
        'ralph tools task add "third" --blocked-by $a,$b >/dev/null',
        says('LOOP_COMPLETE'),
      ],
    ],
    commands: [
      ['run', '--no-tui', '-p', `${'a long objective '.repeat(20)}`],
      'cat .ralph/agent/handoff.md .ralph/agent/summary.md',
    ],
  },
  { name: 'git: a limit commits nothing', covers: '§0.4', agent: [['echo new > g; git stash list']] },
  {
    name: 'git: cancellation',
    covers: '§0.4',
    config: loop({ loop: 'max_iterations: 3, cancellation_promise: loop.cancel' }),
    agent: [['echo new > g', emits('loop.cancel')]],
  },
  {
    name: 'git: what is ignored stays out',
    covers: '§11.1',
    files: { '.gitignore': '.ralph/\n' },
    agent: [['echo new > g', says('LOOP_COMPLETE')]],
  },
  {
    name: 'git: no repository at all',
    covers: '§11.1',
    agent: [completes],
    commands: [
      'rm -rf .git; GIT_CEILING_DIRECTORIES=$(dirname $PWD) ralph run --no-tui -p x | grep -v INFO | sed -E "s/^[^ ]+ +WARN ([^ ]+).*/WARN \\1/"',
    ],
  },
  { name: 'git: nobody to commit as', covers: '§11.1', home: { '.gitconfig': '' }, agent: [completes] },
  ...['TERM', 'INT'].map((signal) => ({
    name: `signal: ${signal} kills ralph and leaves the backend`,
    covers: '§0.3',
    agent: [[says('started'), 'touch "$seen/started"', 'exec sleep 300']],
    commands: [
      `ralph run --no-tui -p x & until [ -f "$SEEN/started" ]; do sleep 0.05; done; kill -${signal} $!; wait $!; echo "exit $?"`,
    ],
  })),
  {
    name: 'world: a second loop is refused while the first runs',
    covers: '§3 loop.lock',
    config: loop({ more: 'features: {parallel: false}' }),
    agent: [STAYING, completes],
    commands: [
      `${FIRST}; ralph run --no-tui -p second 2>&1 | sed -E 's/PID [0-9]+/PID/'; touch "$SEEN/go"; wait $!; echo "exit $?"`,
    ],
  },
  {
    name: 'world: an exclusive loop waits for the first to end',
    covers: '§1.1 --exclusive',
    agent: [STAYING, completes],
    commands: [
      `${FIRST}; (sleep 1; touch "$SEEN/go") & ralph run --no-tui -p second --exclusive > /dev/null; echo "exit $?"; wait`,
    ],
  },
  {
    name: 'world: the lock of a loop that was killed does not count',
    covers: '§3 loop.lock',
    agent: [STAYING, completes],
    commands: [
      `${FIRST}; kill -9 $!; wait $!; touch "$SEEN/go"; sleep 1; ralph run --no-tui -p second > /dev/null; echo "exit $?"`,
    ],
  },
  {
    name: 'world: the folder of ralph is a file',
    covers: '§3 a folder that cannot be',
    files: { '.ralph': 'not a folder' },
    agent: [completes],
  },
  {
    name: 'world: the events file of the loop is taken away',
    covers: '§3.1',
    agent: [['rm "$RALPH_EVENTS_FILE"', says('x')], completes],
  },
  {
    name: 'world: the screen is closed',
    covers: '§1.2 panic',
    agent: [completes],
    commands: ['ralph run --no-tui -p x 2>/dev/null >&-; echo "exit $?" >&2'],
  },
  {
    name: 'hook: runs before the loop and sees it',
    covers: '§2 hooks',
    config: loop({
      more: `hooks:
  enabled: true
  events:
    pre.loop.start: [{name: first, command: [sh, -c, "cat > hook.json; echo from the hook"], on_error: warn}]
    post.iteration.start: [{name: second, command: [sh, -c, "echo x >> hook.count"], on_error: warn}]
    post.loop.complete: [{name: third, command: [touch, hook.done], on_error: warn}]
`,
    }),
    agent: [[says('x')], completes],
    commands: [run(), 'tr , "\\n" < hook.json | grep -oE "^.?\\"[a-z_]+\\":" | head -40; rm hook.json'],
  },
  {
    name: 'hook: a failing one warns or blocks',
    covers: '§2 on_error',
    config: loop({
      more: 'hooks: {enabled: true, events: {pre.loop.start: [{name: bad, command: ["false"], on_error: block}]}}\n',
    }),
    agent: [completes],
  },
  {
    name: 'hook: a failing one that only warns',
    covers: '§2 on_error',
    config: loop({
      more: 'hooks: {enabled: true, events: {pre.iteration.start: [{name: bad, command: ["false"], on_error: warn}]}}\n',
    }),
    agent: [completes],
  },
];
