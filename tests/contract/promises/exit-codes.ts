import type { Promises } from '../promise.js';

export const exitCodes: Promises = {
  completed: {
    promise: 'A completed loop exits with 0.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'claude-connect': ['ends'], 'claude-completion': ['ends'] },
    about: ['reason completed'],
  },
  cancelled: {
    promise: 'A cancelled loop exits with 0.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { cancellation: ['ends'] },
    about: ['reason cancelled'],
  },
  failures: {
    promise: 'A loop that ends after too many failures exits with 1.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'consecutive-failures': ['ends'] },
    about: ['reason consecutive_failures'],
  },
  stale: {
    promise: 'A stale loop exits with 1.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'loop-stale': ['ends'] },
    about: ['reason loop_stale'],
  },
  validation: {
    promise: 'A loop that ends after too many malformed lines exits with 1.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'three-broken-lines': ['ends'] },
    about: ['reason validation_failure'],
  },
  stopped: {
    promise: 'A stopped loop exits with 1.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'stop-file': ['ends'] },
    about: ['reason stopped'],
  },
  'workspace-gone': {
    promise: 'A loop whose workspace was removed exits with 1.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'workspace-gone': ['ends'] },
    about: ['reason workspace_gone'],
  },
  iterations: {
    promise: 'A loop that ends at its iteration limit exits with 2.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'max-iterations': ['ends'], persistent: ['ends'] },
    about: ['reason max_iterations'],
  },
  runtime: {
    promise: 'A loop that ends at its time limit exits with 2.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'max-runtime': ['ends'] },
    about: ['reason max_runtime'],
  },
  cost: {
    promise: 'A loop that ends at its cost limit exits with 2.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'cost-of-earlier-sessions': ['ends'], 'max-cost': ['ends'] },
    about: ['reason max_cost'],
  },
  interrupted: {
    promise: 'A loop that a signal interrupts exits with 130 and leaves a record.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: {
      'interrupted-by-signal': ['ends'],
      'interrupted-by-sigint': ['ends'],
      'interrupted-by-sighup': ['ends'],
      'agent-stopped-by-hand': ['ends', 'recorded'],
    },
    about: ['reason interrupted'],
  },
  restart: {
    promise: 'A loop that is asked to restart records exit code 3.',
    source: 'ralph-core/src/event_loop/mod.rs: exit_code',
    heldBy: { 'restart-requested': ['reported'] },
    about: ['reason restart_requested'],
  },
  'loop-cannot-start': {
    promise:
      'A backend that is not installed ends Ralph with exit code 1 and a message, without a termination record.',
    source: 'ralph-cli/src/main.rs: main',
    heldBy: { 'backend-unavailable': ['refuses', 'neverCalled'] },
  },
  'wrong-arguments': {
    promise: 'Wrong arguments end Ralph with exit code 2 before a loop starts.',
    source: 'ralph-cli/src/main.rs: Cli',
    heldBy: { 'wrong-arguments': ['refuses', 'neverCalled'] },
  },
  record: {
    promise:
      'Every end is recorded as loop.terminate with its reason, what it means, the iterations and the exit code.',
    source: 'ralph-core/src/event_loop/mod.rs: publish_terminate_event',
    heldBy: {
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
    },
    about: ['topic loop.terminate'],
  },
  banner: {
    promise: 'The last lines of the output say why the loop ended and after how many iterations.',
    source: 'ralph-cli/src/display.rs: print_termination',
    heldBy: {
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
    },
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
};
