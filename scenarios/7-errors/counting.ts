import {
  agentSaid,
  completed,
  endReported,
  errandAnswered,
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  RALPH_TOPICS,
  scenario,
  terminatedBecause,
  toldTimes,
} from '../../src/authoring.js';
import { changingEach, replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion, neverStops } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/* What Ralph counts from one iteration to the next. */

const PLAIN = loop({ maxIterations: 4 });
const asked = onObjective(/Write (\w+) in uppercase/);
const report = (payload: string) => asked.once().emits('status.report', payload);
const finishes = asked.writes('final.txt', '{{upper 1}}\n').completes();

/** Repeats itself, but never three times in a row: other events and other payloads come between. */
const notStale = scenario({
  id: 'loop-not-stale',
  ...MECHANICS,
  phase: 'red',
  description:
    'Two equal events in a row, or many of one topic with different payloads, do not make a loop stale',
  covers: ['FR6', 'FR9'],
  expectedIterations: 8,

  arrange: ({ nonce }) => ({
    // The time limit is far away: a Ralph that counts other units than seconds would reach it.
    config: loop({ maxIterations: 9, maxRuntimeSeconds: 120 }),
    prompt: `Write ${nonce} in uppercase to final.txt. Report your state in every iteration.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(8),
    published: eventEmitted('status.report', `third ${reverse(nonce)}`),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    report('{{1}}'),
    report('{{1}}'),
    // The same words under another name are another event.
    asked.once().emits('status.progress', '{{1}}').emits('status.report', '{{1}}'),
    report('{{1}}'),
    report('second {{reverse 1}}'),
    report('third {{reverse 1}}'),
    report('fourth {{reverse 1}}'),
    finishes,
  ],

  saboteurs: {
    'Ralph looks only at the topic': {
      target: 'stale-by-topic',
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
      why: 'A healthy loop reports its progress under one name.',
    },
    'reports in other words': {
      agent: changingEach('emit', (step) =>
        step.payload?.startsWith('third') === true ? { ...step, payload: 'the third' } : step,
      ),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'always reports the same': {
      agent: changingEach('emit', (step) => ({ ...step, topic: 'status.report', payload: 'same' })),
      kills: ['ends', 'iterations', 'published', 'file'],
      failure: 'EventMalformed',
    },
    'Ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },

  notApplicable: EVENTS_BY_HAND,
});

const DRY_RUN = 'run -c plain.yml --dry-run -p x';
const crash = onObjective(/attempts\.txt: (\w+) in uppercase/)
  .once()
  .appends('attempts.txt', '{{upper 1}}\n')
  .runs('kill -9 $PPID');

/** Crashes again and again in a loop without a limit of its own. */
const failuresByDefault = scenario({
  id: 'failures-by-default',
  ...MECHANICS,
  phase: 'red',
  description:
    'Without limits of its own, a loop has 100 iterations and four hours, and ends after five failures in a row',
  covers: ['FR9'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 8 }),
    files: { 'plain.yml': 'cli: {backend: claude}\n' },
    after: [{ ralph: DRY_RUN.split(' ') }],
    prompt: `In every iteration append one line to attempts.txt: ${nonce} in uppercase. Then run \`kill -9 $PPID\`.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('consecutive_failures', 1),
    iterations: iterationCount(5),
    reported: endReported({
      label: 'Too many consecutive failures',
      status: 'Too many consecutive failures.',
      exitCode: 1,
      resumable: true,
    }),
    defaults: errandAnswered(DRY_RUN, { stdout: /Max iterations: 100\n +Max runtime: 14400s/ }),
    file: fileEquals('attempts.txt', Array(5).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [crash, crash, crash, crash, crash, onAnyPrompt().completes()],

  exempt: {
    'one-more-iteration': 'what Ralph promises is a count: how many failures in a row end the loop',
  },

  saboteurs: {
    'Ralph ignores the limit of failures': neverStops('ends', 'iterations', 'reported'),
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
  },

  notApplicable: {
    'acts-silently': 'the agent says nothing: it crashes',
    'all-at-once': 'the first of its crashes ends the agent',
  },
});

/** Pays for its answers: the limit is lower than the price of any answer. */
const maxCost = scenario({
  id: 'max-cost',
  ...MECHANICS,
  phase: 'red',
  description: 'A loop ends at its cost limit, after the iteration that reached it',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: { ...PLAIN, event_loop: { ...Object(PLAIN.event_loop), max_cost_usd: 0.000001 } },
    prompt: `Write ${nonce} in uppercase to final.txt. Declare completion in the iteration after that.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('max_cost', 2),
    iterations: iterationCount(1),
    said: agentSaid('The file is written.'),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    asked.once().writes('final.txt', '{{upper 1}}\n').says('The file is written.'),
    onAnyPrompt().completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'outside the TUI and RPC mode, Ralph does not read what an iteration cost, so it never reaches the limit',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: 'exit code 0, termination reason "completed"',
      iterations: '2 finished, 2 started',
    },
  },
});

