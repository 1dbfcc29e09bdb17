import {
  allOf,
  completed,
  errandAnswered,
  eventEmitted,
  fileContains,
  hatSequence,
  hats,
  iterationCount,
  loop,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  type Scenario,
  scenario,
  scratchpadContains,
  toldFrom,
  toldTimes,
} from '../../src/authoring.js';
import { emitting, replacing, withoutEmitting } from '../support/agent-changes.js';
import { arranging, configuring } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { hooksAt } from '../support/hooks.js';
import { ignoresCompletion, neverCompletes } from '../support/saboteurs.js';

/* What Ralph does with the messages of people. */

const BY_HAND = 'this tests what Ralph makes of messages, and not the commands of Ralph';

const guided = (word: string) =>
  new RegExp(`^## ROBOT GUIDANCE$[\\s\\S]*^1\\. Paint it ${word}\\.\n2\\. Paint it twice\\.$`, 'm');

/** Messages of a person in a loop with hats: an active hat gets them, and so does every later prompt. */
const guidanceWithHats = scenario({
  ...MECHANICS,
  id: 'guidance-with-hats',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'An active hat and all later prompts get every message of a person, also after a newer one; one acknowledgment is enough for all',
  covers: ['FR6', 'FR10', 'FR16'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        writer: {
          triggers: ['write.request'],
          publishes: ['write.finished'],
          instructions: 'Run message.sh and publish write.finished.',
        },
        editor: {
          triggers: ['write.finished'],
          publishes: ['edit.finished'],
          instructions: 'Run later.sh and publish edit.finished.',
        },
      },
      { maxIterations: 7 },
    ).startingWith('write.request'),
    files: {
      'message.sh': [
        `ralph emit human.guidance "Paint it ${nonce}."`,
        'ralph emit human.guidance "Paint it twice."',
        `ralph emit human.interact "Which color, ${nonce}?"`,
        '',
      ].join('\n'),
      'later.sh': 'ralph emit human.guidance "Sand it first."\n',
    },
    prompt: 'Have it written and edited.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('writer', 'editor', 'ralph', 'ralph', 'ralph'),
    guided: promptContained(guided(nonce), { iteration: 2 }),
    stays: toldFrom(2, guided(nonce)),
    joined: toldFrom(3, `1. Paint it ${nonce}.\n2. Paint it twice.\n3. Sand it first.\n`),
    notes: allOf(
      'the scratchpad has both messages',
      scratchpadContains(new RegExp(`^### HUMAN GUIDANCE .*\n\nPaint it ${nonce}\\.$`, 'm')),
      scratchpadContains(/^### HUMAN GUIDANCE .*\n\nPaint it twice\.$/m),
    ),
    asked: pendingEvents(['write.finished', 'human.interact'], { iteration: 2 }),
    question: promptContained(`\nEvent: human.interact - Which color, ${nonce}?\n`, { iteration: 2 }),
    refused: promptContained('3 human.guidance message(s) remain unacknowledged', { iteration: 4 }),
    acknowledged: pendingEvents(['human.guidance.ack'], { iteration: 5 }),
  }),

  agent: [
    onHat('Writer').runs('sh message.sh').emits('write.finished', 'draft'),
    onHat('Editor').runs('sh later.sh').emits('edit.finished', 'done'),
    onEvent('human.guidance.ack').completes(),
    onEvent('edit.finished').completes(),
    onEvent('task.resume').emits('human.guidance.ack', 'painted'),
    onObjective(/written and edited/).says('I have nothing to do.'),
  ],

  saboteurs: {
    'guidance does not reach the agent': {
      target: 'drop-guidance',
      kills: ['guided', 'stays', 'joined'],
      failure: 'PromptIneffective',
    },
    'only the first message reaches the agent': {
      target: 'first-guidance-only',
      kills: ['guided', 'stays', 'joined'],
      failure: 'PromptIneffective',
    },
    'only the first event reaches the agent': { target: 'first-event-only', kills: ['asked', 'question'] },
    'the person says something else': {
      config: arranging({ files: { 'message.sh': 'ralph emit human.guidance "Paint it."\n' } }),
      kills: ['guided', 'stays', 'joined', 'notes', 'asked', 'question', 'refused'],
      failure: 'PromptIneffective',
    },
    'nobody acknowledges': {
      agent: withoutEmitting('human.guidance.ack'),
      kills: ['acknowledged', 'ends', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

const EMITS = [
  'ralph emit first.word one > first.txt 2>&1; echo "exit $?" >> first.txt',
  'sh steer.sh',
  'ralph emit second.word two > second.txt 2>&1; echo "exit $?" >> second.txt',
  'ralph emit second.word three',
].join('; ');

const LATE = 'emit late.word four';

/** Messages that cannot wait: Ralph's own API writes them to a file, which `steer.sh` does here. */
const urgentSteer = scenario({
  ...MECHANICS,
  id: 'urgent-steer',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'Urgent messages stop `ralph emit` once, and all are shown; those that another run left stop nothing',
  covers: ['FR6'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: {
      // Left behind by another run: it must not stop this one.
      '.ralph/urgent-steer.json': JSON.stringify({ messages: ['old'], created_at: '2026-01-01T00:00:00Z' }),
      'steer.sh': [
        'cat > .ralph/urgent-steer.json <<END',
        JSON.stringify({ messages: [`Stop at ${nonce}.`, 'Turn back.'], created_at: '2026-01-01T00:00:00Z' }),
        'END',
        '',
      ].join('\n'),
    },
    prompt: 'Publish three words.',
    after: [{ ralph: LATE.split(' ') }],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    stale: fileContains('first.txt', 'exit 0'),
    stopped: fileContains('second.txt', /exit 1$/m),
    messages: fileContains('second.txt', `\n1. Stop at ${nonce}.\n2. Turn back.\n`),
    pending: pendingEvents(['first.word', 'second.word'], { iteration: 2 }),
    again: promptContained('\nEvent: second.word - three\n', { iteration: 2 }),
    // The agent sent another message in its last iteration: the run takes it with it.
    cleared: errandAnswered(LATE, { stdout: 'Event emitted: late.word' }),
  }),

  agent: [
    onEvent('second.word').runs('sh steer.sh').completes(),
    onObjective(/Publish three words/).runs(EMITS),
  ],

  notApplicable: { 'by-hand': BY_HAND, 'forged-output': BY_HAND },

  saboteurs: {
    'urgent messages are ignored': {
      target: 'ignore-urgent-steer',
      kills: ['stopped', 'messages', 'pending'],
    },
    'the message comes before the first word': {
      agent: replacing('ralph emit first.word', 'sh steer.sh; ralph emit first.word'),
      kills: ['stale', 'pending'],
    },
    'there is no message': {
      config: arranging({ files: { 'steer.sh': 'true\n' } }),
      kills: ['stopped', 'messages', 'pending'],
      failure: 'AssertionMismatch',
    },
    'gives up at the message': {
      agent: replacing('; ralph emit second.word three', ''),
      kills: ['pending', 'again'],
    },
    'another run is going on': {
      config: arranging({ after: [{ ralph: [...LATE.split(' '), '--nonsense'] }] }),
      kills: ['cleared'],
      failure: 'AssertionMismatch',
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

/** A question that an earlier run left open, so that its token is known and an answer can lie ready. */
const question = (token: string) => ({
  '.ralph/api/robot-question.json': JSON.stringify({ id: 7, loop_id: 'main', response_token: token }),
});

/** What a person's program writes: an answer to a question, known by its number and token. */
const answer = (token: string, response: string) => ({
  'answer.json': JSON.stringify({ id: 7, loop_id: 'main', response_token: token, response }),
});

const ANSWER = 'cp answer.json .ralph/api/robot-response.json';

/** Somebody publishes an event while Ralph waits, and then the person answers. Only a hook can leave such a process behind. */
const MEANWHILE = [
  "for i in $(seq 200); do grep -qs 'Waiting for web robot' .ralph/diagnostics/*/trace.jsonl && break; sleep 0.05; done",
  `"$(cat ralph-bin.txt)" emit news.told 'the shop is open'`,
  ANSWER,
].join('; ');
const PERSON = {
  name: 'person',
  command: ['sh', '-c', `(${MEANWHILE}) > person.log 2>&1 < /dev/null &`],
  on_error: 'block',
};

const robot = (seconds: number) => ({
  more: { RObot: { enabled: true, mode: 'web', timeout_seconds: seconds, checkin_interval_seconds: 0 } },
});

const ENDLESS = 'run -c endless.yml --no-tui -p hello';
const MUTE = 'run -c mute.yml --no-tui -p hello';

const ROBOT = 'RObot, which talks to people';

/** A question to a person, answered. */
const answered = scenario({
  ...MECHANICS,
  id: 'ask-answered',
  beyondStandIn: ROBOT,
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'The answer of a person reaches the next prompt and is recorded, and the person can see the progress',
  covers: ['FR6'],
  expectedIterations: 3,
  timeoutSeconds: 60,

  arrange: ({ nonce, numbers: [a] }) => ({
    config: loop({
      maxIterations: 4,
      skills: true,
      tasks: true,
      more: { ...robot(15).more, hooks: hooksAt(['pre.human.interact'], PERSON) },
    }),
    files: { ...question(nonce), ...answer(nonce, `red ${a}`) },
    prompt: `Ask for the color of ${nonce}.`,
  }),

  expect: ({ nonce, numbers: [a] }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    asked: eventEmitted('human.interact', `Which color has ${nonce}?`),
    pending: pendingEvents(['news.told', 'human.interact', 'human.response'], { iteration: 2 }),
    meanwhile: toldTimes(1, 'Event: news.told - the shop is open\n'),
    answer: promptContained(`\nEvent: human.response - red ${a}\n`, { iteration: 2 }),
    once: toldTimes(1, `Event: human.response - red ${a}\n`),
    recorded: eventEmitted('human.response', `red ${a}`),
    checkin: fileContains('.ralph/api/robot-checkin.json', /"iteration": 3,/),
    skill: toldTimes(3, '</ralph-tools-tasks-skill>\n\n<robot-skill>\n'),
  }),

  agent: [
    onEvent('color.noted').completes(),
    onEvent('human.interact').emits('color.noted', 'thanks'),
    onObjective(/Ask for the color of (\w+)\./)
      .runs('printf %s "$RALPH_BIN" > ralph-bin.txt')
      .emits('human.interact', 'Which color has {{1}}?'),
  ],

  saboteurs: {
    'asks about something else': {
      agent: emitting('human.interact', { payload: 'Which color has nothing?' }),
      kills: ['asked'],
      failure: 'EventMalformed',
    },
    'the person answers something else': {
      config: arranging(({ nonce }) => ({ files: { ...question(nonce), ...answer(nonce, 'green') } })),
      kills: ['answer', 'once', 'recorded'],
      failure: 'AssertionMismatch',
    },
    'nobody publishes anything meanwhile': {
      agent: replacing('printf %s "$RALPH_BIN"', 'printf true'),
      kills: ['pending', 'meanwhile'],
      failure: 'AssertionMismatch',
    },
    'nobody waits for an answer': {
      config: configuring('RObot', { enabled: false }),
      kills: ['pending', 'answer', 'once', 'recorded', 'checkin', 'skill'],
      failure: 'AssertionMismatch',
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

/** A question to a person who answered something else long ago. */
const unanswered = scenario({
  ...MECHANICS,
  id: 'ask-unanswered',
  beyondStandIn: ROBOT,
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'Without an answer to this question in time, the loop goes on and the agent learns that nobody answered',
  covers: ['FR6'],
  expectedIterations: 2,
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        asker: {
          triggers: ['ask.request'],
          publishes: ['human.interact'],
          instructions: `Ask for ${nonce}.`,
        },
      },
      { maxIterations: 4, ...robot(1) },
    ).startingWith('ask.request'),
    files: {
      ...question(nonce),
      ...answer('another-token', 'in the cellar'),
      'endless.yml': 'RObot: {enabled: true, mode: web}\n',
      'mute.yml': 'RObot: {enabled: true, timeout_seconds: 5}\n',
    },
    prompt: 'Have it asked.',
    after: [ENDLESS, MUTE].map((args) => ({ ralph: args.split(' ') })),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    pending: pendingEvents(['human.interact', 'human.timeout'], { iteration: 2 }),
    timeout: promptContained(
      `\nEvent: human.timeout - No response after 1s. Original question: Where is ${nonce}?\n`,
      { iteration: 2 },
    ),
    asked: eventEmitted('human.interact', `Where is ${nonce}?`),
    noSkill: promptLacked('<robot-skill>\n'),
    endless: errandAnswered(ENDLESS, { exitCode: 1, stderr: 'RObot.timeout_seconds' }),
    mute: errandAnswered(MUTE, { exitCode: 1, stderr: 'RObot.telegram.bot_token' }),
  }),

  agent: [
    onHat('Asker')
      .reads(/^Ask for (\w+)\.$/m)
      .runs(ANSWER)
      .emits('human.interact', 'Where is {{1}}?'),
    onEvent('human.interact').completes(),
    onObjective(/Have it asked/).says('I have nothing to do.'),
  ],

  saboteurs: {
    'the answer is to this question': {
      config: arranging(({ nonce }) => ({
        files: { ...question(nonce), ...answer(nonce, 'in the cellar') },
      })),
      kills: ['pending', 'timeout'],
      failure: 'AssertionMismatch',
      why: 'Shows that only the token makes the difference.',
    },
    'nothing is refused': {
      config: arranging(({ nonce }) => ({
        files: {
          ...question(nonce),
          ...answer('another-token', 'in the cellar'),
          'endless.yml': 'cli: {backend: custom}\n',
          'mute.yml': 'cli: {backend: custom}\n',
        },
      })),
      kills: ['endless', 'mute'],
      failure: 'AssertionMismatch',
    },
    'the skill is on': {
      config: configuring('skills', { enabled: true }),
      kills: ['noSkill'],
      failure: 'AssertionMismatch',
    },
    'asks about something else': {
      agent: emitting('human.interact', { payload: 'Where is it?' }),
      kills: ['asked', 'timeout'],
      failure: 'EventMalformed',
    },
    'never completes': neverCompletes('ends'),
  },
});

export const people: readonly Scenario[] = [guidanceWithHats, urgentSteer, answered, unanswered];
