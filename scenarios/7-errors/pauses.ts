import {
  completed,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  pausedBefore,
  pendingEvents,
  promptContained,
  promptLacked,
  RALPH_TOPICS,
  scenario,
  toldTimes,
} from '../../src/authoring.js';
import { doingFirst } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion } from '../support/saboteurs.js';

/* What Ralph does between two iterations. */

const COOLDOWN = 3;
const CONFIG = loop({ maxIterations: 4 });
const finishes = onObjective(/Write (\w+) in uppercase/)
  .writes('final.txt', '{{upper 1}}\n')
  .completes();

/** Publishes an event a second after the iteration has ended, from a process that outlives the agent. */
const later = (nonce: string) =>
  [
    '(',
    // Ralph records the start of an iteration when its agent has answered.
    '  while ! grep -qs iteration_started .ralph/diagnostics/*/orchestration.jsonl; do sleep 0.1; done',
    '  sleep 1',
    `  echo '{"topic":"late.news","payload":"${nonce}","ts":"2026-01-01T00:00:00+00:00"}' >> "$RALPH_EVENTS_FILE"`,
    // The stand-in for Claude waits until its pipes are closed, and one of them is number 3.
    ') > /dev/null 2>&1 3>&- &',
    '',
  ].join('\n');

/** Ralph waits after the first iteration, in which it learns of a late event, but not when a person has answered. */
const cooldown = scenario({
  id: 'cooldown',
  ...MECHANICS,
  description:
    'Ralph waits between iterations as configured, delivers what arrives meanwhile, and does not keep a person waiting',
  covers: ['FR5', 'FR6'],
  waitsSeconds: 3,
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: {
      ...CONFIG,
      event_loop: {
        ...Object(CONFIG.event_loop),
        cooldown_delay_seconds: COOLDOWN,
      },
    },
    files: { 'later.sh': later(nonce) },
    prompt: `Write ${nonce} in uppercase to final.txt. Run \`sh later.sh\` before that.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    waits: pausedBefore(2, { atLeast: COOLDOWN }),
    late: promptContained(`Event: late.news - ${nonce}\n`, { iteration: 2 }),
    expected: promptLacked('RECOVERY'),
    hurries: pausedBefore(3, { below: COOLDOWN }),
    answer: promptContained('Event: human.response - go on', { iteration: 3 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onAnyPrompt().once().runs('sh later.sh'),
    onAnyPrompt().once().emits('human.response', 'go on'),
    finishes,
  ],

  saboteurs: {
    'Ralph does not wait': { target: 'ignore-cooldown', kills: ['waits', 'late', 'expected'] },
    'Ralph does not look for late events': { target: 'ignore-late-events', kills: ['late', 'expected'] },
    'Ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },

  notApplicable: EVENTS_BY_HAND,
});

/** Announces an event that comes only after the iteration has ended. */
const announcedEvent = scenario({
  id: 'announced-event',
  ...MECHANICS,
  description:
    'An agent that mentions `ralph emit` and published nothing yet gets a few seconds for its event',
  covers: ['FR5', 'FR6'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: { 'later.sh': later(nonce) },
    prompt: `Write ${nonce} in uppercase to final.txt. Run \`sh later.sh\` before that.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    late: promptContained(`Event: late.news - ${nonce}\n`, { iteration: 2 }),
    expected: promptLacked('RECOVERY'),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onAnyPrompt().once().runs('sh later.sh').says('I have started something that will call ralph emit.'),
    finishes,
  ],

  saboteurs: {
    'Ralph does not look for late events': { target: 'ignore-late-events', kills: ['late', 'expected'] },
    'Ralph does not notice the promise': ignoresCompletion('ends'),
  },
});

const thinks = onAnyPrompt().once().says('I am still thinking.');

/** Says a few words and publishes nothing, more often than Ralph would try to recover if it counted wrongly. */
const silentAgent = scenario({
  id: 'silent-agent',
  ...MECHANICS,
  phase: 'red',
  description: 'An agent that publishes nothing is asked to go on, every time',
  covers: ['FR5', 'FR9'],
  expectedIterations: 6,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 7 }),
    prompt: `Write ${nonce} in uppercase to final.txt. Think for five iterations before that.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(6),
    pending: pendingEvents([RALPH_TOPICS.resume], { iteration: 2 }),
    asked: toldTimes(5, /RECOVERY: Previous iteration did not publish an event\./),
    objective: promptContained(nonce, { iteration: 6 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [thinks, thinks, thinks, thinks, thinks, finishes],

  saboteurs: {
    'Ralph does not say what is wrong': { target: 'empty-recovery', kills: ['asked'] },
    'publishes what it thinks': {
      agent: doingFirst({ do: 'emit', topic: 'thought.had', by: 'tag' }),
      kills: ['pending', 'asked'],
    },
    'Ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },
});

export const pauses = [cooldown, announcedEvent, silentAgent];
