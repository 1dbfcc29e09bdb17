import { errandAnswered, fileEquals } from '../../../src/authoring.js';
import { questionsOnly } from '../../support/commands.js';
import { together } from '../../support/inquiries.js';

/*
 * What a flag promises holds in every mode: without a terminal, for a program that drives Ralph, and with the interface on a
 * terminal, which hands each flag on to another Ralph. Programs of the workspace play the agents.
 */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

/** One turn of Pi, which is the only CLI that says what each of its turns costs. */
const TURN = JSON.stringify({
  type: 'turn_end',
  message: {
    stopReason: 'stop',
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } },
  },
});
const IS_PI = '[ "$1" = --version ] && exit 0';

const diary = (phase: string) => [
  { name: phase, command: ['sh', '-c', `echo ${phase} >> hooks.txt`], on_error: 'warn' },
];
/** What the flags must win over. */
const CONFIG = JSON.stringify({
  cli: { backend: 'gemini' },
  event_loop: { max_iterations: 1, completion_promise: 'NOT_THIS' },
  skills: { enabled: false },
  features: { preflight: { enabled: true, strict: true } },
  hooks: {
    enabled: true,
    events: { 'pre.loop.start': diary('start'), 'post.loop.complete': diary('complete') },
  },
});
const hat = (name: string, trigger: string, more: object) => ({
  name,
  description: name,
  triggers: [trigger],
  instructions: 'Work.',
  ...more,
});
const HATS = JSON.stringify({
  event_loop: { starting_event: 'paint.request' },
  hats: {
    painter: hat('Painter', 'paint.request', { publishes: ['paint.done'] }),
    carver: hat('Carver', 'paint.done', { backend: { command: './carve.sh' } }),
  },
});

const PI = program(
  IS_PI,
  'for last; do :; done',
  'case $last in *"Paint the red shed."*) task=task ;; *) task=other ;; esac',
  'case $RALPH_EVENTS_FILE in "$PWD"/.ralph/events-*) file=events ;; *) file=none ;; esac',
  `shift 4; echo "pi $(echo "$*" | head -1 | cut -c1-6) $task $file" >> calls.txt`,
  '(cd / && "$RALPH_BIN" emit paint.done red > /dev/null)',
  `echo '${TURN}'`,
);
const CARVE = program('echo carve >> calls.txt', '"$RALPH_BIN" emit CARVED done > /dev/null');

const MODES = ['headless', 'rpc', 'interface'];
const FLAGS =
  '-c core.yml -H crew.yml run -b pi -P task.md --max-iterations 6 --completion-promise CARVED --record-session NAME.jsonl --skip-preflight -v';

/**
 * `session MODE NAME ENDS FLAGS` runs Ralph once. When the loop has ended for the ENDSth time, it types q, which closes an
 * interface. A program that drives Ralph first asks how it is.
 */
const SESSIONS = `ends() {
  for i in $(seq 400); do [ "$(grep -hs '"loop.terminate"' .ralph/events*.jsonl | wc -l)" = "$1" ] && break; sleep 0.05; done
}
session() {
  call="'$(cat ../ralph-bin.txt)' $(echo "${FLAGS}" | sed "s/NAME/$2/")"
  case $1 in
    headless) sh -c "$call --no-tui $4" > $2.out 2> $2.err < /dev/null ;;
    rpc) echo '{"type":"get_state","id":"s"}' | sh -c "$call --rpc $4" > $2.out 2> $2.err ;;
    interface)
      echo "stty rows 40 cols 120; $call $4" > $2.sh
      # Ralph 2.10.1 may wait for itself for ever after the q.
      (ends $3; for i in $(seq 10); do [ -e $2.over ] && exit; sleep 0.2; printf q; done; kill $(cat $2.pid)) |
        (timeout -k 1 30 sh -c "echo \\$\\$ > $2.pid; exec script --quiet --flush --command 'sh $2.sh' $2.out" > /dev/null; touch $2.over) ;;
  esac
}
PATH=$PWD/programs:$PATH
told() { echo "$1: $(tr '\\n' ' ')"; }
both() {
  cd $1
  session $1 first 1 '-- --more'
  echo done > .ralph/agent/scratchpad.md
  session $1 second 2 '--continue --loop-id shed -- --more'
  {
    told "$1 calls" < calls.txt
    told "$1 hooks" < hooks.txt
    (cat .ralph/current-loop-id; echo) | told "$1 loop"
    cat *.err .ralph/diagnostics/logs/*.log 2> /dev/null | grep -o '^PROMPT FOR ralph' | told "$1 prompts"
    cat *.jsonl | grep -o '"max_iterations":6\\|"topic":"paint.done"' | told "$1 recordings"
    sed -n 's/.*"iteration":\\([0-9]*\\),.*"iteration.summary".*/\\1/p; s/.*## Reason.n\\([a-z_]*\\).*/\\1/p' .ralph/events*.jsonl |
      told "$1 iterations"
    grep -hs -o '"total_cost_usd": *[0-9.]*' second.out .ralph/api/loop-state.json | told "$1 costs"
  } > seen.txt
}
${MODES.map((mode) => `(both ${mode}) &`).join('\n')}
wait
cat ${MODES.map((mode) => `${mode}/seen.txt`).join(' ')}
`;

