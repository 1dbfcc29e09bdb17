import {
  errandAnswered,
  fileContains,
  fileEquals,
  fileHasJson,
  hats,
  onHat,
  onObjective,
  onPrompt,
  promptContained,
  type RalphConfig,
  scenario,
  terminatedBecause,
  toldTimes,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';

/*
 * Waves: a hat hands out several pieces of work at once, and workers do them at the same time. Workers prove it
 * themselves: two of them wait for each other, and a third must not start before one of them is done.
 */

export const crew = (worker: RalphConfig = {}, judging: RalphConfig = {}): RalphConfig => {
  const config = hats(
    {
      planner: { triggers: ['work.begin'], publishes: ['piece.todo'], instructions: 'Hand out pieces.' },
      worker: { triggers: ['piece.todo'], publishes: ['piece.done'], instructions: 'Do one PIECE.' },
      judge: {
        triggers: ['piece.done', 'wave.worker.failed'],
        publishes: ['all.done'],
        instructions: 'Judge all pieces.',
      },
    },
    { maxIterations: 6 },
  ).startingWith('work.begin');
  const { worker: plain, judge, ...others } = Object(config.hats);
  return {
    ...config,
    hats: {
      ...others,
      worker: { ...plain, concurrency: 2, ...worker },
      judge: { ...judge, aggregate: { mode: 'wait_for_all', timeout: 60 }, ...judging },
    },
  };
};

/**
 * `meet.sh N`: worker N comes, and says who has already left. The first two wait for each other, and then a moment for the
 * third, which should not come before one of them has left.
 */
const MEET = `#!/bin/sh
touch "here-$1"
[ "$1" = 3 ] && { echo 'third comes after'; ls left-* 2>/dev/null; } > before-3.txt
wait_for() { for i in $(seq "$1"); do [ -e "here-$2" ] || [ -e "left-$2" ] && break; sleep 0.05; done; }
[ "$1" = 1 ] && wait_for 200 2
[ "$1" = 2 ] && wait_for 200 1
[ -e here-1 ] && [ -e here-2 ] && echo met > met.txt
[ "$1" = 3 ] || wait_for 20 3
touch "left-$1"
rm -f "here-$1"
`;

/** Workers do not find Ralph on their PATH unless everybody does: the planner says where it is. */
export const SHOW_RALPH = 'printf %s "$RALPH_BIN" > ralph-bin.txt';
const RALPH = '"$(cat ralph-bin.txt)"';

const workerRule = onPrompt(
  /^# Instructions\n\nDo one PIECE\.\n[\s\S]*You are worker \*\*(\d)\/3\*\* in wave `(w-[\w-]+)`[\s\S]*# Your Task\n\npiece (\w+)\n[\s\S]*ralph emit piece\.done /,
);

/** Two workers at the same time, three pieces, and one hat that gets all results. */
const wave = scenario({
  ...MECHANICS,
  id: 'wave',
  description:
    'The events of a wave run as workers at the same time, and the next hat gets all their results at once',
  covers: ['FR6', 'FR15', 'FR17'],
  beyondStandIn: 'waves',
  expectedIterations: 2,

  arrange: () => ({
    config: crew(),
    files: { 'meet.sh': MEET },
    prompt: 'Hand out three pieces.',
  }),

  expect: () => ({
    ends: terminatedBecause('completed', 0),
    asked: promptContained('Hand out pieces.', { iteration: 1 }),
    taught: promptContained(/ralph wave emit/, { iteration: 1 }),
    met: fileEquals('met.txt', 'met'),
    limit: fileContains('before-3.txt', /^third comes after\nleft-[12]$/m),
    workers: fileEquals('workers.txt', '1 red 0\n2 green 1\n3 blue 2'),
    own: fileContains('events-3.txt', /\.ralph\/wave-w-[\w-]+-2\.jsonl$/m),
    tagged: fileHasJson('emitted-3.jsonl', {
      topic: 'piece.done',
      payload: 'did blue',
      wave_id: /^w-[\w-]+$/,
      wave_index: 2,
    }),
    nested: fileContains('nested.txt', /Cannot dispatch waves from inside a wave worker/),
    results: promptContained(
      /(?=[\s\S]*piece\.done - did red)(?=[\s\S]*piece\.done - did green)(?=[\s\S]*piece\.done - did blue)/,
      { iteration: 2 },
    ),
    once: toldTimes(1, /Event: piece\.done - did blue/),
    noneSilent: fileEquals('silent.txt', '0'),
    correlated: fileContains(
      'results.jsonl',
      /"payload":"did blue"[^\n]*"wave_id":"w-[\w-]+","wave_index":2|"wave_index":2[^\n]*"payload":"did blue"/,
    ),
  }),

  agent: [
    workerRule
      .runs(
        [
          'echo "{{1}} {{3}} $RALPH_WAVE_INDEX" >> unsorted.txt; sort unsorted.txt > workers.txt',
          'echo "$RALPH_EVENTS_FILE" > events-{{1}}.txt',
          '[ "$RALPH_WAVE_ID" = "{{2}}" ] && [ "$RALPH_WAVE_WORKER" = 1 ] || echo "{{1}}: wrong wave" >> workers.txt',
          'sh meet.sh {{1}}',
          `${RALPH} wave emit piece.todo --payloads x >> nested.txt 2>&1`,
        ].join('; '),
      )
      .runs(`${RALPH} emit piece.done 'did {{3}}'; cp "$RALPH_EVENTS_FILE" emitted-{{1}}.jsonl`),
    onHat('Planner').runs(
      `${SHOW_RALPH}; ralph wave emit piece.todo --payloads 'piece red' 'piece green' 'piece blue'`,
    ),
    onHat('Judge')
      .runs('grep -h piece.done .ralph/events-*.jsonl > results.jsonl')
      .runs('grep -ch "Worker did not report" .ralph/diagnostics/*/trace.jsonl > silent.txt')
      .emits('LOOP_COMPLETE', 'judged'),
  ],

  saboteurs: {
    'Ralph says something else of the workers': {
      agent: replacing('Worker did not report', 'wave'),
      kills: ['noneSilent'],
      failure: 'AssertionMismatch',
    },
    'workers do not look around': {
      agent: replacing('sh meet.sh {{1}}', 'true'),
      kills: ['met', 'limit'],
      failure: 'AssertionMismatch',
    },
    'workers report nothing': {
      agent: replacing('emit piece.done', 'emit piece.lost'),
      kills: ['results', 'once', 'correlated'],
      failure: 'AssertionMismatch',
    },
    'workers do not say who they are': {
      agent: replacing('$RALPH_WAVE_INDEX', 'x'),
      kills: ['workers'],
      failure: 'AssertionMismatch',
    },
    'workers do not say where they report': {
      agent: replacing('$RALPH_EVENTS_FILE', 'x'),
      kills: ['own', 'tagged'],
      failure: 'AssertionMismatch',
    },
    'workers start no wave': {
      agent: replacing('wave emit piece.todo --payloads x', '--version'),
      kills: ['nested'],
      failure: 'AssertionMismatch',
    },
    'a worker has another piece': {
      agent: replacing("'piece red'", "'piece pink'"),
      kills: ['workers', 'results'],
      failure: 'AssertionMismatch',
    },
  },
});

const THREE_PIECES = `${SHOW_RALPH}; ralph wave emit piece.todo --payloads 'piece red' 'piece green' 'piece red'`;

/** One worker hangs: the others' results count, and the next hat learns of the failure. */
const waveFailure = scenario({
  ...MECHANICS,
  id: 'wave-failure',
  phase: 'red',
  description: 'A worker that hangs is ended and reported; the results of the others count',
  covers: ['FR6', 'FR9', 'FR15'],
  waitsSeconds: 3,
  beyondStandIn: 'waves',
  expectedIterations: 2,

  arrange: () => ({
    config: crew(
      { timeout: 3, concurrency: 3, publishes: ['piece.done', 'piece.measured'] },
      { triggers: ['piece.done', 'piece.measured', 'wave.worker.failed'] },
    ),
    prompt: 'Hand out three pieces.',
    before: [
      { ralph: ['wave', 'emit', 'piece.todo'] },
      { ralph: ['hats', 'validate', '-c', 'zero.yml'] },
      { ralph: ['run', '-c', 'zero.yml', '--no-tui', '-p', 'x'] },
      { ralph: ['run', '-c', 'both.yml', '--no-tui', '-p', 'x'] },
    ],
    files: {
      'zero.yml': JSON.stringify(crew({ concurrency: 0 })),
      'both.yml': JSON.stringify(crew({ aggregate: { mode: 'wait_for_all', timeout: 60 } })),
    },
  }),

  expect: () => ({
    ends: terminatedBecause('completed', 0),
    done: promptContained(/piece\.done - did red/, { iteration: 2 }),
    same: promptContained(/(?:piece\.done - did red[\s\S]*){2}/, { iteration: 2 }),
    failed: promptContained(/Worker 1 failed: Worker timed out after 3s without emitting events/, {
      iteration: 2,
    }),
    instead: promptContained(/piece\.done - ## Worker 1 \(FAILED\)/, { iteration: 2 }),
    everywhere: promptContained(/piece\.measured - ## Worker 1 \(FAILED\)/, { iteration: 2 }),
    empty: errandAnswered('wave emit piece.todo', {
      exitCode: 1,
      stderr: 'At least one payload is required',
    }),
    zero: errandAnswered('run -c zero.yml --no-tui -p x', {
      exitCode: 1,
      stderr: /Hat 'worker' has invalid concurrency: 0\. Must be >= 1/,
    }),
    both: errandAnswered('run -c both.yml --no-tui -p x', {
      exitCode: 1,
      stderr: /Hat 'worker' has both 'aggregate' and 'concurrency > 1'/,
    }),
  }),

  agent: [
    onPrompt(/You are worker \*\*2\/3\*\*/).hangs(),
    onPrompt(/You are worker \*\*\d\/3\*\*/).runs(`${RALPH} emit piece.done 'did red'`),
    onHat('Planner').runs(THREE_PIECES),
    onHat('Judge').emits('LOOP_COMPLETE', 'judged'),
    // Only a Ralph that accepts bad hats asks.
    onObjective(/^x$/m).completes(),
  ],

  saboteurs: {
    'the worker does not hang': {
      agent: [
        onPrompt(/You are worker \*\*\d\/3\*\*/).runs(`${RALPH} emit piece.done 'did red'`),
        onHat('Planner').runs(THREE_PIECES),
        onHat('Judge').emits('LOOP_COMPLETE', 'judged'),
      ],
      kills: ['failed', 'instead', 'everywhere'],
      failure: 'AssertionMismatch',
    },
    'nobody reports': {
      agent: replacing('emit piece.done', 'emit piece.lost'),
      kills: ['done', 'same'],
      failure: 'AssertionMismatch',
    },
    'only two pieces': {
      agent: replacing("'piece green' 'piece red'", "'piece green'"),
      kills: ['same'],
      failure: 'AssertionMismatch',
    },
  },
});

export const waves = [wave, waveFailure];
