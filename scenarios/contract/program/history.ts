import type { Promises } from '../../../src/authoring.js';

export const history: Promises = {
  'summary-says-why': {
    promise:
      'summary.md says why the loop ended: completed, a limit, failures, staleness, a stop or a cancellation.',
    source: 'ralph-core/src/summary_writer.rs: status_text',
    heldBy: {
      'left-behind-iterations': ['status'],
      'left-behind-runtime': ['status'],
      'left-behind-consecutive-failures': ['status'],
      'left-behind-stale': ['status'],
      'left-behind-stopped': ['status'],
      'left-behind-cancelled': ['status'],
      'left-behind-completed': ['status'],
      'agent-stopped-by-hand': ['summary'],
    },
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
    heldBy: {
      'left-behind-iterations': ['figures'],
      'left-behind-runtime': ['figures'],
      'left-behind-stale': ['figures'],
      'left-behind-consecutive-failures': ['figures'],
      'left-behind-stopped': ['figures'],
      'left-behind-cancelled': ['figures'],
    },
  },
  'summary-tasks': {
    promise: 'summary.md repeats the open, done and dropped items of the scratchpad, and nothing else of it.',
    source: 'ralph-core/src/summary_writer.rs: extract_tasks',
    heldBy: { 'left-behind-completed': ['items', 'onlyItems'] },
  },
  'summary-commit': {
    promise: 'summary.md has the last commit of the project.',
    source: 'ralph-cli/src/loop_runner.rs: get_last_commit_info',
    heldBy: { 'left-behind-completed': ['commit'] },
  },
  'summary-events': {
    promise: 'summary.md counts the events of the loop by topic.',
    source: 'ralph-core/src/summary_writer.rs: summarize_events',
    heldBy: { 'summary-counts-events': ['counted', 'written'] },
  },
  'history-records': {
    promise:
      'history.jsonl has each loop with its prompt and the reason for its end, and keeps the earlier ones.',
    source: 'ralph-core/src/loop_history.rs: record_completed',
    heldBy: {
      'left-behind-iterations': ['begun', 'ended'],
      'left-behind-runtime': ['begun', 'ended'],
      'left-behind-consecutive-failures': ['begun', 'ended'],
      'left-behind-stale': ['begun', 'ended'],
      'left-behind-stopped': ['begun', 'ended'],
      'left-behind-cancelled': ['begun', 'ended'],
      'left-behind-completed': ['history'],
      'agent-stopped-by-hand': ['history'],
    },
    about: ['reason completed', 'reason max_iterations'],
  },
  'events-start': {
    promise: 'The events file begins with the start of the loop and its prompt.',
    source: 'ralph-core/src/event_logger.rs: EventRecord::new',
    heldBy: { 'events-command': ['start'], 'emit-command': ['fresh'] },
  },
  'events-terminate': {
    promise:
      'The events file ends with loop.terminate: the last iteration, the reason, the iterations and the exit code.',
    source: 'ralph-cli/src/loop_runner.rs: log_terminate_event',
    heldBy: {
      'left-behind-iterations': ['ends'],
      'left-behind-stale': ['ends'],
      'events-command': ['last', 'iteration'],
    },
    about: ['topic loop.terminate'],
  },
  'events-tags': {
    promise: 'A payload in a tag is kept up to 500 bytes, and the record says how long it was.',
    source: 'ralph-core/src/event_logger.rs: EventRecord::new',
    heldBy: { 'events-command': ['cut'] },
  },
  'events-summary': {
    promise:
      'Every iteration leaves an iteration.summary record with the size of the context window; nobody gets it.',
    source: 'ralph-cli/src/loop_runner.rs: log_iteration_summary',
    heldBy: {
      'hat-all-pending': ['summary'],
      'max-iterations': ['iterations'],
      'iteration-summaries': ['each', 'window'],
    },
    about: ['topic iteration.summary', 'config event_loop.context_window_tokens'],
  },
  'events-triggered': {
    promise: 'The record of an event tag names the hat that it activates.',
    source: 'ralph-cli/src/loop_runner.rs: log_events_from_output',
    heldBy: { 'hat-all-pending': ['record'] },
  },
  'events-marker': {
    promise: '.ralph/current-events names the events file of the run.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'left-behind-completed': ['events'], 'emit-command': ['later'] },
  },
  'loop-id-marker': {
    promise: '.ralph/current-loop-id names the loop; tasks that the loop adds belong to it.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_loop_id',
    heldBy: {
      'left-behind-completed': ['loopId'],
      'fresh-run': ['loopId'],
      'tasks-lifecycle': ['ofTheLoop'],
    },
  },
  'fresh-scratchpad': {
    promise:
      'A fresh run does not see the notes of an earlier one, neither the common ones nor those of a hat.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'fresh-run': ['keptOut', 'notes', 'hatNotes'] },
    about: ['config core.scratchpad.path', 'config hats.*.scratchpad.path'],
  },
  'fresh-events': {
    promise: 'A fresh run does not act on events that an earlier one left.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: {
      'fresh-run': ['noOldEvents', 'keptOut', 'iterations'],
      'issue-82-stale-events': ['ends', 'iterations', 'untold'],
    },
  },
};
