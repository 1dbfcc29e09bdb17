import { errandAnswered } from '../../../src/authoring.js';
import { questionsOnly } from '../../support/commands.js';
import { textWithout, together } from '../../support/inquiries.js';

/* What Ralph shows of a loop, with its interface and without. Programs of the workspace play the agents. */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

const hat = (name: string, trigger: string, publishes: string) => ({
  name,
  description: name,
  triggers: [trigger],
  publishes: [publishes],
  instructions: 'Work.',
});

const waveConfig = (worker: string) =>
  JSON.stringify({
    cli: { backend: 'custom', command: '../plan.sh' },
    event_loop: { max_iterations: 2, starting_event: 'work.begin' },
    hats: {
      planner: hat('Planner', 'work.begin', 'piece.todo'),
      worker: {
        ...hat('Sawyer', 'piece.todo', 'piece.done'),
        concurrency: 2,
        timeout: 77,
        backend: { command: worker },
      },
    },
  });

/** The longest that is shown whole, and one that is too long. */
const SIXTY = `saw ${'x'.repeat(56)}`;
const TOO_LONG = `paint ${'y'.repeat(55)}`;
const WAVES = {
  'plan.sh': program(
    'wave() { "$RALPH_BIN" wave emit piece.todo --payloads "$@"; }',
    `if [ -e twice ]; then wave saw glue; wave more; else wave '${SIXTY}' '${TOO_LONG}'; fi`,
  ),
  'work.sh': program('for prompt; do :; done', 'case $prompt in *paint*) exit 3 ;; esac'),
  'one/wave.yml': waveConfig('../work.sh'),
  'two/wave.yml': waveConfig('../work.sh'),
  'two/twice': '',
  'rpc/wave.yml': waveConfig('../work.sh'),
  'lost/wave.yml': waveConfig('./no-such-program'),
};

const ONE = 'run -c wave.yml --no-tui -p one wave';
const TWO = 'run -c wave.yml --no-tui -p two waves';
const LOST = 'run -c wave.yml --no-tui -p lost workers';
const RPC = 'run -c wave.yml --rpc -p one wave';
const askedIn = (folder: string, command: string) => {
  const [options, prompt] = command.split(/(?<=-p) /);
  return { ralph: [...(options ?? '').split(' '), prompt ?? ''], in: folder };
};

/** The person at the screen and the program behind `--rpc` learn the same about a wave. */
const waveShown = questionsOnly({
  id: 'wave-on-screen',
  description:
    'Without its interface, Ralph prints the begin of a wave, the end of each worker and the result, and warns of a second wave; with --rpc it says so in JSON',
  covers: ['FR5', 'FR10'],
  beyondStandIn: 'waves',

  plan: {
    files: WAVES,
    before: [askedIn('one', ONE), askedIn('two', TWO), askedIn('lost', LOST), askedIn('rpc', RPC)],
  },

  answers: {
    begins: errandAnswered(ONE, {
      exitCode: 2,
      stderr: /^── WAVE: \S+ Sawyer \| 2 workers \| timeout 77s ─+\n[\s\S]*^── Wave complete: /m,
    }),
    workers: errandAnswered(ONE, {
      exitCode: 2,
      stderr: together(
        ` {2}✓ Worker 1/2 done \\(\\d+s\\) — ${SIXTY}`,
        ` {2}✗ Worker 2/2 failed \\(\\d+s\\) — ${TOO_LONG.slice(0, 57)}\\.\\.\\.`,
      ),
    }),
    result: errandAnswered(TWO, {
      exitCode: 2,
      stderr: /^── Wave complete: 2 succeeded, 0 failed \(\d+s\) ─+$/m,
    }),
    lost: errandAnswered(LOST, {
      exitCode: 2,
      stderr: /^── Wave complete: 0 succeeded, 2 failed \(\d+s\) ─+$/m,
    }),
    single: errandAnswered(ONE, { exitCode: 2, stdout: textWithout('Multiple waves') }),
    several: errandAnswered(TWO, {
      exitCode: 2,
      stdout:
        /WARN.* Multiple waves detected in single iteration, processing only the first .*total_waves\S*=\S*2$/m,
    }),
    json: errandAnswered(RPC, {
      exitCode: 2,
      stdout: together(
        '\\{"type":"wave_started","hat_name":"Sawyer","worker_count":2,"timeout_secs":77\\}',
        `\\{"type":"wave_worker_done","index":0,"total":2,"duration_ms":\\d+,"success":true,"payload_preview":"${SIXTY}"\\}`,
        `\\{"type":"wave_worker_done","index":1,"total":2,"duration_ms":\\d+,"success":false,"payload_preview":"${TOO_LONG}"\\}`,
        '\\{"type":"wave_completed","succeeded":\\d,"failed":\\d,"duration_ms":\\d+\\}',
      ),
    }),
    onlyJson: errandAnswered(RPC, {
      exitCode: 2,
      stderr: textWithout('WAVE:', 'Wave complete:', 'Worker 1/2'),
    }),
  },
});

