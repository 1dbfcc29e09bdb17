import {
  completed,
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  onPrompt,
  promptContained,
  scenario,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';

/** Completion is refused, with the reason in the next prompt, until every required event has come. */
const requiredEvents = scenario({
  id: 'required-events',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Completion is refused until the required event has been emitted',
  covers: ['FR5', 'FR6', 'FR10'],
  expectedIterations: 3,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 6, requiredEvents: ['audit.finished'] }),
    prompt: [
      'There are three steps. Do exactly one of them in an iteration, then stop. The pending events tell which.',
      '1. Nothing is said about a missing event: declare the objective complete. It will be refused.',
      `2. A pending event says that a required event is missing: work out ${a} + ${b} and run:`,
      '   ralph emit audit.finished "<the sum>"',
      '3. audit.finished is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    told: promptContained(/missing required events: \["audit\.finished"\]/, { iteration: 2 }),
    published: eventEmitted('audit.finished', `${a + b}`),
  }),

  agent: [
    onEvent('audit.finished').completes(),
    onPrompt(/missing required events/)
      .reads(/work out (\d+) \+ (\d+)/)
      .emits('audit.finished', '{{add 1 2}}'),
    onObjective('three steps').completes(),
  ],

  saboteurs: {
    'emits another sum': {
      agent: emitting('audit.finished', { payload: '{{1}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'insists on completion and emits nothing': {
      agent: [onObjective('three steps').completes()],
      kills: ['ends', 'iterations', 'published'],
      failure: 'EventMissing',
    },
    'no event is required': {
      config: arranging({ config: loop({ maxIterations: 6 }) }),
      kills: ['iterations', 'told', 'published'],
      failure: 'EventMissing',
      why: 'Without the requirement the first declaration counts, and nobody has audited anything.',
    },
    'completion is granted although the event is missing': {
      target: 'ignore-required-events',
      kills: ['iterations', 'told', 'published'],
      failure: 'EventMissing',
    },
  },
});

/** What a person says while the loop runs reaches the agent, and must be acknowledged before completion counts. */
const guidance = scenario({
  id: 'guidance',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Guidance of a person reaches the agent, and completion waits for its acknowledgement',
  covers: ['FR5', 'FR6', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6 }),
    files: {
      'message.sh': `ralph emit human.guidance "Write signed.txt. It holds one line: ${nonce} in capital letters."\n`,
    },
    prompt: [
      'There are three steps. Do exactly one of them in an iteration, then stop.',
      '1. Your prompt shows no guidance of a person: run `sh message.sh`, which brings a message of a person to ralph, and',
      '   declare the objective complete. It will be refused.',
      '2. Your prompt shows guidance of a person, and no event human.guidance.ack is pending: do what it says, then run:',
      '   ralph emit human.guidance.ack "done". Do not declare completion.',
      '3. The event human.guidance.ack is pending: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    remaining: promptContained(/1 human\.guidance message\(s\) remain unacknowledged/, { iteration: 2 }),
    guidance: promptContained(new RegExp(`^## ROBOT GUIDANCE$[\\s\\S]*one line: ${nonce}`, 'm'), {
      iteration: 2,
    }),
    file: fileEquals('signed.txt', nonce.toUpperCase()),
    published: eventEmitted('human.guidance.ack', 'done'),
  }),

  agent: [
    onEvent('human.guidance.ack').completes(),
    onPrompt(/^## ROBOT GUIDANCE$[\s\S]*one line: (\w+) in capital letters/m)
      .writes('signed.txt', '{{upper 1}}\n')
      .emits('human.guidance.ack', 'done'),
    onObjective('three steps').runs('sh message.sh').completes(),
  ],

  saboteurs: {
    'acknowledges and does nothing': { agent: without('writes'), kills: ['file'] },
    'does it and never acknowledges': {
      agent: without('emits'),
      kills: ['ends', 'iterations', 'published'],
      failure: 'EventMissing',
    },
    'nobody gives any guidance': {
      agent: without('runs'),
      kills: ['iterations', 'remaining', 'guidance', 'file', 'published'],
      failure: 'EventMissing',
    },
    'guidance does not reach the agent': {
      target: 'drop-guidance',
      kills: ['ends', 'guidance', 'file', 'published'],
      failure: 'PromptIneffective',
    },
  },
});

const PERSISTENT = { maxIterations: 3, persistent: true };

/** A persistent loop takes completion for a pause: only a limit ends it. */
const persistent = scenario({
  id: 'persistent',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'A persistent loop goes on after completion until a limit ends it',
  covers: ['FR5', 'FR10'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop(PERSISTENT),
    prompt: [
      `In every iteration append one line to turns.txt: ${nonce} in capital letters.`,
      'Then the objective is complete: declare it, in every iteration.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('max_iterations', 2),
    iterations: iterationCount(3),
    told: promptContained('Persistent mode', { iteration: 2 }),
    file: fileEquals('turns.txt', Array(3).fill(nonce.toUpperCase()).join('\n')),
  }),

  agent: [
    onObjective(/turns\.txt: (\w+) in capital letters/)
      .appends('turns.txt', '{{upper 1}}\n')
      .completes(),
  ],

  saboteurs: {
    'says it, does not do it': { agent: without('appends'), kills: ['file'] },
    'never completes': { agent: without('completes'), kills: ['told'] },
    'ends one iteration too early': {
      config: arranging({ config: loop({ ...PERSISTENT, maxIterations: 2 }) }),
      kills: ['iterations', 'file'],
      failure: 'UnexpectedTermination',
    },
    'the limit is taken for success': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'the loop is not persistent': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['ends', 'iterations', 'told', 'file'],
      failure: 'UnexpectedTermination',
      why: 'Without the setting the first completion ends the loop.',
    },
  },
});

export const loopFeatures = [requiredEvents, guidance, persistent];
