import { fileEquals, loop, scenario, terminatedBecause } from '../../src/authoring.js';
import { PROGRAMS } from '../support/recorders.js';
import { noBuiltIns } from '../support/saboteurs.js';

/* Programs of the workspace take the part of the agent CLIs: a model would add nothing, and some have no stand-in. */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

/** Silent for longer than the limit of its adapter: it is ended before it can survive. */
const SILENT = program(
  'echo started >> "$' + '{0##*/}.txt"',
  'sleep 6',
  'echo survived >> "$' + '{0##*/}.txt"',
);
/** Prints a line before each limit is reached, and lasts longer than the limit. */
const CHATTY = program(
  'for each in 1 2 3 4 5 6; do echo working; sleep 0.6; done',
  'echo survived >> "$' + '{0##*/}.txt"',
);

const OWN = ['kiro', 'gemini', 'codex', 'amp'];
const timeouts = scenario({
  id: 'backend-timeouts',
  lanes: ['sim'],
  backends: ['claude'],
  phase: 'red',
  description:
    'Each adapter has its own limit for silence, also for a hat; others have that of Claude, and each line of output starts it anew',
  covers: ['FR9'],
  waitsSeconds: 9,
  timeoutSeconds: 60,

  arrange: () => ({
    config: loop({
      maxIterations: 1,
      more: { cli: { backend: 'opencode' }, adapters: { claude: { timeout: 2 } } },
    }),
    prompt: 'This only tests limits for silence.',
    files: {
      'own.yml': `adapters: { claude: { timeout: 60 }, ${OWN.map((name) => `${name}: { timeout: 1 }`).join(', ')} }\n`,
      'hat.yml': [
        'cli: { backend: opencode }',
        'adapters: { claude: { timeout: 60 }, kiro: { timeout: 1 } }',
        'event_loop: { starting_event: work.start }',
        `hats: { worker: { name: Worker, description: Works., triggers: [work.start], backend: { command: ./${PROGRAMS}/kiro } } }\n`,
      ].join('\n'),
      'others.yml': `adapters: { claude: { timeout: 1 }, ${OWN.map((name) => `${name}: { timeout: 60 }`).join(', ')} }\n`,
      ...Object.fromEntries(
        ['kiro-cli', 'gemini', 'codex', 'amp', 'copilot', 'kiro'].map((name) => [
          `${PROGRAMS}/${name}`,
          SILENT,
        ]),
      ),
      [`${PROGRAMS}/opencode`]: CHATTY,
    },
    path: [PROGRAMS],
    before: [
      ...OWN.map((name) => ({
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'own.yml', '-b', name],
        env: { RALPH_DIAGNOSTICS: '0' },
      })),
      {
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'others.yml', '-b', 'copilot'],
        env: { RALPH_DIAGNOSTICS: '0' },
      },
      {
        ralph: ['run', '--no-tui', '-p', 'x', '--max-iterations', '1', '-c', 'hat.yml'],
        env: { RALPH_DIAGNOSTICS: '0' },
      },
    ],
  }),

  expect: () => ({
    ends: terminatedBecause('max_iterations', 2),
    kiro: fileEquals('kiro-cli.txt', 'started'),
    gemini: fileEquals('gemini.txt', 'started'),
    codex: fileEquals('codex.txt', 'started'),
    amp: fileEquals('amp.txt', 'started'),
    other: fileEquals('copilot.txt', 'started'),
    hat: fileEquals('kiro.txt', 'started'),
    chatty: fileEquals('opencode.txt', 'survived'),
  }),

  agent: [],

  saboteurs: {
    'the exit code is another one': {
      target: 'wrong-exit-code',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },

  notApplicable: noBuiltIns('programs of the workspace take the part of the agent'),
});

export const backendTimeouts = [timeouts];
