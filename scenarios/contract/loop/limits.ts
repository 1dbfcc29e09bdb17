import type { Promises } from '../../../src/authoring.js';

export const limits: Promises = {
  iterations: {
    promise: 'A loop ends after exactly max_iterations iterations.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: {
      'max-iterations': ['ends', 'iterations', 'file', 'said'],
      'hooks-at-error': ['ends', 'iterations'],
      'left-behind-iterations': ['ends', 'iterations'],
    },
    about: ['config event_loop.max_iterations', 'reason max_iterations'],
  },
  'iterations-by-default': {
    promise: 'Without max_iterations, a loop may take 100 iterations.',
    source: 'ralph-core/src/config.rs: default_max_iterations',
    heldBy: { 'failures-by-default': ['defaults'] },
    about: ['config event_loop.max_iterations'],
  },
  runtime: {
    promise: 'A loop ends after the iteration in which max_runtime_seconds passed, and not earlier.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: {
      'max-runtime': ['ends', 'iterations', 'lasts'],
      'loop-not-stale': ['ends'],
      'left-behind-runtime': ['ends', 'iterations'],
    },
    about: ['config event_loop.max_runtime_seconds', 'reason max_runtime'],
  },
  cost: {
    promise: 'A loop ends after the iteration in which its cost reached max_cost_usd.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: { 'max-cost': ['ends', 'iterations'] },
    about: ['config event_loop.max_cost_usd', 'reason max_cost'],
  },
  'cost-of-earlier-sessions': {
    promise:
      'The cost of earlier sessions counts when a loop continues: at max_cost_usd no iteration begins.',
    source: 'ralph-core/src/event_loop/mod.rs: restore_loop_state',
    heldBy: { 'cost-of-earlier-sessions': ['ends', 'neverCalled'] },
    about: ['config event_loop.max_cost_usd', 'reason max_cost'],
  },
  failures: {
    promise: 'max_consecutive_failures failed iterations in a row end the loop.',
    source: 'ralph-core/src/event_loop/mod.rs: process_output',
    heldBy: {
      'consecutive-failures': ['ends', 'iterations', 'said'],
      'left-behind-consecutive-failures': ['ends', 'iterations'],
      'timeout-handling': ['iterations'],
      'auth-failure': ['ends', 'iterations'],
      'crash-mid-stream': ['ends', 'iterations', 'file'],
      'issue-82-opencode-usable-error': ['ends', 'iterations'],
    },
    about: ['config event_loop.max_consecutive_failures', 'reason consecutive_failures'],
  },
  'failures-reset': {
    promise: 'A good iteration resets the count of failures.',
    source: 'ralph-core/src/event_loop/mod.rs: process_output',
    heldBy: { 'consecutive-failures': ['iterations', 'file'] },
  },
  'failures-by-default': {
    promise: 'Without max_consecutive_failures, five failures in a row end the loop.',
    source: 'ralph-core/src/config.rs: default_max_failures',
    heldBy: { 'failures-by-default': ['ends', 'iterations', 'file'] },
    about: ['config event_loop.max_consecutive_failures'],
  },
  stale: {
    promise: 'The same event three times in a row ends the loop as stale.',
    source: 'ralph-core/src/event_loop/loop_state.rs: record_event',
    heldBy: { 'loop-stale': ['ends', 'iterations'], 'left-behind-stale': ['ends', 'iterations'] },
    about: ['reason loop_stale'],
  },
  'stale-payload': {
    promise: 'Events of one topic with different payloads are not stale, however many come in a row.',
    source: 'ralph-core/src/event_loop/loop_state.rs: EventSignature',
    heldBy: { 'loop-not-stale': ['ends', 'iterations', 'published', 'file'] },
  },
  'stale-interrupted': {
    promise: 'Another event in between resets the count of equal events.',
    source: 'ralph-core/src/event_loop/loop_state.rs: record_event',
    heldBy: { 'loop-not-stale': ['ends', 'iterations', 'published', 'file'] },
  },
  'stale-task-complete': {
    promise: 'task.complete may be repeated any number of times.',
    source: 'ralph-core/src/event_loop/loop_state.rs: event_counts_toward_stale_loop',
    heldBy: { 'issue-234-stale-on-legitimate-repeats': ['ends', 'iterations', 'file'] },
    about: ['topic task.complete'],
  },
  'stale-silent-hat': {
    promise:
      'A hat that stays silent three times although its default is the promise ends the loop as stale.',
    source: 'ralph-core/src/event_loop/mod.rs: check_default_publishes',
    heldBy: { 'hat-silent-until-stale': ['ends', 'hats', 'asked', 'file'] },
  },
  abandoned: {
    promise:
      'The third build.blocked with the same first line publishes build.task.abandoned once, with that line.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'abandoned-task': ['pending2', 'told', 'pending3', 'later'] },
    about: ['topic build.blocked', 'topic build.task.abandoned'],
  },
  'abandoned-by-task': {
    promise: 'Blocks of different tasks are counted apart.',
    source: 'ralph-core/src/event_loop/mod.rs: extract_task_id',
    heldBy: { 'abandoned-task': ['untold'] },
  },
  thrashing: {
    promise: 'A loop that keeps dispatching an abandoned task ends as thrashing.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    about: ['reason loop_thrashing'],
    not: 'Ralph 2.10.1 has the reason, but nothing in it counts such tasks, and nothing says which events would count',
  },
  malformed: {
    promise: 'Three lines in a row that are no events end the loop as validation_failure.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'three-broken-lines': ['ends', 'neverCalled'],
      'two-broken-lines': ['ends', 'pending', 'file'],
    },
    about: ['reason validation_failure'],
  },
  'malformed-told': {
    promise:
      'The next prompt has event.malformed for every such line: its number, what is wrong, and its beginning.',
    source: 'ralph-core/src/event_reader.rs: MalformedLine',
    heldBy: {
      'malformed-lines': ['pending2', 'line3', 'line4', 'line6', 'again'],
      'two-broken-lines': ['told'],
    },
    about: ['topic event.malformed'],
  },
  'malformed-reset': {
    promise: 'A valid event resets the count of malformed lines.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'malformed-lines': ['ends', 'iterations', 'file'] },
  },
  'malformed-neighbors': {
    promise: 'Events on the lines around a malformed line are delivered.',
    source: 'ralph-core/src/event_reader.rs: read_new_events',
    heldBy: { 'malformed-lines': ['pending2'] },
  },
  cooldown: {
    promise: 'Ralph waits cooldown_delay_seconds between iterations.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { cooldown: ['waits'] },
    about: ['config event_loop.cooldown_delay_seconds'],
  },
  'cooldown-for-people': {
    promise: 'The wait is skipped when a message of a person is pending.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { cooldown: ['hurries'] },
  },
  'stop-file': {
    promise: 'The file .ralph/stop-requested ends the loop as stopped after the current iteration.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: { 'stop-file': ['ends', 'iterations'], 'left-behind-stopped': ['ends', 'iterations'] },
    about: ['reason stopped'],
  },
  'stop-file-removed': {
    promise: 'The stop request is used up: the next loop runs.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: { 'stop-file-used-up': ['earlier', 'ends', 'iterations', 'file'] },
  },
  'restart-file': {
    promise:
      'The file .ralph/restart-requested ends the loop as restart_requested after the current iteration, and is removed.',
    source: 'ralph-cli/src/main.rs: clear_restart_request_signal',
    heldBy: { 'restart-requested': ['earlier', 'ends', 'iterations', 'usedUp'] },
    about: ['reason restart_requested'],
  },
  'restart-by-words': {
    promise:
      'A human.response or user.prompt that says "restart ralph" or "restart yourself" requests a restart.',
    source: 'ralph-core/src/event_loop/mod.rs: is_restart_request_event',
    heldBy: { 'restart-requested': ['earlier', 'ends'] },
    about: ['topic human.response', 'topic user.prompt'],
  },
  'workspace-gone': {
    promise: 'A loop whose workspace was removed ends as workspace_gone.',
    source: 'ralph-core/src/event_loop/mod.rs: check_termination',
    heldBy: { 'workspace-gone': ['ends', 'iterations'] },
    about: ['reason workspace_gone'],
  },
};
