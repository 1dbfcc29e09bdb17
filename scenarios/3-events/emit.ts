import {
  completed,
  errandAnswered,
  eventEmitted,
  fileContains,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onEvent,
  onObjective,
  pendingEvents,
  promptContained,
  RALPH_TOPICS,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS, questionsAroundLoop } from '../support/commands.js';
import { answersOf, askAll, asks } from '../support/inquiries.js';
import { asking } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';
import { escapePattern } from '../support/texts.js';

const LINES = (word: string) => `First line.\n\n"Quoted" and \\n as it is: $HOME\nLast line: ${word} ü`;
const LONG = (word: string) => `${'many words '.repeat(90)}${word}`;
const JSON_PAYLOAD = '{"a":[1,{"b":"ü"}],"n":null}';
const TOPICS = ['note.lines', 'note.long', 'note.bare', 'note.late', 'note.json', 'note.below'];
const LATE = 'events --topic note.late --format json';
const exactly = (text: string) => new RegExp(`^${escapePattern(text)}$`);

/** The agent runs a script, so that the shell does not get in the way of what it publishes. */
const script = (word: string) =>
  [
    `cat > lines.txt <<'END'\n${LINES(word)}\nEND`,
    'ralph emit note.lines "$(cat lines.txt)"',
    `ralph emit note.long "${LONG(word)}"`,
    'ralph emit note.bare',
    'ralph emit note.late soon --ts 2020-02-03T04:05:06Z --file other.jsonl',
    `ralph emit note.json -j '${JSON_PAYLOAD}'`,
    'RALPH_EVENTS_FILE=mine.jsonl ralph emit note.mine apart',
    'RALPH_WAVE_ID=w-1 RALPH_WAVE_INDEX=2 RALPH_EVENTS_FILE=wave.jsonl ralph emit note.wave part',
    'mkdir -p deep/down && cd deep/down && env -u RALPH_EVENTS_FILE -u RALPH_WORKSPACE_ROOT ralph emit note.below here',
  ].join('\n');

const payloads = scenario({
  id: 'emit-payloads',
  ...MECHANICS,
  description:
    'Events reach the next prompt in order, each with its whole payload, also from a subfolder; those of a wave are marked',
  covers: ['FR6'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: { 'publish.sh': script(nonce) },
    prompt:
      'Run `sh publish.sh`. When its events are pending, write the last payload to heard.txt and complete.',
    after: [asking(LATE)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    pending: pendingEvents(TOPICS),
    lines: eventEmitted('note.lines', exactly(LINES(nonce))),
    heardLines: promptContained(`Event: note.lines - ${LINES(nonce)}\n`),
    long: eventEmitted('note.long', exactly(LONG(nonce))),
    heardLong: promptContained(`Event: note.long - ${LONG(nonce)}\n`),
    bare: eventEmitted('note.bare', /^$/),
    json: eventEmitted('note.json', exactly(JSON_PAYLOAD)),
    late: errandAnswered(LATE, { stdout: '"ts": "2020-02-03T04:05:06Z"' }),
    below: eventEmitted('note.below', /^here$/),
    apart: fileContains('mine.jsonl', /^\{"payload":"apart","topic":"note\.mine","ts":"20[^"]+"\}\n$/),
    ofWave: fileContains('wave.jsonl', /"topic":"note\.wave",.*"wave_id":"w-1","wave_index":2\}\n$/),
    file: fileEquals('heard.txt', 'here'),
  }),

  agent: [
    onEvent('note.below')
      .reads(/^Event: note\.below - (\w+)$/m)
      .writes('heard.txt', '{{1}}\n')
      .completes(),
    onObjective('sh publish.sh').runs('sh publish.sh'),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'publishes only the end': {
      agent: replacing('sh publish.sh', 'tail -n 1 publish.sh | sh'),
      kills: [
        'pending',
        'lines',
        'heardLines',
        'long',
        'heardLong',
        'bare',
        'json',
        'late',
        'apart',
        'ofWave',
      ],
    },
    'publishes all but the end': {
      agent: replacing('sh publish.sh', 'head -n -1 publish.sh | sh'),
      kills: ['pending', 'below', 'ends'],
    },
    'Ralph keeps only the first line': { target: 'cut-payloads', kills: ['lines', 'heardLines'] },
  },
});

const STEERED = 'emit plan.steered now';
const FIRST = 'emit plan.first Hello';
const NAMED = 'emit plan.named There --file plans/side.jsonl';
const BROKEN = 'emit plan.broken {oops --json';
const NO_TOPIC = 'emit';
const BEFORE = 'events --format json';
const SIDE = 'events --file plans/side.jsonl --format json';
const CLEAR = 'events --clear';
const CLEARED = 'events --last 9';
const LATER = 'emit plan.later Again --file ignored.jsonl';
const AFTER = 'events --topic plan.later --format json';
const IGNORED = 'events --file ignored.jsonl';
const START = 'events --topic task.start --format json';
const topics = (...names: readonly string[]) => names.map((topic) => ({ topic }));

