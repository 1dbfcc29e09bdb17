import {
  agentSaid,
  completed,
  cutOffBefore,
  fileContains,
  fileEquals,
  iterationCount,
  loop,
  onObjective,
  scenario,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';

const PID_OF_RALPH = `sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock`;

const writesBoth = onObjective(/result of (\d+) \+ (\d+)[\s\S]*write (\w+) in capital letters/)
  .writes('sum.txt', '{{add 1 2}}\n')
  .appends('ready.txt', '{{upper 3}}\n');

/**
 * Somebody ends ralph while its agent works: it says so in its records, and takes the agent with it. What the agent says
 * is no part of it: a ralph that kills itself may not have printed it yet.
 */
const interruptedBySignal = scenario({
  id: 'interrupted-by-signal',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'SIGTERM ends the loop as interrupted, with its records, and ends the agent too',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: [
      `First write the result of ${a} + ${b} into sum.txt.`,
      `Then write ${nonce} in capital letters into ready.txt.`,
      `Then run this shell command, which asks ralph to end: kill -TERM "$(${PID_OF_RALPH})"`,
      'Then run the shell command `sleep 3600` in the foreground and wait until it ends. Do nothing else.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: terminatedBecause('interrupted', 130),
    sum: fileEquals('sum.txt', `${a + b}`),
    ready: fileContains('ready.txt', nonce.toUpperCase()),
  }),

  agent: [writesBoth.runs(`kill -TERM "$(${PID_OF_RALPH})"`).hangs()],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'ralph kills itself with SIGKILL, leaves no record, and its agent runs on',
    link: 'docs/ralph-behavior.md',
    breaks: ['ends', 'endedByItself', 'nothingLeftBehind'],
  },

  saboteurs: {
    'is interrupted before its work': { agent: without('writes'), kills: ['sum'] },
    'is interrupted before it is ready': { agent: without('appends'), kills: ['ready'] },
    'completes and interrupts nobody': {
      agent: [writesBoth.completes()],
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },
  notApplicable: {
    'acts-silently': 'it is to say nothing: a ralph that kills itself may not have printed it yet',
  },
});

/** A backend that dies in the middle of a sentence: what it had said stays, and the loop goes on. */
const crashMidStream = scenario({
  id: 'crash-mid-stream',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'A backend that dies in the middle costs an iteration, not the loop and not its words',
  covers: ['FR5', 'FR9'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, maxConsecutiveFailures: 2 }),
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      `1. If work.txt does not exist: write ${nonce} in capital letters into it. Say one line: HALF and ${nonce} in capital`,
      '   letters. Run the shell command `kill -9 $PPID`: it ends your own program, which is what is tested here.',
      '   Should you still be there after that, say: STILL HERE. Do not declare completion.',
      `2. If work.txt exists: append one line to it, the result of ${a} + ${b}, and declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    said: agentSaid(`HALF ${nonce.toUpperCase()}`, { iteration: 1 }),
    cutOff: cutOffBefore('STILL HERE', 1),
    file: fileEquals('work.txt', `${nonce.toUpperCase()}\n${a + b}`),
  }),

  agent: [
    onObjective(/write (\w+) in capital letters/)
      .once()
      .writes('work.txt', '{{upper 1}}\n')
      .says('HALF {{upper 1}}')
      .runs('kill -9 $PPID')
      .says('STILL HERE'),
    onObjective(/result of (\d+) \+ (\d+)/)
      .appends('work.txt', '{{add 1 2}}\n')
      .completes(),
  ],

  saboteurs: {
    'does not die': { agent: without('runs'), kills: ['cutOff'] },
    'dies without a word': { agent: without('says'), kills: ['said', 'cutOff'] },
    'does not go on with its work': { agent: without('appends'), kills: ['file'] },
    'one failure is too many': {
      config: arranging({ config: loop({ maxIterations: 4, maxConsecutiveFailures: 1 }) }),
      kills: ['ends', 'iterations', 'file'],
      failure: 'BackendError',
      why: 'It shows that the crash counts as a failure at all.',
    },
  },
});

export const crashes = [interruptedBySignal, crashMidStream];
