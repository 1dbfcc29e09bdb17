import type { Promises } from '../../../src/authoring.js';
import { inEach } from '../each-backend.js';

export const completion: Promises = {
  'promise-on-last-line': {
    promise: 'A loop completes when the promise stands alone on the last non-empty line of the output.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
    heldBy: {
      'claude-completion': ['ends', 'ended'],
      ...inEach('connect', ['ends'], { except: ['claude'] }),
      ...inEach('single-iter', ['ends', 'iterations']),
      'claude-multi-iter': ['ends', 'ended'],
      'custom-connect': ['ends'],
      'custom-single-iter': ['ends', 'iterations'],
      'claude-tool-use': ['ends', 'iterations'],
      'claude-streaming': ['ends'],
    },
    about: ['config event_loop.completion_promise', 'reason completed'],
  },
  'promise-with-blank-lines-around': {
    promise: 'Spaces around the promise and empty lines after it do not hide it.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
    heldBy: {
      'completion-near-misses': ['ends', 'iterations'],
      'issue-47-completion-string-not-detected': ['ends', 'iterations'],
    },
  },
  'promise-in-a-sentence': {
    promise: 'A loop goes on when the last line only mentions the promise in a sentence.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
    heldBy: {
      'claude-completion': ['ends', 'iterations'],
      'completion-near-misses': ['iterations'],
      'issue-139-completion-after-first-event': ['ends', 'iterations', 'hat', 'file'],
    },
  },
  'promise-on-a-middle-line': {
    promise: 'A loop goes on when the promise stands alone on a line, but other text follows it.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
    heldBy: { 'claude-completion': ['ends', 'iterations'], 'completion-near-misses': ['iterations'] },
  },
  'promise-in-an-event-tag': {
    promise:
      'A promise inside the payload of an event tag does not complete the loop, whatever the last line is.',
    source: 'ralph-core/src/event_parser.rs: promise_in_event_tags',
    heldBy: { 'completion-near-misses': ['iterations', 'heardTag'] },
  },
  'promise-before-an-event-tag': {
    promise: 'An event tag after the promise does not hide it: tags are no part of the text.',
    source: 'ralph-core/src/event_parser.rs: strip_event_tags',
    heldBy: { 'completion-near-misses': ['ends', 'iterations'] },
  },
  'own-promise': {
    promise: 'The configured promise completes the loop, and the default one does not.',
    source: 'ralph-core/src/config.rs: EventLoopConfig',
    heldBy: {
      'completion-near-misses': ['ends', 'iterations'],
      'issue-47-completion-string-not-detected': ['ends', 'iterations'],
    },
    about: ['config event_loop.completion_promise'],
  },
  'completion-event': {
    promise: 'A loop completes when the last event of an iteration is the promise.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'issue-302-completion-in-hat-mode': ['ends', 'hats'] },
  },
  'completion-event-not-last': {
    promise:
      'A completion event does not count if another event follows it, and the other event is delivered.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'completion-near-misses': ['iterations', 'heardNote'] },
  },
  'completion-event-not-delivered': {
    promise: 'A completion event is no pending event: nobody gets it.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'completion-near-misses': ['untold'] },
  },
  'completion-by-event-tag': {
    promise: 'A completion event in a tag counts like one from the command.',
    source: 'ralph-cli/src/loop_runner.rs: log_events_from_output',
    heldBy: { 'hat-catch-all': ['ends', 'hats'] },
  },
  'completion-said-and-published': {
    promise: 'The promise as text completes the loop also when the agent published another event.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'issue-303-completion-said-in-hat-mode': ['ends', 'hats'] },
  },
  'completion-said-with-hats': {
    promise: 'With hats, too, the promise as the last line of plain text completes the loop.',
    source:
      'ralph-cli/src/loop_runner.rs: run_loop_impl; ralph-core/src/event_loop/mod.rs: request_completion_from_text_fallback',
    heldBy: { 'issue-290-kiro-text-completion': ['ends', 'iterations'] },
  },
  'completion-in-the-last-iteration': {
    promise: 'A loop that completes in its last allowed iteration counts as completed.',
    source: 'ralph-core/src/event_loop/mod.rs: process_output',
    heldBy: { 'issue-369-completion-in-the-last-iteration': ['ends', 'iterations'] },
  },
  'required-events-all': {
    promise: 'Completion is refused until every required event was seen.',
    source: 'ralph-core/src/event_loop/loop_state.rs: missing_required_events',
    heldBy: {
      'required-events': ['iterations', 'published', 'publishedRest'],
      'issue-195-required-events': ['hats', 'order', 'reviewed'],
    },
    about: ['config event_loop.required_events'],
  },
  'required-events-named': {
    promise: 'The next prompt names the required events that are missing, and only those.',
    source: 'ralph-core/src/event_loop/mod.rs: check_completion_event',
    heldBy: { 'required-events': ['told', 'toldRest'], 'issue-195-required-events': ['told', 'byRalph'] },
    about: ['topic task.resume'],
  },
  'required-events-in-any-iteration': {
    promise: 'A required event counts whenever it was seen in the loop, also before an earlier refusal.',
    source: 'ralph-core/src/event_loop/loop_state.rs: record_event',
    heldBy: {
      'required-events': ['ends'],
      'issue-195-required-events': ['told', 'ends'],
      'hat-default-publishes': ['ends'],
      'hat-start': ['ends'],
    },
  },
  'required-events-refused': {
    promise:
      'A required event that a gate refuses does not count; one that passes counts at once, before a completion of the same iteration.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'claims-refused': ['ends', 'iterations', 'told', 'toldRest', 'refused', 'passed', 'file'] },
  },
  'required-events-for-text': {
    promise: 'Required events also hold back a promise that is only said.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'required-events': ['iterations', 'told'] },
  },
  'refused-once': {
    promise: 'A refused completion is forgotten: the loop completes only when it is declared again.',
    source: 'ralph-core/src/event_loop/mod.rs: check_completion_event',
    heldBy: { 'required-events': ['iterations'] },
  },
  'open-tasks': {
    promise:
      'With memories on, completion is refused while a task of the loop is open, and the next prompt names it.',
    source: 'ralph-core/src/event_loop/mod.rs: verify_tasks_complete',
    heldBy: {
      'tasks-block-completion': ['ends', 'iterations', 'remaining'],
      'continue-state': ['blocked'],
      'tasks-disabled': ['ends'],
    },
  },
  'tasks-of-other-loops': {
    promise: 'Open tasks of other loops do not hold completion back.',
    source: 'ralph-core/src/event_loop/mod.rs: filter_tasks_by_loop',
    heldBy: { 'tasks-of-another-loop': ['ends', 'iterations'] },
  },
  'notes-do-not-block': {
    promise: 'Open items in the scratchpad do not hold completion back.',
    source: 'ralph-core/src/event_loop/mod.rs: verify_scratchpad_complete',
    heldBy: { 'completion-near-misses': ['ends', 'notes'] },
  },
  persistent: {
    promise: 'A persistent loop goes on after completion, and the next prompt says so.',
    source: 'ralph-core/src/event_loop/mod.rs: check_completion_event',
    heldBy: { persistent: ['ends', 'iterations', 'told', 'file'] },
    about: ['config event_loop.persistent'],
  },
  'cancellation-at-once': {
    promise: 'The cancellation event ends the loop as cancelled after the iteration that published it.',
    source: 'ralph-core/src/event_loop/mod.rs: check_cancellation_event',
    heldBy: {
      cancellation: ['ends', 'untold'],
      'cancellation-comes-first': ['ends', 'iterations'],
      'left-behind-cancelled': ['ends', 'iterations'],
    },
    about: ['config event_loop.cancellation_promise', 'reason cancelled'],
  },
  'cancellation-without-required-events': {
    promise: 'Cancellation needs no required events.',
    source: 'ralph-core/src/event_loop/mod.rs: check_cancellation_event',
    heldBy: { 'cancellation-comes-first': ['ends', 'iterations'] },
  },
  'cancellation-before-completion': {
    promise: 'A loop that is cancelled and completed in the same iteration is cancelled.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'cancellation-comes-first': ['ends'] },
  },
  'no-cancellation-by-default': {
    promise: 'Only the configured event cancels a loop: loop.cancel has no meaning of its own.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'cancellation-comes-first': ['iterations', 'heard'] },
  },
};
