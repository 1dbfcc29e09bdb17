import {
  completed,
  errandAnswered,
  fileEquals,
  fileHasJson,
  loop,
  onObjective,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt } from '../../support/hooks.js';
import { neverCompletes } from '../../support/saboteurs.js';

/** Takes longer than it may when it runs first. Where it waits to be resumed, it leaves somebody behind who does that. */
const LATE = `#!/bin/sh
echo "$1" >> runs.txt
[ "$(grep -c "^$1\\$" runs.txt)" -ge 2 ] && exit 0
echo "$1 begins"
echo "$1 minds" >&2
if [ "$1" = waits ]; then
  (
    for i in $(seq 600); do [ -e .ralph/suspend-state.json ] && break; sleep 0.05; done
    cat .ralph/suspend-state.json > suspension.json
    touch .ralph/resume-requested
  ) > /dev/null 2>&1 < /dev/null &
fi
exec sleep 9
`;

const late = (name: string, policy: RalphConfig): RalphConfig => ({
  name,
  command: ['./late.sh', name],
  timeout_seconds: 1,
  ...policy,
});

/** Keeps what Ralph recorded of its hooks where the evidence has it. */
const KEEPS_RECORDS = {
  name: 'keep',
  command: ['sh', '-c', 'cat .ralph/diagnostics/*/hook-runs.jsonl > attempts.jsonl'],
  on_error: 'block',
};

const config = (seconds = 1): RalphConfig =>
  loop({
    maxIterations: 3,
    more: {
      hooks: {
        enabled: true,
        events: {
          'pre.loop.start': [late('warns', { on_error: 'warn', timeout_seconds: seconds })],
          'post.loop.start': [late('waits', { on_error: 'suspend', timeout_seconds: seconds })],
          'pre.loop.complete': [
            late('retries', {
              on_error: 'suspend',
              suspend_mode: 'retry_backoff',
              timeout_seconds: seconds,
            }),
          ],
          'post.loop.complete': [KEEPS_RECORDS],
        },
      },
    },
  });

const blocking = (seconds = 1) => {
  const hook = late('blocks', { on_error: 'block', timeout_seconds: seconds });
  const { hooks: _, ...rest } = loop({ maxIterations: 3 });
  return JSON.stringify({
    ...rest,
    cli: { backend: 'claude' },
    hooks: hooksAt(['pre.loop.start'], hook),
  });
};

const BLOCKED = ['run', '-c', 'blocks.yml', '--no-tui', '-p', 'Blocked work.'];

const files = (seconds?: number) => ({
  'late.sh': { content: LATE, mode: 0o755 },
  'blocks.yml': blocking(seconds),
});

/** A hook that takes too long is ended, and then what it may do on failure happens. */
export const hooksTimeOut = scenario({
  ...MECHANICS,
  id: 'hooks-time-out',
  phase: 'red',
  description:
    'A hook that takes longer than its `timeout_seconds` is ended and has failed: it warns, blocks or suspends',
  covers: ['FR5', 'FR9'],
  waitsSeconds: 4,
  expectedIterations: 1,

  arrange: () => ({
    config: config(),
    files: files(),
    before: [{ ralph: BLOCKED }],
    prompt: 'Write work.txt, then declare the objective complete.',
  }),

  expect: () => {
    const ended = (hook_name: string, disposition: string) =>
      fileHasJson('attempts.jsonl', {
        hook_name,
        retry_attempt: 1,
        timed_out: true,
        exit_code: null,
        disposition,
        // At least one second, and less than it takes by itself.
        duration_ms: /^[1-8]\d{3}$/,
      });
    return {
      ends: completed(),
      work: fileEquals('work.txt', 'done'),
      runs: fileEquals('runs.txt', 'blocks\nwarns\nwaits\nretries\nretries'),
      blocks: errandAnswered(BLOCKED.join(' '), {
        exitCode: 1,
        stderr:
          /^Error: Lifecycle hook 'blocks' blocked orchestration at 'pre\.loop\.start': hook timed out$/m,
      }),
      warns: ended('warns', 'warn'),
      // What it had printed until then.
      kept: fileHasJson('attempts.jsonl', {
        hook_name: 'warns',
        stdout: { content: 'warns begins\n', truncated: false },
        stderr: { content: 'warns minds\n', truncated: false },
      }),
      waits: ended('waits', 'suspend'),
      suspended: fileHasJson('suspension.json', {
        hook_name: 'waits',
        suspend_mode: 'wait_for_resume',
        reason: "Lifecycle hook 'waits' suspended orchestration at 'post.loop.start': hook timed out",
      }),
      retries: ended('retries', 'suspend'),
      passes: fileHasJson('attempts.jsonl', {
        hook_name: 'retries',
        retry_attempt: 2,
        timed_out: false,
        disposition: 'pass',
      }),
    };
  },

  agent: [
    onObjective('Write work.txt').writes('work.txt', 'done\n').completes(),
    // Only a Ralph that does not block asks.
    onObjective('Blocked work').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'retries'),
    'Ralph lets hooks take their time': {
      target: 'ignore-hook-timeouts',
      kills: ['runs', 'blocks', 'warns', 'waits', 'suspended', 'retries', 'passes'],
      failure: 'AssertionMismatch',
    },
    'Ralph forgives hooks that it ended': {
      target: 'forgive-late-hooks',
      kills: ['runs', 'blocks', 'warns', 'waits', 'suspended', 'retries', 'passes'],
      failure: 'AssertionMismatch',
    },
  },
});
