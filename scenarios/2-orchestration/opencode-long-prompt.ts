import {
  completed,
  endedAtOnce,
  fileEquals,
  loop,
  promptContained,
  promptExceeds,
  type ScenarioDefinition,
  scenario,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { askForFile, FILE_WRITER } from '../support/first-work.js';
import { neverCompletes, noBuiltIns } from '../support/saboteurs.js';

/**
 * ralph passes a prompt of more than 7,000 bytes to OpenCode as "read this file", and the file is outside the folder that
 * OpenCode may read. Skills, memories and tasks are on, as they are by default: with them, every prompt is that long.
 */
const longPrompt = {
  backend: 'opencode',
  priority: 'must',
  covers: ['FR3', 'FR4', 'FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3, skills: true, memories: {}, tasks: true }),
    prompt: askForFile(context),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    told: promptContained(nonce, { iteration: 1 }),
    longPrompt: promptExceeds(7000),
    file: fileEquals('result.txt', nonce.toUpperCase()),
  }),

  agent: [FILE_WRITER],

  saboteurs: {
    'is asked for something else': {
      config: arranging({ prompt: 'It contains only one line: hello written in uppercase.' }),
      kills: ['told', 'file'],
      failure: 'PromptIneffective',
    },
    'the prompt is a short one': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['longPrompt'],
      failure: 'PromptIneffective',
      why: 'Without skills, memories and tasks, the prompt is short enough to be passed directly.',
    },
  },
} as const satisfies Omit<ScenarioDefinition, 'id' | 'description'>;

/** OpenCode with its default permissions. */
const byDefault = scenario({
  ...longPrompt,
  id: 'opencode-long-prompt',
  description: 'A prompt of more than 7,000 bytes reaches OpenCode with its default permissions',
  knownIssue: {
    upTo: '2.10.1',
    reason: 'ralph passes a file that OpenCode refuses to read, and takes exit code 0 for an answer',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: 'exit code 2, termination reason "max_iterations"',
      iterations: /^in no iteration; (\d+) finished, \1 started$/,
      file: /^no such file;/,
    },
  },
  notApplicable: noBuiltIns(
    'up to ralph 2.10.1, no agent gets this prompt; opencode-long-prompt-permitted is tried with all of them',
  ),
});

/** The workaround that a user has: allow OpenCode to read outside its folder. */
const permitted = scenario({
  ...longPrompt,
  id: 'opencode-long-prompt-permitted',
  description: 'A prompt of more than 7,000 bytes reaches an OpenCode that may read outside its folder',
  arrange: (context) => ({
    ...longPrompt.arrange(context),
    files: { 'opencode.json': JSON.stringify({ permission: { external_directory: 'allow' } }) },
  }),
  saboteurs: {
    ...longPrompt.saboteurs,
    'does it, but does not complete': neverCompletes('ends', 'iterations'),
    'has no permission to read outside its folder': {
      config: arranging({ files: {} }),
      kills: ['ends', 'iterations', 'file'],
      failure: 'BackendError',
      why: 'OpenCode refuses to read the file with the prompt, says so only on stderr, and exits with code 0.',
    },
  },
});

export const opencodeLongPrompt = [byDefault, permitted];
