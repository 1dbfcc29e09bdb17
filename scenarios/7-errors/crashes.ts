import {
  agentSaid,
  completed,
  cutOffBefore,
  endedAtOnce,
  fileContains,
  fileEquals,
  loop,
  onObjective,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { withoutWriting } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';

const PID_OF_RALPH = `sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock`;

const writesBoth = onObjective(/result of (\d+) \+ (\d+)[\s\S]*write only (\w+) in uppercase/)
  .writes('sum.txt', '{{add 1 2}}\n')
  .appends('ready.txt', '{{upper 3}}\n');

/**
 * SIGTERM while the agent works: Ralph must record the interruption and end the agent too. Nothing the agent says is
 * checked: a Ralph that kills itself may not have printed it yet.
 */
const interruptedBySignal = scenario({
  id: 'interrupted-by-signal',
  phase: 'red',
  description: 'SIGTERM ends the loop as interrupted, is recorded, and ends the agent too',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    // Claude Code 2.1.325 refuses a long `sleep` as a command of its own, but not in a script.
    files: { 'wait.sh': 'sleep 3600\n' },
    prompt: [
      'This tests that Ralph ends cleanly when it is interrupted while you work.',
      `First write only the result of ${a} + ${b}, as plain digits without commas, to sum.txt.`,
      `Then write only ${nonce} in uppercase to ready.txt.`,
      'Then run this shell command, which interrupts Ralph:',
      `kill -TERM "$(${PID_OF_RALPH})"`,
      'Then run the shell command `sh wait.sh` in the foreground and wait until it ends. Do nothing else.',
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
    reason: 'Ralph kills itself with SIGKILL, leaves no record, and its agent keeps running',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: /^killed by SIGKILL, no termination record;/,
      endedByItself: 'killed by SIGKILL',
      nothingLeftBehind: /^\d+: /,
    },
  },

  saboteurs: {
    'completes and does not interrupt Ralph': {
      agent: [writesBoth.completes()],
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },
  notApplicable: {
    'acts-silently': 'nothing it says is checked: a Ralph that kills itself may not have printed it yet',
  },
});

/** The backend dies in the middle of its answer: what it said so far is kept, and the loop continues. */
const crashMidStream = scenario({
  id: 'crash-mid-stream',
  phase: 'red',
  description: 'A backend that dies mid-answer costs one iteration, but not the loop or what it said',
  covers: ['FR5', 'FR9'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, maxConsecutiveFailures: 2 }),
    prompt: [
      'This tests that the loop survives a crash of its agent. There are two steps. Do exactly one of them in each iteration.',
      `1. If work.txt does not exist: write only ${nonce} in uppercase to it.`,
      `   Then say exactly one line of plain text: \`HALF <word>\`. <word> is ${nonce} in uppercase.`,
      '   Then run the shell command `kill -9 $PPID`. It ends your own program: that is the crash that the test needs.',
      '   If you are still running after that, say `STILL HERE`. Do not declare completion.',
      `2. If work.txt exists: write only one line to result.txt: the word in work.txt, a space, and the result of ${a} + ${b} as plain digits without commas. Then declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    said: agentSaid(`HALF ${nonce.toUpperCase()}`),
    cutOff: cutOffBefore('STILL HERE', { after: `HALF ${nonce.toUpperCase()}` }),
    file: fileEquals('result.txt', `${nonce.toUpperCase()} ${a + b}`),
  }),

  agent: [
    onObjective(/write only (\w+) in uppercase to it/)
      .once()
      .writes('work.txt', '{{upper 1}}\n')
      .says('HALF {{upper 1}}')
      .runs('kill -9 $PPID')
      .says('STILL HERE'),
    onObjective(/write only (\w+) in uppercase[\s\S]*result of (\d+) \+ (\d+)/)
      .readsFile('work.txt')
      .writes('result.txt', '{{upper 1}} {{add 2 3}}\n')
      .completes(),
  ],

  saboteurs: {
    'does not finish its work': { agent: withoutWriting('result.txt'), kills: ['file'] },
    'one failure is too many': {
      config: arranging({ config: loop({ maxIterations: 4, maxConsecutiveFailures: 1 }) }),
      kills: ['ends', 'iterations', 'file'],
      failure: 'BackendError',
      why: 'Shows that the crash counts as a failure.',
    },
  },
});

export const crashes = [interruptedBySignal, crashMidStream];
