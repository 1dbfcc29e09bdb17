import type { Promises } from '../../../src/authoring.js';

export const waves: Promises = {
  emit: {
    promise:
      '`ralph wave emit` writes one event per payload, with one wave id, an index from 0 and the total, and prints the wave id.',
    source: 'ralph-cli/src/wave.rs: write_wave_events',
    heldBy: { wave: ['workers', 'correlated'], 'wave-workers': ['printed', 'together', 'last'] },
    about: ['command wave', 'command wave emit', 'flag wave emit --payloads'],
  },
  'no payload': {
    promise: '`ralph wave emit` without a payload is refused.',
    source: 'ralph-cli/src/wave.rs: write_wave_events',
    heldBy: { 'wave-failure': ['empty'] },
    about: ['command wave emit'],
  },
  'no nested waves': {
    promise: 'A worker of a wave cannot start another wave.',
    source: 'ralph-cli/src/wave.rs: execute_emit',
    heldBy: { wave: ['nested'] },
    about: ['command wave emit'],
  },
  'one worker each': {
    promise: 'Each event of a wave gets a worker of its own, in the hat that the topic triggers.',
    source: 'ralph-cli/src/loop_runner.rs: execute_wave',
    heldBy: { wave: ['workers'] },
    about: ['config hats.*.concurrency'],
  },
  'at the same time': {
    promise: 'Workers run at the same time, as many as the `concurrency` of the hat allows and no more.',
    source: 'ralph-cli/src/loop_runner.rs: execute_wave',
    heldBy: { wave: ['met', 'limit'] },
    about: ['config hats.*.concurrency'],
  },
  'not without concurrency': {
    promise: 'A hat without `concurrency` gets the events of a wave as ordinary events.',
    source: 'ralph-core/src/wave_detection.rs: detect_wave_events',
    heldBy: { 'wave-in-turn': ['hats', 'pieces', 'first', 'second', 'ordinary'] },
    about: ['config hats.*.concurrency'],
  },
  'worker prompt': {
    promise:
      'The prompt of a worker has the instructions of the hat, its place in the wave, its own payload alone, and how to publish the result.',
    source: 'ralph-core/src/wave_prompt.rs: build_wave_worker_prompt',
    heldBy: { wave: ['workers'] },
    about: ['config hats.*.concurrency'],
  },
  'worker environment': {
    promise:
      'A worker finds its wave, its index and its own events file in its environment, and what it emits has both.',
    source: 'ralph-cli/src/loop_runner.rs: execute_wave',
    heldBy: { wave: ['workers', 'own', 'tagged'] },
  },
  'worker backend': {
    promise: 'A worker runs on the backend of its hat, with the arguments of the hat.',
    source: 'ralph-cli/src/loop_runner.rs: execute_wave',
    heldBy: { 'wave-workers': ['calls'] },
    about: ['config hats.*.backend', 'config hats.*.backend_args'],
  },
  'how to dispatch': {
    promise:
      'The prompt of a hat that publishes to a concurrent hat teaches `ralph wave emit`, and no other prompt does.',
    source: 'ralph-core/src/hatless_ralph.rs: wave_dispatch_section',
    heldBy: { wave: ['taught'], 'wave-in-turn': ['untaught'] },
    about: ['command wave emit'],
  },
  results: {
    promise:
      'When all workers are done, all their results are in the events file with the wave id and the index of the worker, and the next hat gets all of them in one prompt.',
    source: 'ralph-cli/src/loop_runner.rs: merge_wave_results_to_events_file',
    heldBy: {
      wave: ['results', 'once', 'correlated'],
      'wave-workers': ['first', 'same'],
      'wave-failure': ['same'],
    },
    about: ['config hats.*.aggregate.mode'],
  },
  'silent workers': {
    promise: 'Ralph warns of workers that did not report, and of no others.',
    source: 'ralph-cli/src/loop_runner.rs: execute_wave',
    heldBy: { wave: ['noneSilent'] },
  },
  'review of a worker': {
    promise: 'A review.done of a worker needs no evidence of tests and build.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'wave-workers': ['reviewed', 'nothingElse'] },
    about: ['topic review.done'],
  },
  'same results are not stale': {
    promise: 'Results with the same topic and payload do not count as a stale loop.',
    source: 'ralph-core/src/event_loop/mod.rs: reset_stale_topic_counter',
    heldBy: { 'wave-workers': ['ends', 'same'] },
    about: ['reason loop_stale'],
  },
  'worker timeout': {
    promise:
      'A worker that runs longer than the `timeout` of its hat is killed; the others keep their results, and its failure reaches the next hat on every topic that the worker publishes.',
    source: 'ralph-cli/src/loop_runner.rs: run_wave_worker_pty',
    heldBy: { 'wave-failure': ['failed', 'instead', 'everywhere', 'done', 'ends'] },
    about: ['config hats.*.timeout', 'topic wave.worker.failed', 'config hats.*.aggregate.timeout'],
  },
  'worker that fails': {
    promise: 'A worker that exits with an error does not end the wave or the loop: what it emitted counts.',
    source: 'ralph-cli/src/loop_runner.rs: run_wave_worker_pty',
    heldBy: { 'wave-workers': ['ends', 'same', 'nothingElse'] },
  },
  'one wave at a time': {
    promise: 'Of several waves in one iteration, Ralph runs the first alone.',
    source: 'ralph-core/src/wave_detection.rs: detect_wave_events',
    heldBy: { 'wave-workers': ['calls', 'nothingElse'] },
  },
  'waves on screen': {
    promise:
      'Without the interface, Ralph prints the hat, the number of workers and the timeout of a wave, the end of each worker with the start of its payload, and how many failed.',
    source: 'ralph-cli/src/display.rs: print_wave_header',
    heldBy: { 'wave-on-screen': ['begins', 'workers', 'result', 'lost'] },
  },
  'waves for programs': {
    promise:
      'With --rpc, Ralph tells the same about a wave in JSON lines, and prints nothing of it to stderr.',
    source: 'ralph-cli/src/loop_runner.rs: handle_wave_events',
    heldBy: { 'wave-on-screen': ['json', 'onlyJson'] },
    about: ['flag run --rpc'],
  },
  'several waves': {
    promise: 'Ralph warns of several waves in one iteration, and of nothing if there is only one.',
    source: 'ralph-core/src/wave_detection.rs: detect_wave_events',
    heldBy: { 'wave-on-screen': ['single', 'several'] },
  },
  'bad concurrency': {
    promise: 'A hat with a concurrency of 0, and one that is both concurrent and an aggregator, are refused.',
    source: 'ralph-core/src/config.rs: validate',
    heldBy: { 'wave-failure': ['zero', 'both'] },
    about: ['config hats.*.concurrency'],
  },
};
