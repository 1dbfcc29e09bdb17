import { agentSaid, completed, loop, onObjective, promptContained, scenario } from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { askForFile, askForSum, FILE_WRITER, fileWritten } from '../support/first-work.js';
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

/** In the list of tier 1, with the first contacts. */
export const customConnect = scenario({
  id: 'custom-connect',
  backends: ['claude'],
  description: 'A custom backend gets its prompt as an argument, and its answer comes back',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: (context) => ({
    ...custom('arg'),
    prompt: askForSum(context),
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
    'the script is not there': {
      config: arranging({ files: {} }),
      kills: ['ends', 'said'],
      failure: 'BackendError',
      why: MISSING,
    },
  },
});

export const customSingleIteration = scenario({
  id: 'custom-single-iter',
  backends: ['claude'],
  description: 'A custom backend gets its prompt on stdin, does its work and completes',
  covers: ['FR4', 'FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    ...custom('stdin'),
    prompt: askForFile(context),
  }),

  expect: fileWritten,

  agent: [FILE_WRITER],

  saboteurs: {
    'does it, but does not complete': neverCompletes('ends', 'iterations'),
    'the script is not there': {
      config: arranging({ files: {} }),
      kills: ['ends', 'iterations', 'file'],
      failure: 'BackendError',
      why: MISSING,
    },
  },
});
