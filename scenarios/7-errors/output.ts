import {
  agentSaid,
  completed,
  endedAtOnce,
  fileEquals,
  loop,
  onObjective,
  printedAtLeast,
  scenario,
} from '../../src/authoring.js';
import { neverCompletes } from '../support/saboteurs.js';
import { wrapper } from '../support/wrapper.js';

/** One invalid byte, from a tool or a broken terminal, must not end the loop. */
const invalidUtf8 = scenario({
  id: 'invalid-utf8',
  backends: ['claude'],
  phase: 'red',
  description: 'Invalid UTF-8 in the output of a backend does not end the loop',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, command: './agent.sh' }),
    files: wrapper(`claude "$@"; code=$?; printf 'a stray byte: \\377\\n'; exit $code`),
    prompt: `Write only ${nonce} in uppercase to result.txt, then declare the objective complete.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    said: agentSaid('LOOP_COMPLETE', { iteration: 1 }),
    file: fileEquals('result.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/Write only (\w+) in uppercase/)
      .writes('result.txt', '{{upper 1}}\n')
      .completes(),
  ],

  exempt: { 'one-more-iteration': 'up to Ralph 2.10.1, the first stray byte ends the loop' },

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph fails with "stream did not contain valid UTF-8", exit code 1 and no record',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: 'exit code 1, no termination record; stderr: Error: stream did not contain valid UTF-8',
      iterations: 'in iteration 1; 0 finished, 1 started',
    },
  },

  saboteurs: {
    'does it and does not say it': neverCompletes('ends', 'iterations', 'said'),
  },
});

const FLOOD_LINES = 40_000;
const FLOOD_LINE = 'one line of a flood that Ralph must read to the very end without losing any byte';
const flood = (lines: number) => wrapper(`yes '${FLOOD_LINE}' | head -n ${lines}\nexec claude "$@"`);

/** Megabytes of output before the line that counts. */
const outputFlood = scenario({
  id: 'output-flood',
  backends: ['claude'],
  phase: 'red',
  description: 'Megabytes of output are read to the end: nothing is lost, and the loop completes',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3, command: './agent.sh' }),
    files: flood(FLOOD_LINES),
    prompt: `Say exactly one line of plain text: \`SUM <sum>\`. <sum> is the result of ${a} + ${b} as plain digits without commas. Then declare the objective complete.`,
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    printed: printedAtLeast(FLOOD_LINES * (FLOOD_LINE.length + 1)),
    said: agentSaid(`SUM ${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)/)
      .says('SUM {{add 1 2}}')
      .completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations'),
    'the end of the flood is lost': {
      target: 'cut-output',
      kills: ['ends', 'iterations', 'printed'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const oddOutput = [invalidUtf8, outputFlood];
