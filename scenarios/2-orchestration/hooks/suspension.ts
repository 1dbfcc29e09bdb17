import {
  allOf,
  backendNeverCalled,
  completed,
  errandAnswered,
  fileContains,
  fileEquals,
  fileHasJson,
  fileLacks,
  loop,
  onAnyPrompt,
  onObjective,
  type RalphConfig,
  scenario,
  terminatedBecause,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt, rehooking } from '../../support/hooks.js';
import { neverCompletes, noBuiltIns } from '../../support/saboteurs.js';

/*
 * A hook that suspends the loop stops Ralph itself, so somebody else has to resume it: a process that the hook leaves
 * behind waits until Ralph has written down the suspension, keeps what it says, and acts.
 */

/** `gate.sh NAME PASSES-FROM ACT…`: fails until it has run so often, writes down each run, and lets `ACT` resume the loop; `none` starts nothing. */
const GATE = `#!/bin/sh
[ -e ready.txt ] || [ "$1" = start ] || exit 0
echo "$1" >> runs.txt
[ "$(grep -c "^$1\\$" runs.txt)" -ge "$2" ] && exit 0
name=$1
shift 2
[ "$1" = none ] && exit 3
[ -e "$name.acting" ] && exit 3
touch "$name.acting"
(
  for i in $(seq 600); do grep -q "\\"$name\\"" .ralph/suspend-state.json 2>/dev/null && break; sleep 0.05; done
  tr -d '\\n' < .ralph/suspend-state.json >> suspensions.jsonl
  echo >> suspensions.jsonl
  sleep 0.6
  [ -e calls.txt ] || echo "$name: nobody works" >> meanwhile.txt
  sh -c "$*"
) > "$name.log" 2>&1 < /dev/null &
exit 3
`;

/** Whether at least 0.7 s passed between the first and the last of four attempts. */
const CLOCK = `perl -MTime::HiRes=time -e 'print time, "\\n"' >> clock.txt
perl -ne '$first //= $_; $last = $_; $n++; END { print $last - $first >= 0.7 ? "patient\\n" : "hasty\\n" if $n == 4 }' clock.txt > patience.txt
`;

const BY_FILE = 'touch .ralph/resume-requested';
// If the command does not help, the file does: the test must end.
const BY_COMMAND = `"$(cat ready.txt)" loops resume gate-loop >> answers.txt || ${BY_FILE}`;

/** A finished loop, as Ralph writes it down: queued, then merged. */
const MERGED = [
  { type: 'queued', prompt: 'Guard the gate' },
  { type: 'merging', pid: 4_194_304 },
  { type: 'merged', commit: 'abc123' },
]
  .map(
    (event, minute) =>
      `${JSON.stringify({ ts: `2026-01-31T00:0${minute}:00Z`, loop_id: 'gate-loop', event })}\n`,
  )
  .join('');

const gate = (name: string, passesFrom: number, act: string, mode?: string): RalphConfig => ({
  name,
  command: ['./gate.sh', name, `${passesFrom}`, act],
  on_error: 'suspend',
  ...(mode === undefined ? {} : { suspend_mode: mode }),
});

/** Keeps what Ralph recorded of its hooks where the evidence has it. */
const KEEPS_RECORDS = {
  name: 'keep',
  command: [
    'sh',
    '-c',
    'cat .ralph/diagnostics/*/hook-runs.jsonl > attempts.jsonl; grep -h recovered .ralph/diagnostics/*/trace.jsonl > recovered.txt',
  ],
  on_error: 'warn',
};

const suspended = (defaults: RalphConfig = {}): RalphConfig =>
  loop({
    maxIterations: 5,
    more: {
      hooks: {
        enabled: true,
        defaults,
        events: {
          'pre.loop.start': [gate('start', 9, BY_FILE)],
          'pre.iteration.start': [gate('retry', 3, 'none', 'retry_backoff')],
          'post.iteration.start': [gate('again', 2, BY_COMMAND, 'wait_then_retry')],
          'pre.loop.complete': [
            gate('never', 9, BY_FILE, 'retry_backoff'),
            { name: 'clock', command: ['true'], on_error: 'warn' },
          ],
          'post.loop.complete': [KEEPS_RECORDS],
        },
      },
    },
  });

