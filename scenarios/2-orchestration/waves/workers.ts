import {
  fileContains,
  fileEquals,
  fileHasJson,
  hatSequence,
  onHat,
  pendingEvents,
  promptContained,
  promptLacked,
  type RalphConfig,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { replacing, withoutEmitting } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { crew, SHOW_RALPH } from './waves.js';

/* What runs as a worker, what counts of what it did, and what does not become a wave. */

/** A worker that says how it was called. What it then does depends on its piece. */
const WORKER = `#!/bin/sh
for prompt; do :; done
piece=$(printf '%s\\n' "$prompt" | sed -n 's/^piece //p')
echo "$piece: $1 $2 $3 $4, then the prompt as number $#" >> calls.txt
emits() { "$(cat ralph-bin.txt)" emit "$@"; }
reports() { emits piece.done "$1"; }
case $piece in
  red) reports 'did red'; emits review.done 'without evidence'; reports 'looks good' ;;
  green) reports 'looks good'; exit 3 ;;
  blue) reports 'looks good' ;;
  pink) exit 3 ;;
  late) reports 'did late' ;;
esac
`;

const FIRST_WAVE =
  "ralph wave emit piece.todo --payloads 'piece pink' 'piece red' 'piece green' 'piece blue' > wave-id.txt";
const SECOND_WAVE = "ralph wave emit piece.todo --payloads 'piece late'";

/** The crew with a judge that also gets reviews. */
const reviewing = (worker: RalphConfig): RalphConfig => {
  const config = crew(worker);
  const { judge, ...others } = Object(config.hats);
  const triggers = ['piece.done', 'review.done', 'wave.worker.failed'];
  return { ...config, hats: { ...others, judge: { ...judge, triggers } } };
};

/** Workers on a backend of their own: one fails with a result, one without, and one has two results. */
const waveWorkers = scenario({
  ...MECHANICS,
  id: 'wave-workers',
  phase: 'red',
  description:
    'Workers run on the backend of their hat with its arguments; all that they emitted counts, even if they fail and even a review without evidence; a second wave in the same iteration does not run',
  covers: ['FR6', 'FR9', 'FR15', 'FR18'],
  beyondStandIn: 'waves',
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: reviewing({
      concurrency: 4,
      publishes: ['piece.done', 'review.done'],
      backend: { command: './worker.sh', args: ['--kind', 'own'] },
      backend_args: ['--more', nonce],
    }),
    files: { 'worker.sh': { content: WORKER, mode: 0o755 } },
    prompt: 'Hand out four pieces, and then one more.',
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('completed', 0),
    calls: fileEquals(
      'sorted.txt',
      ['blue', 'green', 'pink', 'red']
        .map((piece) => `${piece}: --kind own --more ${nonce}, then the prompt as number 5`)
        .join('\n'),
    ),
    first: promptContained('Event: piece.done - did red', { iteration: 2 }),
    same: promptContained(/(?:Event: piece\.done - looks good[\s\S]*){3}/, { iteration: 2 }),
    // Of an ordinary hat, Ralph would want to see what it checked.
    reviewed: promptContained('Event: review.done - without evidence', { iteration: 2 }),
    nothingElse: pendingEvents(['piece.done', 'review.done', 'piece.done', 'piece.done', 'piece.done'], {
      iteration: 2,
    }),
    printed: fileContains('wave-id.txt', /^w-[\w-]+\n$/),
    together: fileHasJson('dispatched.jsonl', { wave_id: 'PRINTED', wave_total: 4 }, { times: 4 }),
    last: fileHasJson('dispatched.jsonl', { payload: 'piece blue', wave_id: 'PRINTED', wave_index: 3 }),
  }),

  agent: [
    onHat('Planner').runs(`${SHOW_RALPH}; ${FIRST_WAVE}; ${SECOND_WAVE}`),
    onHat('Judge')
      .runs(
        'sort calls.txt > sorted.txt; grep -h piece.todo .ralph/events-*.jsonl | sed "s/$(cat wave-id.txt)/PRINTED/" > dispatched.jsonl',
      )
      .emits('LOOP_COMPLETE', 'judged'),
  ],

  saboteurs: {
    'another piece instead of the red one': {
      agent: replacing("'piece red'", "'piece white'"),
      kills: ['calls', 'first', 'reviewed', 'nothingElse'],
      failure: 'AssertionMismatch',
    },
    'nothing for the blue worker': {
      agent: replacing("'piece blue'", "'piece black'"),
      kills: ['calls', 'same', 'nothingElse', 'last'],
      failure: 'AssertionMismatch',
    },
    'one wave with everything': {
      agent: replacing(
        `'piece blue' > wave-id.txt; ${SECOND_WAVE}`,
        "'piece blue' 'piece late' > wave-id.txt",
      ),
      kills: ['calls', 'nothingElse', 'together'],
      failure: 'AssertionMismatch',
    },
    'the number of the wave is lost': {
      agent: replacing('> wave-id.txt', '> /dev/null'),
      kills: ['printed', 'together', 'last'],
      failure: 'AssertionMismatch',
    },
  },
});

/** A hat without concurrency: no workers, one iteration with all pieces. */
const waveInTurn = scenario({
  ...MECHANICS,
  id: 'wave-in-turn',
  description: 'A hat without concurrency gets the events of a wave as ordinary events in one prompt',
  covers: ['FR6', 'FR15'],
  beyondStandIn: 'waves',
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: crew({ concurrency: undefined }),
    prompt: `Hand out ${nonce} and something else.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('completed', 0),
    hats: hatSequence('planner', 'worker', 'judge'),
    untaught: promptLacked('ralph wave emit', { iteration: 1 }),
    pieces: pendingEvents(['piece.todo', 'piece.todo'], { iteration: 2 }),
    first: promptContained(`Event: piece.todo - ${nonce}`, { iteration: 2 }),
    second: promptContained('Event: piece.todo - something else', { iteration: 2 }),
    ordinary: fileEquals('worker.txt', `${nonce.toUpperCase()} none`),
  }),

  agent: [
    onHat('Worker')
      .reads(/^Event: piece\.todo - (\w+)$/m)
      .runs('echo "{{upper 1}} $' + '{RALPH_WAVE_ID:-none}" >> worker.txt')
      .emits('piece.done', 'did both'),
    onHat('Judge').emits('LOOP_COMPLETE', 'judged'),
    onHat('Planner')
      .reads(/Hand out (\w+) and something else/)
      .runs("ralph wave emit piece.todo --payloads {{1}} 'something else'"),
  ],

  saboteurs: {
    'nobody completes': {
      agent: withoutEmitting('LOOP_COMPLETE'),
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'the worker reports nothing': {
      agent: withoutEmitting('piece.done'),
      kills: ['hats'],
      failure: 'EventMissing',
    },
    'only one piece': {
      agent: replacing("{{1}} 'something else'", '{{1}}'),
      kills: ['pieces', 'second'],
      failure: 'AssertionMismatch',
    },
    'another piece': {
      agent: replacing('--payloads {{1}}', '--payloads other'),
      kills: ['first', 'ordinary'],
      failure: 'AssertionMismatch',
    },
  },
});

export const waveWorking = [waveWorkers, waveInTurn];
