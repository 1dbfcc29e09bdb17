import { errandAnswered, fileEquals } from '../../src/authoring.js';
import { questionsOnly } from '../support/commands.js';
import { together } from '../support/inquiries.js';

/* What an agent delivered before Ralph ended it. Programs of the workspace play the agents. */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});
const hat = (name: string, triggers: readonly string[], publishes: string, more = {}) => ({
  name,
  description: name,
  triggers,
  publishes: [publishes],
  instructions: 'Work.',
  backend: { command: `./${name}.sh` },
  ...more,
});
/** Says no more until Ralph ends it. */
const HANGS = 'exec sleep 9';
const EMIT = '"$(cat ralph-bin.txt)" emit piece.done';

const CALL = 'run -c ralph.yml --no-tui -p x';

/** Each agent is ended after one second: of silence, or of work as a worker of a wave. */
export const unfinishedWork = questionsOnly({
  id: 'work-before-the-end',
  phase: 'red',
  description: 'What an agent or a worker of a wave said and published before Ralph ended it counts',
  covers: ['FR6', 'FR9', 'FR15'],
  waitsSeconds: 3,
  beyondStandIn: 'waves',

  plan: {
    files: {
      'asked/ralph.yml': JSON.stringify({
        cli: { backend: 'custom', command: './plan.sh' },
        adapters: { claude: { timeout: 1 } },
        skills: { enabled: false },
        event_loop: { max_iterations: 3, starting_event: 'work.begin' },
        hats: {
          planner: hat('plan', ['work.begin'], 'piece.todo'),
          worker: hat('work', ['piece.todo'], 'piece.done', { concurrency: 2, timeout: 1 }),
          judge: hat('judge', ['piece.done', 'note.left'], 'all.done'),
        },
      }),
      'asked/plan.sh': program(
        'printf %s "$RALPH_BIN" > ralph-bin.txt',
        '"$RALPH_BIN" wave emit piece.todo --payloads saw glue > /dev/null',
        `echo '<event topic="note.left">mind the saw</event>'`,
        HANGS,
      ),
      'asked/work.sh': program(
        `${EMIT} "half of $RALPH_WAVE_INDEX"`,
        `${EMIT} "rest of $RALPH_WAVE_INDEX"`,
        '[ "$RALPH_WAVE_INDEX" = 1 ] && exit',
        // The line that it is writing when it is ended.
        `printf '{"topic":"piece.done","payl' >> "$RALPH_EVENTS_FILE"`,
        HANGS,
      ),
      'asked/judge.sh': program(
        'for last; do :; done',
        `printf '%s\\n' "$last" | grep -o '^Event: .*' | sort > judged.txt`,
        'ls .ralph | grep -c "^wave-" > left.txt',
        'echo LOOP_COMPLETE',
        HANGS,
      ),
    },
    before: [{ ralph: CALL.split(' '), in: 'asked' }],
  },

  answers: {
    completes: errandAnswered(CALL, { exitCode: 0, stdout: /Completion promise/ }),
    counts: fileEquals(
      'asked/judged.txt',
      [
        'Event: note.left - mind the saw',
        ...['half of 0', 'half of 1', 'rest of 0', 'rest of 1'].map(
          (piece) => `Event: piece.done - ${piece}`,
        ),
      ].join('\n'),
    ),
    shown: errandAnswered(CALL, {
      stderr: together(
        ' {2}✗ Worker 1/2 failed \\(\\d+s\\) — saw',
        ' {2}✓ Worker 2/2 done \\(\\d+s\\) — glue',
        '── Wave complete: 2 succeeded, 0 failed .*',
      ),
    }),
    nothingLeft: fileEquals('asked/left.txt', '0'),
  },
});