/** Each way to suspend a loop, and to get it going again. */
const hooksSuspend = scenario({
  ...MECHANICS,
  id: 'hooks-suspend',
  phase: 'red',
  description: 'A hook that suspends holds the loop until it is resumed or, with a retry mode, passes',
  covers: ['FR5', 'FR9'],
  waitsSeconds: 3,
  expectedIterations: 2,

  arrange: () => ({
    config: suspended(),
    files: {
      'gate.sh': {
        content: GATE.replace('\nname=$1', `\n[ "$1" = never ] && {\n${CLOCK}}\nname=$1`),
        mode: 0o755,
      },
      // Ralph knows a loop by its branch, and before 2.10.0 only by the merge queue.
      '.ralph/merge-queue.jsonl': MERGED,
    },
    before: [{ git: ['branch', 'ralph/gate-loop'] }],
    after: [{ ralph: ['loops', 'resume', 'gate-loop'] }],
    prompt: 'Take two iterations.',
  }),

  expect: () => {
    const suspension = (hook: string, phase: string, mode: string) => ({
      schema_version: 1,
      state: 'suspended',
      loop_id: /^primary-/,
      hook_name: hook,
      phase_event: phase,
      suspend_mode: mode,
      reason: `Lifecycle hook '${hook}' suspended orchestration at '${phase}': hook exited with code 3`,
      suspended_at: /^20\d\d-/,
    });
    const attempt = (hook_name: string, retry_attempt: number, retry_max_attempts: number) =>
      fileHasJson('attempts.jsonl', { hook_name, retry_attempt, retry_max_attempts }, { times: 1 });
    return {
      ends: completed(),
      calls: fileEquals('calls.txt', 'one\ntwo'),
      runs: fileEquals('runs.txt', 'start\nretry\nretry\nretry\nagain\nagain\nnever\nnever\nnever\nnever'),
      waits: fileHasJson('suspensions.jsonl', suspension('start', 'pre.loop.start', 'wait_for_resume'), {
        times: 1,
      }),
      again: fileHasJson(
        'suspensions.jsonl',
        suspension('again', 'post.iteration.start', 'wait_then_retry'),
        { times: 1 },
      ),
      never: fileHasJson('suspensions.jsonl', suspension('never', 'pre.loop.complete', 'retry_backoff'), {
        times: 1,
      }),
      passes: fileLacks('suspensions.jsonl', '"retry"'),
      attempts: allOf(
        'each attempt is recorded with its number and how many there may be',
        attempt('start', 1, 1),
        attempt('retry', 3, 4),
        attempt('again', 2, 2),
        attempt('never', 4, 4),
      ),
      recovered: fileContains('recovered.txt', 'Lifecycle hook recovered under wait_then_retry'),
      held: fileEquals('meanwhile.txt', 'start: nobody works'),
      patience: fileEquals('patience.txt', 'patient'),
      answers: fileEquals(
        'answers.txt',
        "Resume requested for loop 'gate-loop'. The loop will continue from the suspended boundary.",
      ),
      nothingLeft: errandAnswered('loops resume gate-loop', {
        stdout: "Loop 'gate-loop' is not currently suspended. Nothing to resume.",
      }),
    };
  },

  agent: [
    onObjective('Take two')
      .once()
      .appends('calls.txt', 'one\n')
      .runs('printf %s "$RALPH_BIN" > ready.txt')
      .emits('half.done', 'one'),
    onObjective('Take two').appends('calls.txt', 'two\n').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'calls', 'never'),
    'does not say which ralph it is': {
      agent: replacing('printf %s "$RALPH_BIN" > ready.txt', 'echo false > ready.txt'),
      kills: ['answers'],
      failure: 'AssertionMismatch',
    },
    'nothing suspends the start': {
      config: rehooking('pre.loop.start', []),
      kills: ['runs', 'waits', 'held', 'attempts'],
    },
    'the retry does not help': {
      config: rehooking('pre.iteration.start', [gate('retry', 9, BY_FILE, 'retry_backoff')]),
      kills: ['runs', 'passes'],
    },
    'Ralph ignores the failure': {
      target: 'ignore-hook-failures',
      kills: ['waits', 'never'],
      failure: 'AssertionMismatch',
    },
  },
});

