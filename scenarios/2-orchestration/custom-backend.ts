import {
  agentSaid,
  completed,
  endedAtOnce,
  fileEquals,
  loop,
  onObjective,
  promptContained,
  scenario,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverCompletes } from '../support/saboteurs.js';

/**
 * A command of the user's own, for `cli.backend: custom`: here a script around Claude Code that prints plain text. It gets
 * the prompt as its last argument or on stdin, and passes both on.
 */
const SCRIPT = `#!/bin/sh
exec claude --print --dangerously-skip-permissions --setting-sources project,local "$@"
`;

const custom = (promptMode: 'arg' | 'stdin') => ({
  config: loop({
    maxIterations: 3,
    more: { cli: { backend: 'custom', command: './my-agent.sh', prompt_mode: promptMode } },
  }),
  files: { 'my-agent.sh': { content: SCRIPT, mode: 0o755 } },
});

const MISSING = 'The script is the backend: without it, ralph has nothing to run.';

const asked = onObjective(/Work out (\d+) \+ (\d+)/);

const customConnect = scenario({
  id: 'custom-connect',
  backends: ['claude'],
  tier: 1,
  priority: 'should',
  phase: 'green',
  description: 'A custom backend gets its prompt as an argument, and its answer comes back',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: ({ numbers: [a, b] }) => ({
    ...custom('arg'),
    prompt: [
      `Work out ${a} + ${b}.`,
      'Say this line, without spaces or commas: `ANSWER=<sum>`',
      'Then declare the objective complete, as described under DONE.',
      'This only tests the connection, so create no files and run no commands.',
    ].join('\n'),
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    told: promptContained(`Work out ${a} + ${b}.`, { iteration: 1 }),
    said: agentSaid(`ANSWER=${a + b}`),
  }),

  // In one message: as plain text, Claude Code prints only the last one.
  agent: [asked.says('ANSWER={{add 1 2}}\n\nLOOP_COMPLETE')],

  saboteurs: {
    'completes without answering': { agent: [asked.completes()], kills: ['said'] },
    'answers, but does not complete': {
      agent: [asked.says('ANSWER={{add 1 2}}')],
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'is asked something else': { config: arranging({ prompt: 'Work out 1 + 1.' }), kills: ['told', 'said'] },
    'the script is not there': {
      config: arranging({ files: {} }),
      kills: ['ends', 'said'],
      failure: 'BackendError',
      why: MISSING,
    },
  },
});

const customSingleIteration = scenario({
  id: 'custom-single-iter',
  backends: ['claude'],
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'A custom backend gets its prompt on stdin, does its work and completes',
  covers: ['FR4', 'FR10'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    ...custom('stdin'),
    prompt: [
      `Create the file result.txt in the current folder. It contains only one line: ${nonce} written in uppercase.`,
      'This is one small task: do it in this iteration, then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    told: promptContained(nonce, { iteration: 1 }),
    file: fileEquals('result.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/one line: (\w+) written in uppercase/)
      .writes('result.txt', '{{upper 1}}\n')
      .says('The file is written.')
      .completes(),
  ],

  saboteurs: {
    'says it, but does not do it': { agent: without('writes'), kills: ['file'] },
    'does it, but does not complete': neverCompletes('ends', 'iterations'),
    'is asked for something else': {
      config: arranging({ prompt: 'It contains only one line: hello written in uppercase.' }),
      kills: ['told', 'file'],
    },
    'the script is not there': {
      config: arranging({ files: {} }),
      kills: ['ends', 'iterations', 'file'],
      failure: 'BackendError',
      why: MISSING,
    },
  },
});

export const customBackend = [customConnect, customSingleIteration];
