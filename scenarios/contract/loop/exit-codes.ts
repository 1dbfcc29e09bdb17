import type { Promises, RalphPromise } from '../../../src/authoring.js';

/** Says which exit code a loop has that ends for this reason. */
const exits = (
  reason: string,
  promise: string,
  heldBy: NonNullable<RalphPromise['heldBy']>,
): RalphPromise => ({
  promise,
  source: 'ralph-core/src/event_loop/mod.rs: exit_code',
  heldBy,
  about: [`reason ${reason}`],
});

/** Scenarios that check how Ralph reports an end, for every reason. */
const EVERY_END = {
  'max-iterations': ['reported'],
  'max-runtime': ['reported'],
  'loop-stale': ['reported'],
  'stop-file': ['reported'],
  cancellation: ['reported'],
  'failures-by-default': ['reported'],
  'three-broken-lines': ['reported'],
  'cost-of-earlier-sessions': ['reported'],
  'workspace-gone': ['reported'],
  'completion-near-misses': ['reported'],
};

export const exitCodes: Promises = {
  completed: exits('completed', 'A completed loop exits with 0.', {
    'claude-connect': ['ends'],
    'claude-completion': ['ends'],
  }),
  cancelled: exits('cancelled', 'A cancelled loop exits with 0.', {
    cancellation: ['ends'],
    'left-behind-cancelled': ['ends'],
  }),
  failures: exits('consecutive_failures', 'A loop that ends after too many failures exits with 1.', {
    'consecutive-failures': ['ends'],
    'left-behind-consecutive-failures': ['ends'],
  }),
  stale: exits('loop_stale', 'A stale loop exits with 1.', { 'loop-stale': ['ends'] }),
  validation: exits('validation_failure', 'A loop that ends after too many malformed lines exits with 1.', {
    'three-broken-lines': ['ends'],
  }),
  stopped: exits('stopped', 'A stopped loop exits with 1.', {
    'stop-file': ['ends'],
    'left-behind-stopped': ['ends'],
  }),
  'workspace-gone': exits('workspace_gone', 'A loop whose workspace was removed exits with 1.', {
    'workspace-gone': ['ends'],
  }),
  iterations: exits('max_iterations', 'A loop that ends at its iteration limit exits with 2.', {
    'max-iterations': ['ends'],
    persistent: ['ends'],
    continue: ['earlier'],
    'auto-merge': ['limited'],
    'issue-82-stale-events': ['earlier'],
  }),
  runtime: exits('max_runtime', 'A loop that ends at its time limit exits with 2.', {
    'max-runtime': ['ends'],
    'left-behind-runtime': ['ends'],
  }),
  cost: exits('max_cost', 'A loop that ends at its cost limit exits with 2.', {
    'cost-of-earlier-sessions': ['ends'],
    'max-cost': ['ends'],
  }),
  interrupted: exits('interrupted', 'A loop that a signal interrupts exits with 130 and leaves a record.', {
    'interrupted-by-signal': ['ends'],
    'interrupted-by-sigint': ['ends'],
    'interrupted-by-sighup': ['ends'],
    'agent-stopped-by-hand': ['ends', 'recorded'],
  }),
  restart: exits('restart_requested', 'A loop that is asked to restart records exit code 3.', {
    'restart-requested': ['reported'],
  }),
  'loop-cannot-start': {
    promise:
      'A backend that is not installed ends Ralph with exit code 1 and a message, without a termination record.',
    source: 'ralph-cli/src/main.rs: main',
    heldBy: { 'backend-unavailable': ['refuses', 'neverCalled'] },
  },
  'wrong-arguments': {
    promise: 'Wrong arguments end Ralph with exit code 2 before a loop starts.',
    source: 'ralph-cli/src/main.rs: Cli',
    heldBy: { 'wrong-arguments': ['refuses', 'neverCalled'], 'run-flags': ['unknownCommand'] },
  },
  record: {
    promise:
      'Every end is recorded as loop.terminate with its reason, what it means, the iterations and the exit code.',
    source: 'ralph-core/src/event_loop/mod.rs: publish_terminate_event',
    heldBy: EVERY_END,
    about: ['topic loop.terminate'],
  },
  banner: {
    promise: 'The last lines of the output say why the loop ended and after how many iterations.',
    source: 'ralph-cli/src/display.rs: print_termination',
    heldBy: EVERY_END,
  },
  'start-banner': {
    promise:
      'Without the interface, Ralph prints at the start which loop it is, its backend and limit, where its events and notes are, and how to resume it.',
    source: 'ralph-cli/src/display.rs: print_loop_banner',
    heldBy: { 'loop-on-screen': ['banner', 'places', 'resume'] },
  },
  'iteration-lines': {
    promise:
      'Without the interface, every iteration begins with a line that has its number, hat and limit, and ends with one that has how much of the limit is used.',
    source: 'ralph-cli/src/display.rs: print_iteration_separator',
    heldBy: { 'loop-on-screen': ['begins', 'footers'] },
  },
  'resume-hint': {
    promise: 'An end that can be resumed prints how to resume the loop; completion and cancellation do not.',
    source: 'ralph-cli/src/display.rs: resume_hint_for',
    heldBy: {
      'max-iterations': ['reported'],
      cancellation: ['reported'],
      'completion-near-misses': ['reported'],
      'workspace-gone': ['reported'],
    },
  },
  'nothing to warn of': {
    promise:
      'Without the interface, Ralph greets once, and a loop in which nothing goes wrong has no warning.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'loop-on-screen': ['greets', 'calm'] },
  },
};
