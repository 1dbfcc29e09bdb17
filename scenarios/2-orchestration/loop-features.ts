import {
  completed,
  eventEmitted,
  fileEquals,
  iterationCount,
  iterationsAtLeast,
  loop,
  onEvent,
  onObjective,
  onPrompt,
  promptContained,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';

const REQUIRED = ['plan.checked', 'audit.finished'];

/** Declares completion before the required events: ralph refuses it and names what is missing, twice. */
const requiredEvents = scenario({
  id: 'required-events',
  description: 'Completion is refused until every required event has been emitted',
  covers: ['FR5', 'FR6', 'FR10'],
  expectedIterations: 5,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 8, requiredEvents: REQUIRED }),
    prompt: [
      'This tests that ralph refuses completion while a required event is missing. Steps 1 and 3 declare it too early on purpose, which overrides the guide.',
      'Do exactly one of these three steps per iteration, then stop. The pending events tell you which.',
      '1. If task.start is the only pending event: declare the objective complete.',
      `2. If another pending event says that required events are missing: work out ${a} + ${b} and run \`ralph emit <name> "<sum>"\`, with the last name in its list of missing events and the sum as plain digits without commas. Emit no other event.`,
      '3. If audit.finished or plan.checked is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(5),
    told: promptContained(/missing required events: \["plan\.checked", "audit\.finished"\]/),
    toldRest: promptContained(/missing required events: \["plan\.checked"\]/),
    published: eventEmitted('audit.finished', `${a + b}`),
    publishedRest: eventEmitted('plan.checked', `${a + b}`),
  }),

  agent: [
    onEvent('audit.finished').completes(),
    onEvent('plan.checked').completes(),
    onPrompt(/missing required events: \[(?:.*, )?"([a-z.]+)"\]/)
      .reads(/work out (\d+) \+ (\d+)/)
      .emits('{{1}}', '{{add 2 3}}'),
    onObjective('three steps').completes(),
  ],

  saboteurs: {
    'emits another sum': {
      agent: emitting('{{1}}', { payload: '{{2}}' }),
      kills: ['published', 'publishedRest'],
      failure: 'EventMalformed',
    },
    'insists on completion, but emits nothing': {
      agent: [onObjective('three steps').completes()],
      kills: ['ends', 'published', 'publishedRest'],
      failure: 'EventMissing',
    },
    'no event is required': {
      config: arranging({ config: loop({ maxIterations: 8 }) }),
      kills: ['iterations', 'told', 'toldRest', 'published', 'publishedRest'],
      failure: 'EventMissing',
      why: 'Without the requirement, the first declaration counts, although nobody audited anything.',
    },
    'only the last one is required': {
      config: arranging({ config: loop({ maxIterations: 8, requiredEvents: REQUIRED.slice(1) }) }),
      kills: ['iterations', 'told', 'toldRest', 'publishedRest'],
      failure: 'EventMissing',
      why: 'Each of them counts: a loop that needs only some completes with phases missing.',
    },
    'completion is granted although events are missing': {
      target: 'ignore-required-events',
      kills: ['iterations', 'told', 'published', 'publishedRest'],
      failure: 'EventMissing',
    },
  },
});

const BOTH_MESSAGES =
  /^## ROBOT GUIDANCE$[\s\S]*one line: (\w+) in uppercase.*\n2\. .*the sum of (\d+) and (\d+)/m;

/** Sends guidance from a person while the loop runs: the agent gets it, and must acknowledge it before it can complete. */
const guidance = scenario({
  id: 'guidance',
  description: 'All guidance from a person reaches the agent, and completion waits until it is acknowledged',
  covers: ['FR5', 'FR6', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 6 }),
    files: {
      'message.sh': [
        `ralph emit human.guidance "Write signed.txt. It contains only one line: ${nonce} in uppercase."`,
        `ralph emit human.guidance "Write dated.txt. It contains only the sum of ${a} and ${b}, as plain digits without commas."`,
        '',
      ].join('\n'),
    },
    prompt: [
      'This tests that ralph refuses completion until guidance is acknowledged. Step 2 declares it too early on purpose, which overrides the guide.',
      'Do exactly one of these three steps per iteration, then stop.',
      '1. If your prompt has no ROBOT GUIDANCE section: run `sh message.sh`, which sends guidance as a person would. Do not declare completion.',
      '2. If it has one, and signed.txt does not exist: do what the guidance says, but do not acknowledge it. Then declare the objective complete.',
      '3. If signed.txt exists: run `ralph emit human.guidance.ack "done"`. Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtLeast(3),
    remaining: promptContained(/2 human\.guidance message\(s\) remain unacknowledged/),
    guidance: promptContained(
      new RegExp(
        `^## ROBOT GUIDANCE$[\\s\\S]*^1\\. .*one line: ${nonce} .*\n2\\. .*the sum of ${a} and ${b},`,
        'm',
      ),
    ),
    file: fileEquals('signed.txt', nonce.toUpperCase()),
    date: fileEquals('dated.txt', `${a + b}`),
    published: eventEmitted('human.guidance.ack', 'done'),
  }),

  agent: [
    onPrompt('remain unacknowledged').emits('human.guidance.ack', 'done').completes(),
    onPrompt(BOTH_MESSAGES)
      .writes('signed.txt', '{{upper 1}}\n')
      .writes('dated.txt', '{{add 2 3}}\n')
      .completes(),
    // An agent that got only one message.
    onPrompt(/^## ROBOT GUIDANCE$[\s\S]*one line: (\w+) in uppercase/m)
      .writes('signed.txt', '{{upper 1}}\n')
      .completes(),
    onObjective('three steps').runs('sh message.sh'),
  ],

  saboteurs: {
    'only the first message reaches the agent': {
      target: 'first-guidance-only',
      kills: ['guidance', 'date'],
      failure: 'PromptIneffective',
    },
    'acknowledges at once': {
      agent: [
        onPrompt(BOTH_MESSAGES)
          .writes('signed.txt', '{{upper 1}}\n')
          .writes('dated.txt', '{{add 2 3}}\n')
          .emits('human.guidance.ack', 'done')
          .completes(),
        onObjective('three steps').runs('sh message.sh'),
      ],
      kills: ['iterations', 'remaining'],
      failure: 'AssertionMismatch',
    },
    'guidance does not reach the agent': {
      target: 'drop-guidance',
      kills: ['ends', 'guidance', 'file', 'date', 'published'],
      failure: 'PromptIneffective',
    },
  },
});

const PERSISTENT = { maxIterations: 3, persistent: true };

/** Declares completion in a persistent loop, which only a limit ends. */
const persistent = scenario({
  id: 'persistent',
  description: 'A persistent loop continues after completion until a limit ends it',
  covers: ['FR5', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop(PERSISTENT),
    prompt: [
      `In every iteration, append one line to turns.txt that contains only ${nonce} in uppercase.`,
      'Then declare the objective complete, also in every iteration: this tests that a persistent loop continues anyway.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('max_iterations', 2),
    iterations: iterationCount(3),
    told: promptContained('Persistent mode', { iteration: 2 }),
    file: fileEquals('turns.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [
    onObjective(/turns\.txt that contains only (\w+) in uppercase/)
      .appends('turns.txt', '{{upper 1}}\n')
      .completes(),
  ],

  saboteurs: {
    'ralph treats the limit as success': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'the loop is not persistent': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['ends', 'iterations', 'told', 'file'],
      failure: 'UnexpectedTermination',
      why: 'Without the setting, the first completion ends the loop.',
    },
  },
});

export const loopFeatures = [requiredEvents, guidance, persistent];
