import {
  agentSaid,
  completed,
  eventEmitted,
  fileEquals,
  iterationCount,
  iterationEndedWithin,
  type Lane,
  loop,
  onEvent,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/** Bugs of ralph around the end of an iteration, each scenario named after its issue. */

/**
 * A script around Claude Code: once the agent has emitted this event, the program does not go, whatever it is told. It
 * must not outlast the test of a bad agent, which never emits it.
 */
const lingeringAfter = (topic: string, output = '') => ({
  'agent.sh': {
    content: `#!/bin/sh
trap '' TERM
claude "$@"${output}
tail -n 1 "$RALPH_EVENTS_FILE" | grep -q '"${topic}"' || exit 0
sleep 3600
`,
    mode: 0o755,
  },
});

/** ralph's limit for silence, which must not be waited for. */
const silence = (lane: Lane) => ({ sim: 40, scripted: 90, live: 240 })[lane];

/** #296: the work was done and its completion emitted, but ralph waited for a backend that did not go. */
const issue296 = scenario({
  id: 'issue-296-backend-lingers-after-completion',
  backends: ['claude'],
  tier: 7,
  priority: 'should',
  phase: 'green',
  description: 'A backend that stays after it emitted the completion is ended soon, and the loop completes',
  covers: ['FR6', 'FR9', 'FR10'],
  expectedIterations: 1,

  arrange: ({ nonce, lane }) => ({
    config: loop({ maxIterations: 2, command: './agent.sh', inactivitySeconds: silence(lane) }),
    files: lingeringAfter('LOOP_COMPLETE'),
    prompt: [
      `Write ${nonce} in capital letters into result.txt.`,
      'Then declare completion with this command, and in no other way: ralph emit LOOP_COMPLETE "done"',
    ].join('\n'),
  }),

  expect: ({ nonce, lane }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    inTime: iterationEndedWithin(1, silence(lane) - 5),
    published: eventEmitted('LOOP_COMPLETE', 'done'),
    file: fileEquals('result.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/Write (\w+) in capital letters/)
      .writes('result.txt', '{{upper 1}}\n')
      .emits('LOOP_COMPLETE', 'done'),
  ],

  saboteurs: {
    'completes, does not work': { agent: without('writes'), kills: ['file'] },
    'emits it and hides it': {
      config: arranging({ files: lingeringAfter('LOOP_COMPLETE', ` | grep -v 'Event emitted'`) }),
      kills: ['inTime'],
      failure: 'TimeoutExceeded',
      why: 'What the backend prints tells ralph that there is nothing more to wait for.',
    },
    'emits something else': {
      agent: emitting('LOOP_COMPLETE', { topic: 'work.finished' }),
      kills: ['ends', 'published'],
      failure: 'EventMissing',
    },
    'the event is not heard': ignoresCompletion('ends'),
  },
});

/** #371: a backend that lingers after it handed on its work is counted as one that failed. */
const issue371 = scenario({
  id: 'issue-371-lingering-handoff-is-no-failure',
  backends: ['claude'],
  tier: 7,
  priority: 'should',
  phase: 'green',
  description: 'A backend that stays after it handed on its work with an event has not failed',
  covers: ['FR5', 'FR6', 'FR9'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b], lane }) => ({
    config: loop({
      maxIterations: 4,
      maxConsecutiveFailures: 1,
      command: './agent.sh',
      inactivitySeconds: silence(lane),
    }),
    files: lingeringAfter('step.one'),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration, then stop. The pending events tell which.',
      `1. No step event is pending: say one line, the word FIRST, a blank, and ${nonce} in capital letters. Then work out`,
      `   ${a} + ${b} and run: ralph emit step.one "<the sum>"`,
      '2. step.one is pending: write its payload, nothing else, into total.txt, then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    said: agentSaid(`FIRST ${nonce.toUpperCase()}`, { iteration: 1 }),
    published: eventEmitted('step.one', `${a + b}`),
    file: fileEquals('total.txt', `${a + b}`),
  }),

  agent: [
    onEvent('step.one')
      .reads(/^Event: step\.one - (\d+)$/m)
      .writes('total.txt', '{{1}}\n')
      .completes(),
    onObjective(/a blank, and (\w+) in capital letters\. Then work out\s+(\d+) \+ (\d+)/)
      .says('FIRST {{upper 1}}')
      .emits('step.one', '{{add 2 3}}'),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'ralph ends a backend that stays after its event, and counts that as a failure of the iteration',
    link: 'docs/ralph-behavior.md',
    breaks: ['ends', 'iterations', 'file'],
  },

  saboteurs: {
    'hands on another sum': {
      agent: emitting('step.one', { payload: '{{2}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'hands on without a word': { agent: without('says'), kills: ['said'] },
    'completes, does not write': { agent: without('writes'), kills: ['file'] },
  },
});

/** #369: completion in the last iteration that is allowed is taken for the limit. */
const issue369 = scenario({
  id: 'issue-369-completion-in-the-last-iteration',
  tier: 7,
  priority: 'should',
  phase: 'green',
  description:
    'Completion counts in the last iteration that is allowed: the limit forbids only a further one',
  covers: ['FR5', 'FR10'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 1 }),
    prompt: [
      `Say one line: the word SUM, a blank, and the result of ${a} + ${b}.`,
      'Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    said: agentSaid(`SUM ${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)/)
      .says('SUM {{add 1 2}}')
      .completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'ralph looks at its limit before it looks at what the iteration said: exit code 2',
    link: 'docs/ralph-behavior.md',
    breaks: ['ends'],
  },

  saboteurs: {
    'completes without an answer': { agent: without('says'), kills: ['said'] },
    'an event is required that never comes': {
      config: arranging({ config: loop({ maxIterations: 2, requiredEvents: ['never.emitted'] }) }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const lingeringRegressions = [issue296, issue371, issue369];
