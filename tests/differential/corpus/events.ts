import { appendsEvent, completes, emits, says, tags } from '../agent.js';
import { type DifferentialCase, loop, TWO_HATS } from '../case.js';

/** How events get from an agent into the loop, and what becomes of them. */
export const EVENTS: readonly DifferentialCase[] = [
  {
    name: 'events: emitted ones are pending in the next prompt, in order',
    covers: '§4.1 §7.10',
    agent: [
      [emits('first.thing', 'one'), emits('second.thing'), emits('third.thing', 'line one\nline two')],
      completes,
    ],
  },
  {
    name: 'events: a payload as JSON',
    covers: '§4.4 --json §3.1',
    agent: [
      [`ralph emit x.y --json '{"b":1,"a":[{"d":1.50,"c":"ü"}],"n":null}'`, `ralph emit x.z -j '"text"'`],
      completes,
    ],
  },
  {
    name: 'events: a payload that is not JSON is refused',
    covers: '§4.4',
    agent: [[`ralph emit x.y --json '{oops'; echo "exit $?"`, 'ralph emit; echo "exit $?"'], completes],
  },
  {
    name: 'events: emit with a time and a file of its own',
    covers: '§4.4 --ts --file §3.1 the marker wins',
    agent: [['ralph emit x.y p --ts 2020-01-01T00:00:00Z --file other.jsonl'], completes],
  },
  {
    name: 'events: emit from a subfolder, with and without the environment of the loop',
    covers: '§3.1 location',
    agent: [
      [
        'mkdir -p a/b; cd a/b',
        'ralph emit from.env',
        'unset RALPH_EVENTS_FILE; ralph emit from.root',
        'unset RALPH_WORKSPACE_ROOT; ralph emit from.search',
      ],
      completes,
    ],
  },
  {
    name: 'events: emit outside a run',
    covers: '§3.1 .ralph/events.jsonl',
    commands: [['emit', 'a.b', 'c'], ['emit', 'a.b', '--file', 'mine.jsonl'], ['emit']],
  },
  {
    name: 'events: a tag in the output, nobody subscribed',
    covers: '§0.2 event.orphaned',
    agent: [[tags('foo.bar', 'payload')], completes],
  },
  {
    name: 'events: a tag that a hat waits for',
    covers: '§0.2',
    config: loop({ loop: 'max_iterations: 5', more: TWO_HATS }),
    agent: [[says('<event topic="build.task" target="reviewer">short</event>')], completes],
  },
  {
    name: 'events: a long payload of a tag is cut at 500',
    covers: '§0.2 §3.1 truncated',
    agent: [[tags('long.one', 'x'.repeat(600)), tags('long.two', `x${'ü'.repeat(400)}`)], completes],
  },
  {
    name: 'events: a long payload that was emitted stays whole',
    covers: '§3.1',
    agent: [[emits('long.one', 'x'.repeat(900))], completes],
  },
  {
    name: 'events: tags over several lines, two on a line, and broken ones',
    covers: '§0.2',
    agent: [
      [
        says(
          '<event topic="a.one">x',
          'y</event>',
          '<event topic="a.two">1</event><event topic="a.three">2</event>',
        ),
        says(
          "<event topic='a.four'>q</event>",
          '<event>no topic</event>',
          '<event topic="a.five">never closed',
        ),
      ],
      completes,
    ],
  },
  {
    name: 'events: tags of an agent that was cut off',
    covers: '§0.2',
    agent: [
      [
        says(
          'Some words come first. <event>a tag without a topic</event>',
          'More words. <event topic="word.kept">whole</event>',
          'The last one stops short: <event topic="word.lost">half a',
        ),
      ],
      completes,
    ],
  },
  {
    name: 'events: tags with broken beginnings',
    covers: '§0.2',
    agent: [
      [
        says(
          '<event kind="none">no topic <event topic="in.nameless">inner</event></event>',
          '<event topic="un.quoted>x</event> <event topic="after.unquoted">y</event>',
          '<event topic="">empty topic</event>',
          '<event\ttopic="tab.bed">z</event> <Event topic="up.per">z</Event> < event topic="spa.ced">z</event>',
          '<event topic=bare.word>z</event> <event  topic="two.spaces">z</event>',
          '<event subtopic="a.sub" topic="a.real">z</event> <event target="x" topic="late.topic">z</event>',
          '<event topic="one.a" topic="one.b">z</event> <event topic="slash.ed"/> <event topic="af.ter">z</event>',
        ),
      ],
      completes,
    ],
  },
  {
    name: 'events: tags with broken ends',
    covers: '§0.2',
    agent: [
      [
        says(
          '<event topic="open.one">half <event topic="open.two">inner</event> rest</event>',
          '<event topic="bad.end">x</events> y</event>',
          '<event topic="spaced.end">x</event > <event topic="next.one">y</event>',
          '<event topic="no.end">x <event topic="cut.o',
        ),
      ],
      completes,
    ],
  },
  // The promise is alone on the last line, behind or inside tags that are broken.
  ...[
    '<event kind="none">\nLOOP_COMPLETE\n</event>\nLOOP_COMPLETE',
    '<event topic="a.b">never closed\nLOOP_COMPLETE',
    '<event topic="a.b\nLOOP_COMPLETE',
    '<event>\nLOOP_COMPLETE\n</event>',
    '<event topic="a.b">x</event> <event never opened\nLOOP_COMPLETE',
    '<event a</event>\nLOOP_COMPLETE',
    'x</event>\nLOOP_COMPLETE',
  ].map((text) => ({
    name: `events: a promise with a broken tag, ${JSON.stringify(text)}`,
    covers: '§0.2 §0.8',
    agent: [[says(text)]],
  })),
  {
    name: 'events: lines written by hand, good and broken',
    covers: '§3.1 reader rules',
    agent: [
      [
        appendsEvent('{"topic":"by.hand","ts":"now","payload":{"b":1,"a":2},"extra":true}'),
        appendsEvent('{"topic":"no.payload","ts":"now"}'),
        appendsEvent('{bad'),
        appendsEvent('{"topic":"no.ts"}'),
        appendsEvent('[1]'),
        appendsEvent(''),
      ],
      completes,
    ],
  },
  {
    name: 'events: malformed lines three times in a row do not end the loop',
    covers: '§1.3 validation_failure is never reached',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [[appendsEvent('{bad'), appendsEvent('{worse'), appendsEvent('{worst')]],
  },
  {
    name: 'events: the words of the emit command without an event cost five seconds and nothing else',
    covers: '§0.10',
    config: loop({ loop: 'max_iterations: 3' }),
    agent: [[says('I will ralph emit soon')], completes],
  },
  {
    name: 'events: one that arrives late is still read',
    covers: '§0.10 polling',
    config: loop({ loop: 'max_iterations: 4' }),
    env: { RALPH_STANDIN_TIME_SCALE: '1' },
    agent: [[says('now ralph emit'), '(sleep 1; ralph emit late.event hello) >/dev/null 2>&1 &'], completes],
  },
  {
    name: 'events: a backend that goes on after it emitted is ended, and has failed',
    covers: '§0.10 grace',
    config: loop({ loop: 'max_iterations: 4, max_consecutive_failures: 1' }),
    agent: [[emits('a.b', 'c'), 'exec sleep 60']],
  },
  {
    name: 'events: between iterations, from a process that outlives the agent',
    covers: '§4.1.2 polling for pending events',
    config: loop({ loop: 'max_iterations: 4' }),
    agent: [[appendsEvent('{"topic":"early","ts":"t","payload":"p"}'), says('x')], completes],
  },
  {
    name: 'events: human.interact passes through',
    covers: '§4.3 without RObot',
    agent: [[emits('human.interact', 'may I?')], completes],
  },
  {
    name: 'events: guidance is shown until it is acknowledged, and blocks completion',
    covers: '§4.3 human.guidance §5 refusals',
    config: loop({ loop: 'max_iterations: 7' }),
    agent: [
      [emits('human.guidance', 'be nice')],
      completes,
      [emits('human.guidance', 'and quick')],
      [emits('human.guidance.ack', 'ok')],
      completes,
    ],
  },
  {
    name: 'events: an urgent word from outside makes emit fail once',
    covers: '§4.4 urgent-steer.json',
    files: { '.ralph/urgent-steer.json': '{"messages":["stop that"],"created_at":"2024-01-01T00:00:00Z"}' },
    commands: [
      ['emit', 'a.b'],
      ['emit', 'a.b'],
    ],
  },
  {
    name: 'events: the answer of a person is passed on',
    covers: '§4.3 human.*',
    agent: [[emits('human.response', 'yes')], completes],
  },
];
