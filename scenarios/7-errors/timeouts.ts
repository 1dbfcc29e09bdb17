import { errandAnswered, fileEquals, loop, scenario, terminatedBecause } from '../../src/authoring.js';
import { questionsOnly } from '../support/commands.js';
import { together } from '../support/inquiries.js';
import { PROGRAMS } from '../support/recorders.js';
import { noBuiltIns } from '../support/saboteurs.js';

/* Programs of the workspace take the part of the agent CLIs: a model would add nothing, and some have no stand-in. */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

/** Silent for longer than the limit of its adapter: it is ended before it can survive. */
const SILENT = program(
  'echo started >> "$' + '{0##*/}.txt"',
  'sleep 6',
  'echo survived >> "$' + '{0##*/}.txt"',
);
/** Prints a line before each limit is reached, and lasts longer than the limit. */
const CHATTY = program(
  'for each in 1 2 3 4 5 6; do echo working; sleep 0.6; done',
  'echo survived >> "$' + '{0##*/}.txt"',
);

const OWN = ['kiro', 'gemini', 'codex', 'amp'];
const timeouts = scenario({
  id: 'backend-timeouts',
  lanes: ['sim'],
  backends: ['claude'],
  phase: 'red',
  description:
    'Each adapter has its own limit for silence, also for a hat; others have that of Claude, and each line of output starts it anew',
  covers: ['FR9'],
  waitsSeconds: 9,
  timeoutSeconds: 60,

  arrange: () => ({
    config: loop({
      maxIterations: 1,
      more: { cli: { backend: 'opencode' }, adapters: { claude: { timeout: 2 } } },
    }),
    prompt: 'This only tests limits for silence.',
    files: {
      'own.yml': `adapters: { claude: { timeout: 60 }, ${OWN.map((name) => `${name}: { timeout: 1 }`).join(', ')} }\n`,
      'hat.yml': [
        'cli: { backend: opencode }',
        'adapters: { claude: { timeout: 60 }, kiro: { timeout: 1 } }',
        'event_loop: { starting_event: work.start }',
        `hats: { worker: { name: Worker, description: Works., triggers: [work.start], backend: { command: ./${PROGRAMS}/kiro } } }\n`,
      ].join('\n'),
      'others.yml': `adapters: { claude: { timeout: 1 }, ${OWN.map((name) => `${name}: { timeout: 60 }`).join(', ')} }\n`,
      ...Object.fromEntries(
        ['kiro-cli', 'gemini', 'codex', 'amp', 'copilot', 'kiro'].map((name) => [
          `${PROGRAMS}/${name}`,
          SILENT,
        ]),
      ),
      [`${PROGRAMS}/opencode`]: CHATTY,
    },
    path: [PROGRAMS],
    before: [
      ...OWN.map((name) => ({
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'own.yml', '-b', name],
        env: { RALPH_DIAGNOSTICS: '0' },
      })),
      {
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'others.yml', '-b', 'copilot'],
        env: { RALPH_DIAGNOSTICS: '0' },
      },
      {
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'hat.yml'],
        env: { RALPH_DIAGNOSTICS: '0' },
      },
    ],
  }),

  expect: () => ({
    ends: terminatedBecause('max_iterations', 2),
    kiro: fileEquals('kiro-cli.txt', 'started'),
    gemini: fileEquals('gemini.txt', 'started'),
    codex: fileEquals('codex.txt', 'started'),
    amp: fileEquals('amp.txt', 'started'),
    other: fileEquals('copilot.txt', 'started'),
    hat: fileEquals('kiro.txt', 'started'),
    chatty: fileEquals('opencode.txt', 'survived'),
  }),

  agent: [],

  saboteurs: {
    'the exit code is another one': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },

  notApplicable: noBuiltIns('programs of the workspace take the part of the agent'),
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
const HANGS = 'exec sleep 30';
const EMIT = '"$(cat ralph-bin.txt)" emit piece.done';

const CALL = 'run -c ralph.yml --no-tui -p x';

/** Each agent is ended after three seconds: of silence, or of work as a worker of a wave. */
const unfinishedWork = questionsOnly({
  id: 'work-before-the-end',
  phase: 'red',
  description: 'What an agent or a worker of a wave said and published before Ralph ended it counts',
  covers: ['FR6', 'FR9', 'FR15'],
  waitsSeconds: 9,
  beyondStandIn: 'waves',

  plan: {
    files: {
      'asked/ralph.yml': JSON.stringify({
        cli: { backend: 'custom', command: './plan.sh' },
        adapters: { claude: { timeout: 3 } },
        skills: { enabled: false },
        event_loop: { max_iterations: 3, starting_event: 'work.begin' },
        hats: {
          planner: hat('plan', ['work.begin'], 'piece.todo'),
          worker: hat('work', ['piece.todo'], 'piece.done', { concurrency: 2, timeout: 3 }),
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

export const backendTimeouts = [timeouts, unfinishedWork];
