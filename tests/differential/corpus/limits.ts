import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

/** What a loop with this cost left for its continuation. */
function spent(usd: number): string {
  return JSON.stringify({ iteration: 1, total_cost_usd: usd, last_hat: 'ralph' });
}

/** A loop that ended, after two lines that are no events; these lines came later. */
function ended(...later: readonly string[]): Readonly<Record<string, string>> {
  const record = (topic: string, payload: string) =>
    JSON.stringify({ ts: '2026-01-01T00:00:00+00:00', iteration: 1, hat: 'loop', topic, payload });
  const lines = [
    record('task.start', 'do the thing'),
    'half a li',
    'another',
    record('loop.terminate', '## Reason\nstopped'),
    ...later,
  ];
  return {
    '.ralph/agent/scratchpad.md': 'notes',
    '.ralph/current-events': '.ralph/events-20260101-000000.jsonl',
    '.ralph/events-20260101-000000.jsonl': lines.map((line) => `${line}\n`).join(''),
  };
}

/** The agent sends Ralph a signal and stays. */
function interruptedBy(signal: 'INT' | 'TERM' | 'HUP'): DifferentialCase {
  const pid = `"$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock)"`;
  return {
    name: `limit: SIG${signal} while the agent works`,
    covers: '§1.3 interrupted',
    agent: [['echo one >> turns.txt', `kill -${signal} ${pid}`, 'exec sleep 3600 > /dev/null 2>&1']],
  };
}