/** Ralph on a terminal: by name, how it is called. */
const WITH_INTERFACE = {
  plain: 'run -p x',
  bare: '-c ralph.yml',
  legacy: 'run -p x --legacy-tui',
  resumed: 'resume',
};
const WITHOUT_INTERFACE = {
  'no-tui': 'run -p x --no-tui',
  autonomous: 'run -p x --autonomous',
  'resumed-no-tui': 'resume --no-tui',
  'resumed-autonomous': 'resume --autonomous',
  'no-keyboard': 'run -p x < /dev/null',
  'legacy-no-keyboard': 'run -p x --legacy-tui < /dev/null',
  'legacy-autonomous': 'run -p x --legacy-tui --autonomous',
  'no-screen': 'run -p x > printed.txt',
};
const CALLS = Object.entries({ ...WITH_INTERFACE, ...WITHOUT_INTERFACE });

/**
 * `look NAME ARGUMENTS` runs Ralph on a terminal of its own. A moment after the loop has ended, it types q, which closes an
 * interface. An interface takes the other screen of the terminal.
 */
const LOOK = `ends() { for i in $(seq 200); do grep -qs loop.terminate .ralph/events*.jsonl && break; sleep 0.1; done; }
look() {
  cd "$1"
  line="stty rows 40 cols 120; '$(cat ../ralph-bin.txt)' $2"
  (ends; for i in 1 2 3 4 5 6; do [ -e over ] && break; sleep 0.3; printf q; done) |
    (timeout -k 1 30 script --quiet --flush --command "$line" screen.txt > /dev/null; touch over)
  shows='no interface'
  grep -q "$(printf '\\033')\\[?1049h" screen.txt && shows='an interface'
  echo "$1: $shows, $(wc -l < called) call" > seen.txt
}
${CALLS.map(([name, args]) => `(look ${name} '${args}') &`).join('\n')}
wait
cat ${CALLS.map(([name]) => `${name}/seen.txt`).join(' ')}
`;
const LOOKING = ['-c', 'alias.look=!sh look.sh', 'look'];
const seen = (names: object, shows: string) =>
  errandAnswered(LOOKING.join(' '), {
    stdout: together(...Object.keys(names).map((name) => `${name}: ${shows}, 1 call`)),
  });

const SAYS = JSON.stringify({
  cli: { backend: 'custom', command: '../agent.sh' },
  event_loop: { max_iterations: 3, prompt: 'x' },
});
const workspaceOf = (name: string) => ({
  [`${name}/ralph.yml`]: SAYS,
  [`${name}/.ralph/agent/scratchpad.md`]: 'Half of it is done.\n',
});
const PIPED = 'run -p without a terminal';
const BARE = '-c ralph.yml';
const RESUMED_RPC = 'resume --rpc';

/** What Ralph prints without a terminal: neither an interface nor its log, which is in a file. */
const PLAIN_PAGE = /^(?![\s\S]*(?:\[\?1049h|INFO))[\s\S]*^ ITERATION 1 \|[\s\S]*Completion promise/m;

/** Where Ralph's interface belongs, and where it would hang or garble what somebody reads. */
const interfaces = questionsOnly({
  id: 'where-the-interface-is',
  description:
    'Ralph has its interface on a terminal, for new and for continued loops, unless a flag or a pipe says otherwise',
  covers: ['FR5', 'FR10'],
  beyondStandIn: 'the interface on a terminal',
  programs: ['script'],

  plan: {
    files: {
      'look.sh': LOOK,
      'agent.sh': program(
        'echo >> called',
        'printf %s "$RALPH_BIN" > ../ralph-bin.txt',
        'echo LOOP_COMPLETE',
      ),
      ...Object.assign(
        {},
        ...['piped', 'bare-piped', 'rpc', ...CALLS.map(([name]) => name)].map(workspaceOf),
      ),
    },
    before: [
      askedIn('piped', PIPED),
      { ralph: BARE.split(' '), in: 'bare-piped' },
      { ralph: RESUMED_RPC.split(' '), in: 'rpc' },
      { git: LOOKING },
    ],
  },

  answers: {
    shown: seen(WITH_INTERFACE, 'an interface'),
    hidden: seen(WITHOUT_INTERFACE, 'no interface'),
    piped: errandAnswered(PIPED, { stdout: PLAIN_PAGE }),
    bare: errandAnswered(BARE, { stdout: PLAIN_PAGE }),
    // A program reads every line of it.
    onlyJson: errandAnswered(RESUMED_RPC, {
      stdout: /^(?:\{"type":"[^\n]*\}\n)*\{"type":"iteration_start",[^\n]*\}\n(?:\{"type":"[^\n]*\}\n)*$/,
    }),
    // The rest is for people.
    logged: errandAnswered(RESUMED_RPC, {
      stderr: /`ralph resume` is deprecated[\s\S]*INFO[^\n]*Found existing scratchpad at/,
    }),
  },
});

export const shownLoops = [waveShown, interfaces];