const TS = '2026-01-01T00:00:00+00:00';
const append = (lines: readonly string[]) =>
  ['cat >> "$RALPH_EVENTS_FILE" <<\'END\'', ...lines, 'END', ''].join('\n');
const event = (topic: string, payload: string) => JSON.stringify({ topic, payload, ts: TS });
const blocked = (payload: string) => event('build.blocked', payload);

/** Two tasks are blocked in turns; the third time, one of them is given up. */
const abandonedTask = scenario({
  id: 'abandoned-task',
  ...MECHANICS,
  phase: 'red',
  description:
    'The third build.blocked for a task abandons it, once, whenever it comes; blocks of other tasks do not count',
  covers: ['FR6', 'FR9'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: {
      'blocked.sh': append([
        blocked(`paint ${nonce}\nno brush`),
        blocked(`sand ${nonce}\nno paper`),
        blocked(`paint ${nonce}\nno color`),
        blocked(`sand ${nonce}\nno time`),
        blocked(` paint ${nonce} \nno light`),
      ]),
      'again.sh': append([blocked(`paint ${nonce}\nnothing new`), blocked(`sand ${nonce}\nno hands`)]),
    },
    prompt: `Write ${nonce} in uppercase to final.txt. Run \`sh blocked.sh\` and \`sh again.sh\` before that.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    pending2: pendingEvents(['build.task.abandoned', ...Array(5).fill('build.blocked')], { iteration: 2 }),
    told: promptContained(`Event: build.task.abandoned - Task 'paint ${nonce}' abandoned after 3 `, {
      iteration: 2,
    }),
    untold: promptLacked(`Task 'sand`, { iteration: 2 }),
    pending3: pendingEvents(['build.task.abandoned', 'build.blocked', 'build.blocked'], { iteration: 3 }),
    later: promptContained(`Event: build.task.abandoned - Task 'sand ${nonce}' abandoned after 3 `, {
      iteration: 3,
    }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [onAnyPrompt().once().runs('sh blocked.sh'), onAnyPrompt().once().runs('sh again.sh'), finishes],

  saboteurs: {
    'Ralph does not give a task up': {
      target: 'forget-abandoned-tasks',
      kills: ['pending2', 'told', 'pending3', 'later'],
    },
    'everything is blocked again': {
      agent: replacing('sh again.sh', 'sh blocked.sh'),
      kills: ['pending3'],
    },
    'Ralph does not notice the promise': ignoresCompletion('ends'),
  },
});

/** Breaks the events file in every iteration, beside good events and alone. */
const malformedLines = scenario({
  id: 'malformed-lines',
  ...MECHANICS,
  phase: 'red',
  description:
    'Broken lines in the events file are reported to the agent, do not spoil their neighbors, and do not add up over a healthy loop',
  covers: ['FR6', 'FR9'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6 }),
    files: {
      'lines.sh': append([
        event('good.one', 'first'),
        `broken ${nonce}`,
        '{"topic": "no.time"}',
        event('good.two', 'second'),
        `${nonce}${'x'.repeat(150)}`,
      ]),
      'line.sh': append([`half a li ${nonce}`]),
    },
    prompt: `Write ${nonce} in uppercase to final.txt. Run \`sh lines.sh\` once and \`sh line.sh\` three times before that.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(5),
    pending2: pendingEvents([...Array(3).fill(RALPH_TOPICS.malformed), 'good.one', 'good.two'], {
      iteration: 2,
    }),
    line3: promptContained(
      new RegExp(`^Event: event\\.malformed - Line 3: .+\\nContent: broken ${nonce}$`, 'm'),
      {
        iteration: 2,
      },
    ),
    line4: promptContained(/^Event: event\.malformed - Line 4: missing field `ts`.*\nContent: \{"topic"/m, {
      iteration: 2,
    }),
    // The first line is Ralph's own, and a long line is cut.
    line6: promptContained(
      new RegExp(`Line 6: .+\\nContent: ${nonce}x{${100 - nonce.length}}\\.\\.\\.$`, 'm'),
      { iteration: 2 },
    ),
    again: toldTimes(3, `Content: half a li ${nonce}\n`),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onAnyPrompt().once().runs('sh lines.sh'),
    onAnyPrompt().once().runs('sh line.sh'),
    onAnyPrompt().once().runs('sh line.sh').emits('good.three', 'third'),
    onAnyPrompt().once().runs('sh line.sh'),
    finishes,
  ],

  saboteurs: {
    'Ralph counts broken lines over the whole loop': {
      target: 'keep-malformed-count',
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
      why: 'A slip now and then would end a healthy loop.',
    },
    'Ralph passes no event on': {
      target: 'drop-pending-events',
      kills: ['pending2', 'line3', 'line4', 'line6', 'again'],
    },
    'Ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },
});

export const counting = [notStale, failuresByDefault, maxCost, abandonedTask, malformedLines];