/** How a loop ends without having completed. */
export const LIMITS: readonly DifferentialCase[] = [
  interruptedBy('INT'),
  interruptedBy('TERM'),
  interruptedBy('HUP'),
  { name: 'limit: a silent agent runs to max_iterations', covers: '§1.3 §4.1', agent: [[says('hm')]] },
  {
    name: 'limit: max_iterations 0',
    covers: '§1.3 checked at the start',
    config: loop({ loop: 'max_iterations: 0' }),
    agent: [completes],
  },
  {
    name: 'limit: consecutive failures',
    covers: '§1.3 consecutive_failures',
    config: loop({ loop: 'max_iterations: 9, max_consecutive_failures: 2' }),
    agent: [['echo bad >&2', 'exit 3']],
  },
  {
    name: 'limit: five failures by default',
    covers: '§2 max_consecutive_failures',
    config: loop({ loop: 'max_iterations: 9' }),
    agent: [['exit 1']],
  },
  {
    name: 'limit: a success in between resets the count of failures',
    covers: '§1.3',
    config: loop({ loop: 'max_iterations: 9, max_consecutive_failures: 2' }),
    agent: [['exit 1'], [says('fine')], ['exit 1'], [says('fine')], completes],
  },
  {
    name: 'limit: the last iteration beats the failures',
    covers: '§1.3 order of limits',
    config: loop({ loop: 'max_iterations: 2, max_consecutive_failures: 2' }),
    agent: [['exit 1']],
  },
  {
    name: 'limit: max_runtime does not interrupt, it is looked at after the iteration',
    covers: '§1.3 max_runtime_seconds',
    config: loop({ loop: 'max_iterations: 5, max_runtime_seconds: 1' }),
    agent: [['sleep 1.5', says('LOOP_COMPLETE')]],
  },
  {
    name: 'limit: a stop request of the agent',
    covers: '§1.3 stopped',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [['touch .ralph/stop-requested', says('x')]],
  },
  {
    name: 'limit: a stop request from before',
    covers: '§1.3 stopped',
    files: { '.ralph/stop-requested': '' },
    agent: [completes],
  },
  {
    name: 'limit: three equal events in a row are a stale loop',
    covers: '§1.3 loop_stale §4.2',
    config: loop({ loop: 'max_iterations: 9' }),
    agent: [[emits('same.thing', 'x')]],
  },
  {
    name: 'limit: another payload keeps it alive',
    covers: '§1.3 loop_stale',
    config: loop({ loop: 'max_iterations: 6' }),
    agent: [
      [emits('same.thing', 'a')],
      [emits('same.thing', 'a')],
      [emits('same.thing', 'b')],
      [emits('same.thing', 'a')],
      completes,
    ],
  },
  {
    name: 'limit: task.complete never makes a loop stale',
    covers: '§4.2 exempt',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [[emits('task.complete', 'x')]],
  },
  {
    name: 'limit: one batch of three equal events',
    covers: '§4.2 stale detector counts events',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [[emits('same.thing'), emits('same.thing'), emits('same.thing')], completes],
  },
  {
    name: 'limit: a backend that falls silent is ended after its time',
    covers: '§6.2 inactivity timeout',
    config: loop({
      loop: 'max_iterations: 9, max_consecutive_failures: 1',
      more: 'adapters: {claude: {timeout: 1}}',
    }),
    agent: [[says('before'), 'exec sleep 60']],
  },
  {
    name: 'limit: every line gives a backend its time again',
    covers: '§6.2 each line resets',
    config: loop({ more: 'adapters: {claude: {timeout: 3}}' }),
    agent: [[says('a'), 'sleep 1.8', says('b'), 'sleep 1.8', says('LOOP_COMPLETE')]],
  },
  {
    name: 'limit: a backend that ignores TERM is killed',
    covers: '§6.2 TERM, 2 s, KILL',
    config: loop({
      loop: 'max_iterations: 9, max_consecutive_failures: 1',
      more: 'adapters: {claude: {timeout: 1}}',
    }),
    agent: [['trap "" TERM', says('before'), 'while :; do sleep 0.2; done']],
  },
  // A child keeps the streams open: as long as it lives, so does the iteration.
  ...['', 'trap "" TERM'].map((trap) => ({
    name: `limit: a silent backend that ${trap === '' ? 'obeys' : 'ignores'} TERM is ended with its children`,
    covers: '§6.2 the whole group',
    config: loop({
      loop: 'max_iterations: 9, max_consecutive_failures: 1',
      more: 'adapters: {claude: {timeout: 1}}',
    }),
    agent: [[trap, says('before'), 'sleep 300 &', 'wait']],
  })),
  {
    name: 'limit: cooldown does not change anything else',
    covers: '§2 cooldown_delay_seconds',
    config: loop({ loop: 'max_iterations: 4, cooldown_delay_seconds: 1' }),
    agent: [[says('x')], completes],
  },
  {
    name: 'limit: cooldown is waited, and an event that comes meanwhile is delivered',
    covers: '§2 cooldown_delay_seconds §4.1 late events',
    config: loop({ loop: 'max_iterations: 4, cooldown_delay_seconds: 2' }),
    agent: [
      [
        '(while ! grep -q iteration.summary "$RALPH_EVENTS_FILE"; do sleep 0.1; done; sleep 0.8; ralph emit late.one x) > /dev/null 2>&1 &',
        says('x'),
      ],
      completes,
    ],
  },
  {
    name: 'limit: a stop request is used up',
    covers: '§1.3 stopped',
    files: { '.ralph/stop-requested': '' },
    agent: [completes],
    commands: [run(), run()],
  },
  {
    name: 'limit: of the command line beats the config',
    covers: '§1.1 --max-iterations',
    agent: [[says('x')]],
    commands: [run('--max-iterations', '1')],
  },
  {
    name: 'limit: max_cost never fires without a screen',
    covers: '§0.7',
    config: loop({ loop: 'max_iterations: 2, max_cost_usd: 0.0001' }),
    agent: [completes],
  },
  {
    name: 'limit: the cost of an earlier session counts',
    covers: '§3 loop-state total_cost_usd',
    config: loop({ loop: 'max_iterations: 9, max_cost_usd: 2.5' }),
    files: { '.ralph/agent/scratchpad.md': 'notes', '.ralph/api/loop-state.json': spent(2.5) },
    agent: [completes],
    commands: [run('--continue')],
  },
  {
    name: 'limit: a cost below the limit is carried on',
    covers: '§3 loop-state total_cost_usd',
    config: loop({ loop: 'max_iterations: 9, max_cost_usd: 2.5' }),
    files: { '.ralph/agent/scratchpad.md': 'notes', '.ralph/api/loop-state.json': spent(2.49) },
    agent: [[says('x')], completes],
    commands: [run('--continue')],
  },
  {
    name: 'limit: three broken lines after the end of the loop that goes on',
    covers: '§1.3 validation_failure',
    config: loop({ loop: 'max_iterations: 9' }),
    files: ended('broken one', '{"topic": "a.b"}', '[1]'),
    agent: [completes],
    commands: [run('--continue')],
  },
  {
    name: 'limit: two broken lines after the end of the loop that goes on, two before it',
    covers: '§1.3 validation_failure',
    config: loop({ loop: 'max_iterations: 9' }),
    files: ended('broken one', '{"topic": "a.b"'),
    agent: [[says('x')], completes],
    commands: [run('--continue')],
  },
  {
    name: 'limit: a task that is blocked three times is abandoned once',
    covers: '§4.2 build.task.abandoned',
    config: loop({ loop: 'max_iterations: 9' }),
    agent: [
      [
        emits('build.blocked', 'paint\nno brush'),
        emits('build.blocked', 'sand\nno paper'),
        emits('build.blocked', 'paint\nno color'),
        emits('build.blocked', 'sand'),
        emits('build.blocked', ' paint \nno time'),
      ],
      [emits('build.blocked', 'paint\nstill')],
      completes,
    ],
  },
  {
    name: 'limit: another event in between resets the count of equal ones',
    covers: '§1.3 loop_stale',
    config: loop({ loop: 'max_iterations: 9' }),
    agent: [
      [emits('same.thing', 'a')],
      [emits('same.thing', 'a')],
      [emits('other.thing'), emits('same.thing', 'a')],
      [emits('same.thing', 'b')],
      [emits('same.thing', 'c')],
      completes,
    ],
  },
  {
    name: 'limit: the workspace goes away',
    covers: '§1.3 workspace_gone',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [['rm -rf "$RALPH_WORKSPACE_ROOT"', says('x')]],
  },
  {
    name: 'limit: the workspace goes away from a run with diagnostics',
    covers: '§1.3 workspace_gone',
    config: loop({ loop: 'max_iterations: 5' }),
    env: { RALPH_DIAGNOSTICS: '1' },
    agent: [['rm -rf "$RALPH_WORKSPACE_ROOT"', says('x')]],
  },
];
