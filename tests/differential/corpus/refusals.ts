import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

/** Completion that is refused, and loops that are cancelled. */
export const REFUSALS: readonly DifferentialCase[] = [
  {
    name: 'refusal: required events, missing and then seen',
    covers: '§5 required_events',
    config: loop({ loop: 'max_iterations: 6, required_events: [my.step, other.step]' }),
    agent: [completes, [emits('my.step')], [emits('LOOP_COMPLETE')], [emits('other.step')], completes],
  },
  {
    name: 'refusal: a required event that was refused by its gate does not count',
    covers: '§5 §4.2',
    config: loop({ loop: 'max_iterations: 5, required_events: [build.done]' }),
    agent: [[emits('build.done', 'trust me')], completes],
  },
  {
    name: 'refusal: persistent',
    covers: '§5 persistent',
    config: loop({ loop: 'max_iterations: 4, persistent: true' }),
    agent: [completes, [emits('LOOP_COMPLETE')], completes],
  },
  {
    name: 'refusal: order of reasons',
    covers: '§5 in order',
    config: loop({ loop: 'max_iterations: 5, required_events: [my.step], persistent: true' }),
    agent: [['ralph tools task add job >/dev/null', says('LOOP_COMPLETE')], [emits('my.step')], completes],
  },
  {
    name: 'cancel: by its event',
    covers: '§4.2 cancellation',
    config: loop({ loop: 'max_iterations: 5, cancellation_promise: loop.cancel' }),
    agent: [[emits('loop.cancel', 'enough')]],
  },
  {
    name: 'cancel: beats completion and open tasks',
    covers: '§4.1 order',
    config: loop({ loop: 'max_iterations: 5, cancellation_promise: loop.cancel' }),
    agent: [['ralph tools task add job >/dev/null', emits('loop.cancel'), emits('LOOP_COMPLETE')]],
  },
  {
    name: 'cancel: its text does not count, and without the setting neither does the event',
    covers: '§4.2',
    config: loop({ loop: 'max_iterations: 4' }),
    agent: [[emits('loop.cancel')], [says('loop.cancel')], completes],
  },
  {
    name: 'cancel: in the last iteration the limit wins',
    covers: '§4.1',
    config: loop({ loop: 'max_iterations: 1, cancellation_promise: loop.cancel' }),
    agent: [[emits('loop.cancel')]],
  },
  {
    name: 'cancel: with hats',
    covers: '§4.2',
    config: loop({
      loop: 'max_iterations: 4, cancellation_promise: loop.cancel, starting_event: build.task',
      more: TWO_HATS,
    }),
    agent: [[emits('loop.cancel')]],
  },
  {
    name: 'continue: without a scratchpad',
    covers: '§1.1 --continue',
    commands: [run('--continue')],
  },
  {
    name: 'continue: goes on counting and reads what was emitted meanwhile',
    covers: '§1.1 --continue §3 loop-state',
    config: loop({ loop: 'max_iterations: 2' }),
    agent: [['echo note >> .ralph/agent/scratchpad.md'], [emits('last.words', 'x')], completes],
    commands: [
      run(),
      ['emit', 'late.one', 'hello'],
      run('--continue'),
      run('--continue', '--max-iterations', '5'),
    ],
  },
  {
    name: 'continue: after completion',
    covers: '§1.1 --continue',
    agent: [['echo note >> .ralph/agent/scratchpad.md', says('LOOP_COMPLETE')]],
    commands: [run(), run('--continue', '--max-iterations', '9')],
  },
  {
    name: 'continue: with hats resumes with the coordinator',
    covers: '§1.1 --continue §4.3',
    config: loop({ loop: 'max_iterations: 2, starting_event: build.task', more: TWO_HATS }),
    agent: [['echo note >> .ralph/agent/scratchpad.md', emits('build.finished')], [says('x')], completes],
    commands: [run(), run('--continue', '--max-iterations', '6')],
  },
  {
    name: 'continue: a scratchpad made by hand is enough',
    covers: '§1.1 --continue',
    files: { '.ralph/agent/scratchpad.md': 'by hand\n' },
    agent: [completes],
    commands: [run('--continue')],
  },
  {
    name: 'continue: the loop id needs it',
    covers: '§1.1 --loop-id',
    commands: [run('--loop-id', 'x')],
  },
];