/** Publishes outside a loop: where the events go, and what is refused. */
const command = questionsAroundLoop({
  id: 'emit-command',
  description:
    '`ralph emit` writes to the named file before a run and to the file of the run after it, and refuses bad calls',
  covers: ['FR6'],

  plan: {
    files: {
      '.ralph/urgent-steer.json': JSON.stringify({
        messages: ['Stop the press', 'Call home'],
        created_at: '2026-01-31T08:00:00+00:00',
      }),
    },
    before: [STEERED, FIRST, NAMED, BROKEN, NO_TOPIC, BEFORE, SIDE, CLEAR, CLEARED].map(asking),
    after: [LATER, AFTER, IGNORED, START].map(asking),
  },

  answers: {
    steered: errandAnswered(STEERED, {
      exitCode: 1,
      stderr: /Urgent steer is pending[\s\S]*1\. Stop the press\n2\. Call home/,
    }),
    confirmed: errandAnswered(FIRST, { stdout: /^Event emitted: plan\.first\n$/ }),
    named: errandAnswered(SIDE, { json: topics('plan.named') }),
    refused: errandAnswered(BROKEN, { exitCode: 1, stderr: 'Invalid JSON payload' }),
    noTopic: errandAnswered(NO_TOPIC, { exitCode: 2, stderr: '<TOPIC>' }),
    recorded: errandAnswered(BEFORE, { json: topics('plan.first') }),
    clears: errandAnswered(CLEAR, { stdout: /^Event history cleared\n$/ }),
    cleared: errandAnswered(CLEARED, { stdout: /^No event history found\./ }),
    later: errandAnswered(AFTER, { stdout: /"topic": "plan\.later",\s+"payload": "Again"/ }),
    ignored: errandAnswered(IGNORED, { stdout: /^No event history found\./ }),
    fresh: errandAnswered(START, { json: topics(RALPH_TOPICS.start) }),
  },

  saboteurs: {
    'Ralph loses events': { target: 'lose-events', kills: ['named', 'recorded', 'later'] },
  },
});

const DAMAGE = [
  'no event',
  '{"topic":"lost.time"}',
  '{"topic":"good.one","ts":"2026-01-31T08:00:00Z","payload":{"n":1}}',
  '',
].join('\n');

const reads = (nonce: string) => ({
  start: asks(START, {
    stdout: new RegExp(
      `"hat": "loop",\\s+"topic": "task\\.start",[^}]*"payload": "Publish step\\.one with the word ${nonce} in`,
    ),
  }),
  topic: asks('events --topic step.one --format json', {
    stdout: new RegExp(
      `^\\[\\s+\\{\\s+"ts": "20[^"]+",\\s+"iteration": 1,\\s+"hat": "ralph",\\s+"topic": "step\\.one",\\s+"payload": "${nonce.toUpperCase()}"\\s+\\}\\s+\\]\\n$`,
    ),
  }),
  cut: asks('events --topic step.two --format json', {
    stdout: /"payload": "x{500}\.\.\. \[truncated, 700 chars total\]"/,
  }),
  // Ralph records summaries since 2.10.0.
  iteration: asks('events --iteration 2 --format json', {
    eitherJson: [
      topics(RALPH_TOPICS.orphaned, 'step.two', RALPH_TOPICS.summary),
      topics(RALPH_TOPICS.orphaned, 'step.two'),
    ],
  }),
  last: asks('events --last 2 --format json', {
    eitherJson: [topics(RALPH_TOPICS.summary, RALPH_TOPICS.end), topics('step.two', RALPH_TOPICS.end)],
  }),
  // There are two: the other one is about step.one.
  lastOfTopic: asks(`events --topic ${RALPH_TOPICS.orphaned} --last 1 --format json`, {
    stdout: /^\[\s+\{[^{}]+"iteration": 2,[^{}]+"payload": "Event 'step\.two' [^{}]+\}\s+\]\n$/,
  }),
  neither: asks('events --topic step.one --iteration 2', { stdout: /^No matching events found\.\n$/ }),
  wholeTopic: asks('events --topic step', { stdout: /^No matching events found\.\n$/ }),
  table: asks('events', {
    stdout: new RegExp(
      `^ +\\d+ \\| \\d\\d:\\d\\d:\\d\\d \\| +1 \\| ralph +\\| step\\.one +\\| - +\\| ${nonce.toUpperCase()}$`,
      'm',
    ),
  }),
  total: asks('events', { stdout: /^Total: (?:9|6) events$/m }),
  // Ralph 2.10.1 logs a warning to stdout before the JSON.
  damaged: asks('events --file damaged.jsonl --format json', {
    stdout: /^(?:(?!"topic")[\s\S])*"topic": "good\.one"(?:(?!"topic")[\s\S])*$/,
  }),
  object: asks('events --file damaged.jsonl --format json', { stdout: '"payload": "{\\"n\\":1}"' }),
});

/** Reads the events of a loop of three iterations. */
const reading = scenario({
  id: 'events-command',
  ...MECHANICS,
  description: 'The events of a run are shown by topic, iteration and number, as a table or JSON',
  covers: ['FR6'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: { 'damaged.jsonl': DAMAGE },
    prompt: `Publish step.one with the word ${nonce} in uppercase, then step.two, then complete.`,
    after: askAll(reads(nonce)),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    ...answersOf(reads(nonce)),
  }),

  agent: [
    onEvent('step.two').completes(),
    onEvent('step.one').emits('step.two', 'x'.repeat(700), 'tag'),
    onObjective(/with the word (\w+) in uppercase/).emits('step.one', '{{upper 1}}', 'tag'),
    onAnyPrompt().completes(),
  ],

  exempt: { 'longer-payload': 'what is cut depends on the length of the payload' },

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations', 'total'),
    'publishes other events': {
      agent: [
        onEvent('other.one').emits('other.two', 'x', 'tag'),
        onObjective('Publish').once().emits('other.one', 'x', 'tag'),
        onAnyPrompt().completes(),
      ],
      kills: ['topic', 'cut', 'iteration', 'table'],
    },
  },
});

export const emitCommands = [payloads, command, reading];
