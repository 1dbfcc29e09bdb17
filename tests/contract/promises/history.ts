import type { Promises } from '../promise.js';

export const history: Promises = {
  'summary-says-why': {
    promise:
      'summary.md says why the loop ended: completed, a limit, failures, staleness, a stop or a cancellation.',
    source: 'ralph-core/src/summary_writer.rs: status_text',
    about: [
      'reason completed',
      'reason max_iterations',
      'reason max_runtime',
      'reason consecutive_failures',
      'reason loop_stale',
      'reason stopped',
      'reason cancelled',
    ],
  },
  'summary-figures': {
    promise: 'summary.md has the number of iterations and the duration of the loop.',
    source: 'ralph-core/src/summary_writer.rs: generate_content_with_landing',
  },
  'summary-tasks': {
    promise: 'summary.md repeats the open, done and dropped items of the scratchpad, and nothing else of it.',
    source: 'ralph-core/src/summary_writer.rs: extract_tasks',
  },
  'summary-commit': {
    promise: 'summary.md has the last commit of the project.',
    source: 'ralph-cli/src/loop_runner.rs: get_last_commit_info',
  },
  'summary-events': {
    promise: 'summary.md counts the events of the loop by topic.',
    source: 'ralph-core/src/summary_writer.rs: summarize_events',
  },
  'history-records': {
    promise:
      'history.jsonl has each loop with its prompt and the reason for its end, and keeps the earlier ones.',
    source: 'ralph-core/src/loop_history.rs: record_completed',
    about: ['reason completed', 'reason max_iterations'],
  },
  'events-start': {
    promise: 'The events file begins with the start of the loop and its whole prompt, up to 500 bytes.',
    source: 'ralph-core/src/event_logger.rs: EventRecord::new',
  },
  'events-terminate': {
    promise: 'The events file ends with the reason, the iterations and the exit code.',
    source: 'ralph-cli/src/loop_runner.rs: log_terminate_event',
    heldBy: { 'claude-single-iter': ['ends'], 'max-iterations': ['ends'] },
  },
  'events-tags': {
    promise: 'A payload in a tag is kept up to 500 bytes, and the record says how long it was.',
    source: 'ralph-core/src/event_logger.rs: EventRecord::new',
  },
  'events-marker': {
    promise: '.ralph/current-events names the events file of the run.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
  },
  'loop-id-marker': {
    promise: '.ralph/current-loop-id names the loop; tasks that the loop adds belong to it.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_loop_id',
  },
  'fresh-scratchpad': {
    promise:
      'A fresh run does not see the notes of an earlier one, neither the common ones nor those of a hat.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    about: ['config core.scratchpad'],
  },
  'fresh-events': {
    promise: 'A fresh run does not act on events that an earlier one left.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
  },
};
