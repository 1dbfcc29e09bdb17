import {
  completed,
  errandAnswered,
  eventEmitted,
  fileContains,
  hats,
  iterationCount,
  loop,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  scenario,
  toldTimes,
} from '../../../src/authoring.js';
import { emitting, replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt } from '../../support/hooks.js';
import { neverCompletes } from '../../support/saboteurs.js';

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
  // People are slow: a limit in milliseconds would have passed.
  'sleep 0.5',
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
    'nobody publishes anything meanwhile': {
      agent: replacing('printf %s "$RALPH_BIN"', 'printf true'),
      kills: ['pending', 'meanwhile'],
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
      why: 'Shows that only the token makes the difference.',
    },
    'asks about something else': {
      agent: emitting('human.interact', { payload: 'Where is it?' }),
      kills: ['asked', 'timeout'],
      failure: 'EventMalformed',
    },
    'never completes': neverCompletes('ends'),
  },
});

export const questions = [answered, unanswered];