const stoppedBy = (act: string): RalphConfig => ({
  enabled: true,
  defaults: { suspend_mode: 'wait_then_retry' },
  events: {
    'pre.iteration.start': [gate('start', 9, act)],
    ...Object(
      hooksAt(['pre.loop.error', 'post.loop.error', 'pre.loop.complete'], {
        name: 'diary',
        command: [
          'sh',
          '-c',
          `sed 's/.*"phase_event": *"\\([^"]*\\)".*/\\1/' >> diary.txt; echo >> diary.txt`,
        ],
        on_error: 'warn',
      }),
    ).events,
  },
});

/** Somebody gives up on a suspended loop. */
const hooksSuspendStop = scenario({
  ...MECHANICS,
  id: 'hooks-suspend-stop',
  phase: 'red',
  description: 'A stop request ends a suspended loop as stopped, before the agent is called',
  covers: ['FR5', 'FR9'],

  arrange: () => ({
    config: loop({ maxIterations: 3, more: { hooks: stoppedBy('touch .ralph/stop-requested') } }),
    files: { 'gate.sh': { content: GATE, mode: 0o755 } },
    prompt: 'Declare the objective complete.',
  }),

  expect: () => ({
    ends: terminatedBecause('stopped', 1),
    neverCalled: backendNeverCalled(),
    runs: fileEquals('runs.txt', 'start'),
    mode: fileContains('suspensions.jsonl', /"suspend_mode": *"wait_then_retry"/),
    diary: fileEquals('diary.txt', 'pre.loop.error\npost.loop.error'),
  }),

  // Only a Ralph that goes on asks.
  agent: [onAnyPrompt().completes()],

  saboteurs: {
    'somebody resumes it instead': {
      config: arranging({
        config: loop({
          maxIterations: 3,
          more: {
            hooks: stoppedBy(
              `${BY_FILE}; while [ -e .ralph/resume-requested ]; do sleep 0.05; done; ${BY_FILE}`,
            ),
          },
        }),
      }),
      kills: ['ends', 'neverCalled', 'runs', 'diary'],
    },
  },
  notApplicable: noBuiltIns('Ralph ends before it calls an agent'),
});

/** A person resumes the loop by the id that Ralph prints. */
const loopsResume = scenario({
  ...MECHANICS,
  id: 'loops-resume',
  phase: 'red',
  description: '`ralph loops resume <id>` resumes a suspended loop by the id that Ralph prints for it',
  covers: ['FR5', 'FR9'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({
      maxIterations: 4,
      more: {
        hooks: hooksAt(
          ['pre.iteration.start'],
          // If that does not help, somebody stops the loop: the test must end.
          gate(
            'gate',
            9,
            '"$(cat ready.txt)" loops resume "$(cat .ralph/current-loop-id)" || touch .ralph/stop-requested',
          ),
        ),
      },
    }),
    files: { 'gate.sh': { content: GATE, mode: 0o755 } },
    prompt: 'Take two iterations.',
  }),

  expect: () => ({
    ends: completed(),
    calls: fileEquals('calls.txt', 'one\ntwo'),
    suspended: fileHasJson('suspensions.jsonl', { hook_name: 'gate', state: 'suspended' }),
    resumed: fileContains(
      'gate.log',
      /^Resume requested for loop 'primary-[\d-]+'\. The loop will continue/m,
    ),
  }),

  agent: [
    onObjective('Take two')
      .once()
      .appends('calls.txt', 'one\n')
      .runs('printf %s "$RALPH_BIN" > ready.txt')
      .emits('half.done', 'one'),
    onObjective('Take two').appends('calls.txt', 'two\n').completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph does not find its own first loop: it looks for worktrees, branches and queued merges',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: 'exit code 1, termination reason "stopped"',
      calls: '"one"',
      resumed: /^added: "Error: Loop 'primary-[\d-]+' not found"/,
    },
  },

  saboteurs: {
    'nothing suspends the loop': {
      config: rehooking('pre.iteration.start', []),
      kills: ['suspended'],
    },
    'does nothing': { agent: without('appends'), kills: ['calls'] },
  },
  notApplicable: {
    'acts-silently': 'the known issue breaks every check of what the agent does',
  },
});

export const hookSuspension = [hooksSuspend, hooksSuspendStop, loopsResume];
