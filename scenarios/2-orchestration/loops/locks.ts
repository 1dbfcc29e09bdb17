import {
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  loop,
  onObjective,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/* Two loops in one workspace. The agent of the first starts the second. */

const second = (...args: readonly string[]) =>
  `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' ${args.join(' ')}`;

/** A lock whose owner is gone: no process has this number. */
const STALE_LOCK = JSON.stringify({ pid: 4_194_304, started: '2026-01-31T00:00:00Z', prompt: 'long gone' });

/** Without parallel loops, a second run is refused while the first runs, and not because of a dead one. */
const lockRefuses = scenario({
  ...MECHANICS,
  id: 'lock-refuses',
  phase: 'red',
  description:
    'With features.parallel: false, a second run in the same workspace is refused; a dead lock keeps nobody out',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: { ...loop({ maxIterations: 3 }), features: { parallel: false } },
    files: { '.ralph/loop.lock': STALE_LOCK },
    after: [{ ralph: ['run', '-c', 'ralph.yml', '--no-tui', '-p', 'Third work.'] }],
    prompt: `First work on ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    order: fileEquals('order.txt', 'first begins\nfirst ends\nthird'),
    refused: fileContains(
      'second.log',
      new RegExp(
        `Error: Another loop is already running \\(PID \\d+, prompt: "First work on ${nonce}\\.[^"]*"\\)\\. Parallel loops are disabled in config \\(features\\.parallel: false\\)\\. Use --exclusive`,
      ),
    ),
    code: fileContains('second.log', /^exit 1$/m),
    lock: fileContains('lock.json', new RegExp(`"prompt": *"First work on ${nonce}\\.`)),
    freed: errandAnswered('run -c ralph.yml --no-tui -p Third work.', {}),
  }),

  agent: [
    onObjective('First work')
      .appends('order.txt', 'first begins\n')
      .runs(`${second()} > second.log 2>&1; echo "exit $?" >> second.log; cp .ralph/loop.lock lock.json`)
      .appends('order.txt', 'first ends\n')
      .completes(),
    onObjective('Second work').appends('order.txt', 'second\n').completes(),
    onObjective('Third work').appends('order.txt', 'third\n').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'order', 'freed'),
    'the second waits': {
      agent: replacing("-p 'Second work.'", "-p 'Second work.' --dry-run"),
      kills: ['refused', 'code'],
      failure: 'AssertionMismatch',
    },
  },
});

/** Starts the first loop, and the second as soon as the first works. Waits for both. */
const BOTH = `"$1" run -c ralph.yml --no-tui -p 'First work.' > first.log 2>&1 &
for i in $(seq 200); do [ -e order.txt ] && break; sleep 0.05; done
"$1" run -c ralph.yml --no-tui -p 'Second work.' $2 > second.log 2>&1
echo "exit $?" >> second.log
wait
for name in first second; do grep -hE 'Loop terminated|^exit' $name.log | sed "s/^/$name /"; done
`;
const both = (flag: string) => ['-c', `alias.both=!sh both.sh "$(cat ralph-bin.txt)" ${flag}`, 'both'];

/** `--exclusive` waits for the first loop and then works in the workspace itself. */
const lockExclusive = scenario({
  ...MECHANICS,
  id: 'lock-exclusive',
  description:
    'With --exclusive, a second run waits until the first has ended and then runs in the same workspace',
  covers: ['FR5'],
  waitsSeconds: 2,
  expectedIterations: 1,

  arrange: () => ({
    config: { ...loop({ maxIterations: 3 }), features: { parallel: false } },
    files: { 'both.sh': BOTH },
    before: [{ session: { prompt: 'Say which ralph you are.' } }, { git: both('--exclusive') }],
    prompt: 'Third work.',
    args: ['--exclusive'],
  }),

  expect: () => ({
    ends: completed(),
    order: fileEquals('order.txt', 'first begins\nfirst ends\nsecond\nthird'),
    first: errandAnswered(both('--exclusive').join(' '), {
      stdout: /^first .*Loop terminated: Completion promise detected$/m,
    }),
    second: errandAnswered(both('--exclusive').join(' '), {
      stdout: /^second .*Loop terminated: Completion promise detected\nsecond exit 0$/m,
    }),
  }),

  agent: [
    onObjective('First work')
      .appends('order.txt', 'first begins\n')
      // Long enough for a second that does not wait.
      .runs('for i in $(seq 20); do grep -q second order.txt && break; sleep 0.1; done')
      .appends('order.txt', 'first ends\n')
      .completes(),
    onObjective('Second work').appends('order.txt', 'second\n').completes(),
    onObjective('Third work').appends('order.txt', 'third\n').completes(),
    onObjective('Say which').runs('printf %s "$RALPH_BIN" > ralph-bin.txt').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('first', 'second'),
  },
});

export const locks = [lockRefuses, lockExclusive];
