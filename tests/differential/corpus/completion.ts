import { completes, emits, says, tags } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

const limit = (count: number, more = '') => loop({ loop: `max_iterations: ${count}${more}` });

/** When a loop is complete: by event or by text, and what does not count as either. */
export const COMPLETION: readonly DifferentialCase[] = [
  {
    name: 'text: the promise alone on the last line',
    covers: '§5 text',
    agent: [[says('some words', 'LOOP_COMPLETE')]],
  },
  {
    name: 'text: blanks and empty lines around the promise do not matter',
    covers: '§5 text, trimmed',
    agent: [['printf "hi\\r\\n  LOOP_COMPLETE \\r\\n\\r\\n"']],
  },
  {
    name: 'text: no newline at the end',
    covers: '§5 text',
    agent: [['printf "hi\\nLOOP_COMPLETE"']],
  },
  {
    name: 'text: words after the promise, backticks, bold, other case and a part of a line do not count',
    covers: '§0.8 §5 text',
    config: limit(7),
    agent: [
      [says('LOOP_COMPLETE', 'and one more thing')],
      [says('`LOOP_COMPLETE`')],
      [says('**LOOP_COMPLETE**')],
      [says('loop_complete')],
      [says('we are done: LOOP_COMPLETE')],
      completes,
    ],
  },
  {
    name: 'text: a later line on stderr defeats the promise',
    covers: '§0.8 §6.2 stderr is parsed',
    config: limit(2),
    agent: [[says('LOOP_COMPLETE'), 'sleep 0.5', 'echo trouble >&2']],
  },
  {
    name: 'text: the promise on stderr does not count',
    covers: '§1.2 [stderr] prefix',
    config: limit(2),
    agent: [['echo LOOP_COMPLETE >&2']],
  },
  {
    name: 'text: a promise inside the payload of a tag spoils the text',
    covers: '§5 contains_promise',
    agent: [[tags('a.b', 'we said LOOP_COMPLETE'), says('LOOP_COMPLETE')], completes],
  },
  {
    name: 'text: tags are taken out before the last line is looked at',
    covers: '§5 strip event tags',
    agent: [[says('LOOP_COMPLETE'), tags('a.b', 'x')]],
  },
  {
    name: 'text: counts with hats too, from a hat and from the coordinator',
    covers: '§5 applies in hat mode',
    config: loop({ loop: 'max_iterations: 3, starting_event: build.task', more: TWO_HATS }),
    agent: [completes],
  },
  {
    name: 'event: the promise as the topic of an event',
    covers: '§5 event',
    agent: [[emits('LOOP_COMPLETE', 'done')]],
  },
  {
    name: 'event: as a tag in the output',
    covers: '§0.2 §5 XML tag',
    agent: [[tags('LOOP_COMPLETE', 'done')]],
  },
  {
    name: 'event: by a hat',
    covers: '§5 event',
    config: loop({ loop: 'max_iterations: 3, starting_event: build.task', more: TWO_HATS }),
    agent: [[emits('LOOP_COMPLETE', 'done')]],
  },
  {
    name: 'event: not the last of its batch is ignored',
    covers: '§4.2 completion topic',
    agent: [[emits('LOOP_COMPLETE'), emits('other.thing')], completes],
  },
  {
    name: 'event and text in one iteration',
    covers: '§5',
    agent: [[emits('LOOP_COMPLETE'), says('LOOP_COMPLETE')]],
  },
  {
    name: 'a failing backend can complete',
    covers: '§5 exit code does not matter',
    agent: [[says('LOOP_COMPLETE'), 'exit 3']],
  },
  {
    name: 'in the last allowed iteration it is never honoured',
    covers: '§0.1',
    config: limit(1),
    agent: [completes],
  },
  {
    name: 'in the last but one it is',
    covers: '§0.1',
    config: limit(2),
    agent: [completes],
  },
  {
    name: 'a promise of the config',
    covers: '§2 completion_promise',
    config: loop({ loop: 'max_iterations: 4, completion_promise: ALL_DONE' }),
    agent: [completes, [says('ALL_DONE')]],
  },
  {
    name: 'event: a hat that waits for the promise does not get it',
    covers: '§5 not published',
    config: loop({
      loop: 'max_iterations: 6, required_events: [a.b, c.d]',
      more: `hats:\n  ender: {name: Ender, description: ends, triggers: [LOOP_COMPLETE], publishes: [x.y], instructions: "End."}\n`,
    }),
    agent: [
      [emits('LOOP_COMPLETE')],
      [emits('c.d')],
      [emits('LOOP_COMPLETE')],
      [emits('a.b'), emits('LOOP_COMPLETE')],
    ],
  },
  {
    name: 'cancel: beats completion and needs no required event',
    covers: '§4.1 order',
    config: loop({ loop: 'max_iterations: 6, required_events: [a.b], cancellation_promise: stop.all' }),
    agent: [
      [emits('loop.cancel', 'no setting, no meaning')],
      [emits('stop.all', 'x'), emits('LOOP_COMPLETE'), says('LOOP_COMPLETE')],
    ],
  },
  {
    name: 'a promise of the command line',
    covers: '§1.1 --completion-promise, --max-iterations',
    agent: [completes, [says('FIN')]],
    commands: [run('--completion-promise', 'FIN', '--max-iterations', '4')],
  },
];