const WHERE = 'run -c where.yml --no-tui -p where';
const ASKED = ['-c', 'alias.ask=!sh sessions.sh', 'ask'];
const seen = (modes: readonly string[], line: string) =>
  errandAnswered(ASKED.join(' '), { stdout: together(...modes.map((mode) => `${mode} ${line} `)) });
const twice = (line: string) => `${line} ${line}`;
/** Outside these modes, Ralph 2.10.1 does not read what an iteration cost: see `max-cost`. */
const WITH_COST = MODES.filter((mode) => mode !== 'headless');

/** The same command, and then `--continue`, in three modes. */
const flagsInModes = questionsOnly({
  id: 'flags-in-every-mode',
  description:
    'Flags, hooks, backends of hats and --continue do the same without a terminal, with --rpc and on a terminal',
  covers: ['FR4', 'FR5', 'FR10'],
  beyondStandIn: 'the interface on a terminal',
  programs: ['script'],

  plan: {
    files: {
      'sessions.sh': SESSIONS,
      'where.yml': JSON.stringify({
        cli: { backend: 'custom', command: './where.sh' },
        event_loop: { max_iterations: 1 },
      }),
      'where.sh': program('printf %s "$RALPH_BIN" > ralph-bin.txt'),
      'programs/pi': PI,
      // What the file names, and the flag replaces.
      'programs/gemini': program('exit 0'),
      ...Object.assign(
        {},
        ...MODES.map((mode) => ({
          [`${mode}/core.yml`]: CONFIG,
          [`${mode}/crew.yml`]: HATS,
          [`${mode}/task.md`]: 'Paint the red shed.\n',
          [`${mode}/carve.sh`]: CARVE,
        })),
      ),
    },
    before: [{ ralph: WHERE.split(' ') }, { git: ASKED }],
  },

  answers: {
    calls: seen(MODES, `calls: ${twice('pi --more task events carve')}`),
    hooks: seen(MODES, `hooks: ${twice('start complete')}`),
    loop: seen(MODES, 'loop: shed'),
    prompts: seen(MODES, `prompts: ${twice(twice('PROMPT FOR ralph'))}`),
    recordings: seen(MODES, `recordings: ${twice('"max_iterations":6 "topic":"paint.done"')}`),
    iterations: seen(MODES, 'iterations: 1 2 completed 3 4 completed'),
    costs: seen(WITH_COST, 'costs: .*"total_cost_usd": 1.0'),
    // The costs of the first session, when the second one begins.
    costTold: seen(['rpc'], 'costs: "total_cost_usd":0.5 .*'),
  },
});

const COST = 'run --rpc -c cost.yml -p x';
const FAILURES = 'run --rpc -c failures.yml -p x';
const limited = (command: string, limits: object) =>
  JSON.stringify({
    cli: { backend: 'pi', command },
    skills: { enabled: false },
    event_loop: { max_iterations: 9, ...limits },
  });
const asked = (command: string) => ({ ralph: command.split(' '), in: 'asked' });

/** Limits that are about what an agent left behind: only what its mode reads of it can reach them. */
const limitsInRpc = questionsOnly({
  id: 'rpc-limits',
  phase: 'red',
  description:
    'With --rpc, a loop ends after the iteration that reached max_cost_usd, and after max_consecutive_failures',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'JSON lines on stdin and stdout',

  plan: {
    files: {
      'asked/cost.yml': limited('./costs.sh', { max_cost_usd: 1.5 }),
      'asked/failures.yml': limited('./fails.sh', { max_consecutive_failures: 2 }),
      'asked/costs.sh': program('echo call >> costs.txt', `echo '${TURN}'`),
      'asked/fails.sh': program('echo call >> fails.txt', 'exit 3'),
    },
    before: [asked(COST), asked(FAILURES)],
  },

  answers: {
    cost: errandAnswered(COST, { exitCode: 2, stdout: /"iteration":3,[^\n]*"cost_usd":0\.5/ }),
    costs: fileEquals('asked/costs.txt', 'call\ncall\ncall'),
    failures: errandAnswered(FAILURES, { exitCode: 1, stdout: /"type":"iteration_end","iteration":2/ }),
    fails: fileEquals('asked/fails.txt', 'call\ncall'),
  },
});

export const modes = [flagsInModes, limitsInRpc];
