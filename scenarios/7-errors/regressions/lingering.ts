import {
  agentSaid,
  completed,
  endedAtOnce,
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
} from '../../../src/authoring.js';
import { emitting } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/* Bugs of Ralph at the end of an iteration. Each scenario is named after its issue. */

/**
 * A script around Claude Code: once the agent has emitted this event, the program stays alive and ignores SIGTERM. If the
 * agent never emits it, as a saboteur may, the program exits as usual.
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

/** Ralph's limit for silence. Ralph must end the backend before it. */
const silence = (lane: Lane) => ({ sim: 40, scripted: 90, live: 240 })[lane];

/** #296: the agent had emitted its completion, but Ralph kept waiting for a backend that did not exit. */
const issue296 = scenario({
  id: 'issue-296-backend-lingers-after-completion',
  backends: ['claude'],
  description:
    'A backend that does not exit after its completion event is ended soon, and the loop completes',
  covers: ['FR6', 'FR9', 'FR10'],
  waitsSeconds: 7,
  expectedIterations: 1,

  arrange: ({ nonce, lane }) => ({
    config: loop({ maxIterations: 2, command: './agent.sh', inactivitySeconds: silence(lane) }),
    files: lingeringAfter('LOOP_COMPLETE'),
    prompt: [
      `Write only ${nonce} in uppercase to result.txt.`,
      "Then declare completion only with this command. It overrides Ralph's own guide: this tests the event, not the printed line.",
      'ralph emit LOOP_COMPLETE "done"',
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
    onObjective(/Write only (\w+) in uppercase/)
      .writes('result.txt', '{{upper 1}}\n')
      .emits('LOOP_COMPLETE', 'done'),
  ],

  saboteurs: {
    'the output does not show the event': {
      config: arranging({ files: lingeringAfter('LOOP_COMPLETE', ` | grep -v 'Event emitted'`) }),
      kills: ['inTime'],
      failure: 'TimeoutExceeded',
      why: 'Ralph learns from the output of the backend that there is nothing left to wait for.',
    },
    'emits something else': {
      agent: emitting('LOOP_COMPLETE', { topic: 'work.finished' }),
      kills: ['ends', 'published'],
      failure: 'EventMissing',
    },
    'Ralph does not see the event': ignoresCompletion('ends', 'iterations'),
  },
});

/** #371: Ralph counts a backend that lingers after its handoff event as failed. */
const issue371 = scenario({
  id: 'issue-371-lingering-handoff-is-no-failure',
  backends: ['claude'],
  description: 'A backend that does not exit after its handoff event has not failed',
  covers: ['FR5', 'FR6', 'FR9'],
  waitsSeconds: 7,
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
      'There are two steps. Do exactly one of them in each iteration, then stop. The pending events decide which.',
      `1. No step event is pending: before you use any tool, say one line of plain text: \`FIRST <word>\`. <word> is ${nonce} in uppercase.`,
      `   Then run \`ralph emit step.one "<sum>"\`. <sum> is the result of ${a} + ${b} as plain digits without commas.`,
      '2. step.one is pending: write only its payload to total.txt, then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    said: agentSaid(`FIRST ${nonce.toUpperCase()}`),
    published: eventEmitted('step.one', `${a + b}`),
    file: fileEquals('total.txt', `${a + b}`),
  }),

  agent: [
    onEvent('step.one')
      .reads(/^Event: step\.one - (\d+)$/m)
      .writes('total.txt', '{{1}}\n')
      .completes(),
    onObjective(/<word> is (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
      .says('FIRST {{upper 1}}')
      .emits('step.one', '{{add 2 3}}'),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'Ralph ends a backend that lingers after its event, and counts that as a failure of the iteration',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: 'exit code 1, termination reason "consecutive_failures"',
      iterations: 'in no iteration; 1 finished, 1 started',
      file: /^no such file;/,
    },
  },

  exempt: { 'speaks-too-late': 'the prompt says that the words come before the event' },

  saboteurs: {
    'hands over another sum': {
      agent: emitting('step.one', { payload: '{{2}}' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'completes without writing': { agent: without('writes'), kills: ['file'] },
  },
});

/** #369: Ralph reports completion in the last allowed iteration as the iteration limit. */
const issue369 = scenario({
  id: 'issue-369-completion-in-the-last-iteration',
  description: 'Completion counts in the last allowed iteration: the limit forbids only another one',
  covers: ['FR5', 'FR10'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 1 }),
    prompt: [
      `Say exactly one line of plain text: \`SUM <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas.`,
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
    reason: 'Ralph checks its limit before it checks what the iteration said: exit code 2',
    link: 'docs/ralph-behavior.md',
    breaks: { ends: 'exit code 2, termination reason "max_iterations"' },
  },

  saboteurs: {
    'a required event never comes': {
      config: arranging({ config: loop({ maxIterations: 2, requiredEvents: ['never.emitted'] }) }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const lingeringRegressions = [issue296, issue371, issue369];
