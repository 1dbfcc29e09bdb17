import {
  completed,
  fileEquals,
  fileHasJson,
  loop,
  onObjective,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const CAPITALS = ALPHABET.toUpperCase();

const warns = (name: string, command: readonly string[], more: RalphConfig = {}): RalphConfig => ({
  name,
  command,
  on_error: 'warn',
  ...more,
});
const printsTwice = ['sh', '-c', `printf ${ALPHABET}; printf ${CAPITALS} >&2`];

const failingHooks = (word: string) => [
  warns('fails', ['sh', '-c', 'exit 7']),
  warns('gone', ['./gone.sh']),
  warns('unable', ['./unable.sh']),
  warns('hangs', ['sleep', '600']),
  warns('slow', ['sh', '-c', 'sleep 1.3; echo slow >> trace.txt'], { timeout_seconds: 60 }),
  warns('loud', printsTwice),
  warns('roomy', printsTwice, { max_output_bytes: 26 }),
  warns('accents', ['printf', 'éééé'], { max_output_bytes: 5 }),
  warns('muddled', ['echo', 'no metadata'], { mutate: { enabled: true } }),
  warns('there', ['./there.sh', 'one two', 'three'], { cwd: 'sub', env: { WORD: word } }),
  warns('tool', ['tool'], { env: { PATH: 'tools' } }),
  warns('last', ['sh', '-c', 'echo last >> trace.txt']),
];

/** Keeps what Ralph recorded of its hooks where the evidence has it. */
const KEEPS_RECORDS = {
  name: 'keep',
  command: ['sh', '-c', 'cat .ralph/diagnostics/*/hook-runs.jsonl > runs.jsonl'],
  on_error: 'block',
};

const failing = (word: string, defaults: RalphConfig = { timeout_seconds: 1, max_output_bytes: 20 }) =>
  loop({
    maxIterations: 3,
    more: {
      hooks: {
        enabled: true,
        defaults,
        events: { 'pre.loop.start': failingHooks(word), 'post.loop.complete': [KEEPS_RECORDS] },
      },
    },
  });

/** Hooks that fail in every way and only warn: the loop goes on, and each of them has its limits, folder and words. */
export const hooksWarn = scenario({
  ...MECHANICS,
  id: 'hooks-warn',
  phase: 'red',
  description:
    'A hook that only warns leaves the loop alone, even if it fails, hangs, floods, does not exist or cannot start',
  covers: ['FR5', 'FR9'],
  waitsSeconds: 2,
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: failing(nonce),
    files: {
      'sub/there.sh': {
        content: '#!/bin/sh\necho "${PWD##*/} $# $1 $WORD ${HOME:+home}" >> ../trace.txt\n',
        mode: 0o755,
      },
      'unable.sh': { content: '#!/no/such/program\n', mode: 0o755 },
      'tools/tool': { content: '#!/bin/sh\necho tool >> trace.txt\n', mode: 0o755 },
    },
    prompt: 'Write work.txt, then declare the objective complete.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    work: fileEquals('work.txt', 'done'),
    trace: fileEquals('trace.txt', `slow\nsub 2 one two ${nonce} home\ntool\nlast`),
    fails: fileHasJson('runs.jsonl', {
      hook_name: 'fails',
      phase_event: 'pre.loop.start',
      exit_code: 7,
      timed_out: false,
      disposition: 'warn',
    }),
    hangs: fileHasJson('runs.jsonl', {
      hook_name: 'hangs',
      timed_out: true,
      disposition: 'warn',
      // Between one second and thirty.
      duration_ms: /^(?:[1-9]\d{3}|[12]\d{4})$/,
    }),
    slow: fileHasJson('runs.jsonl', { hook_name: 'slow', timed_out: false, disposition: 'pass' }),
    loud: fileHasJson('runs.jsonl', {
      hook_name: 'loud',
      disposition: 'pass',
      stdout: { content: ALPHABET.slice(0, 20), truncated: true },
      stderr: { content: CAPITALS.slice(0, 20), truncated: true },
    }),
    roomy: fileHasJson('runs.jsonl', {
      hook_name: 'roomy',
      stdout: { content: ALPHABET, truncated: false },
      stderr: { content: CAPITALS, truncated: false },
    }),
    accents: fileHasJson('runs.jsonl', {
      hook_name: 'accents',
      stdout: { content: 'éé', truncated: true },
    }),
    muddled: fileHasJson('runs.jsonl', { hook_name: 'muddled', exit_code: 0, disposition: 'warn' }),
  }),

  agent: [onObjective('Write work.txt').writes('work.txt', 'done\n').completes()],

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'Ralph forgives a hook that it ended': {
      target: 'forgive-late-hooks',
      kills: ['hangs'],
      failure: 'AssertionMismatch',
    },
  },
});
