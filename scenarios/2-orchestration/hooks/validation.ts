import {
  backendNeverCalled,
  type Check,
  errandAnswered,
  failedToRun,
  loop,
  onAnyPrompt,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { noBuiltIns } from '../../support/saboteurs.js';

const gated = (fields: RalphConfig): RalphConfig => ({
  hooks: { enabled: true, events: { 'pre.loop.start': [fields] } },
});
const HOOK = { name: 'gate', command: ['true'], on_error: 'warn' };
const { name: _name, ...NAMELESS } = HOOK;
const { on_error: _onError, ...UNDECIDED } = HOOK;

/** Hooks that Ralph refuses, and what it says. */
const REFUSED: Readonly<Record<string, readonly [config: RalphConfig, says: RegExp]>> = {
  nameless: [gated(NAMELESS), /pre\.loop\.start\[0\]\.name': is required and must be non-empty/],
  commandless: [
    gated({ ...HOOK, command: [] }),
    /\[0\]\.command': is required and must include an executable/,
  ],
  undecided: [gated(UNDECIDED), /\[0\]\.on_error': is required in v1 \(warn \| block \| suspend\)/],
  hurried: [gated({ ...HOOK, timeout_seconds: 0 }), /\[0\]\.timeout_seconds': must be greater than 0/],
  mute: [gated({ ...HOOK, max_output_bytes: 0 }), /\[0\]\.max_output_bytes': must be greater than 0/],
  patient: [
    gated({ ...HOOK, suspend_mode: 'retry_backoff' }),
    /\[0\]\.suspend_mode': requires on_error: suspend/,
  ],
  hasty: [
    { hooks: { enabled: true, defaults: { timeout_seconds: 0 } } },
    /hooks\.defaults\.timeout_seconds': must be greater than 0/,
  ],
  silent: [
    { hooks: { enabled: true, defaults: { max_output_bytes: 0 } } },
    /hooks\.defaults\.max_output_bytes': must be greater than 0/,
  ],
  crowd: [
    { hooks: { enabled: true, parallel: 2 } },
    /'hooks\.parallel' for v1\. Parallel hook execution is out of scope/,
  ],
  worldwide: [gated({ ...HOOK, scope: 'global' }), /\[0\]\.scope' for v1\. Use ~\/\.ralph\/config\.yml/],
  idle: [
    gated({ ...HOOK, mutate: { format: 'json' } }),
    /\[0\]\.mutate': mutation settings require mutate\.enabled/,
  ],
  markup: [
    gated({ ...HOOK, mutate: { enabled: true, format: 'xml' } }),
    /mutate\.format': only 'json' is supported/,
  ],
  meddling: [
    gated({ ...HOOK, mutate: { enabled: true, prompt: true } }),
    /mutate\.prompt' for v1\. v1 allows metadata-only mutation/,
  ],
};

const validating = (name: string) => `hooks validate -c ${name}.yml`;
const file = (config: RalphConfig) => JSON.stringify({ cli: { backend: 'claude' }, ...config });

const GOOD = {
  hooks: {
    enabled: true,
    events: {
      'pre.loop.start': [HOOK, { ...HOOK, name: 'more' }],
      'post.loop.error': [HOOK, { ...HOOK, name: 'own', command: ['tool'], env: { PATH: 'tools' } }],
      'pre.loop.error': [{ ...HOOK, command: ['./tool'], cwd: 'tools' }],
    },
  },
};
const BROKEN = {
  hooks: {
    enabled: true,
    events: {
      'pre.loop.start': [HOOK, { ...HOOK, command: ['./gone.sh'], cwd: 'tools' }],
      'post.loop.start': [{ ...HOOK, name: 'plain', command: ['./ralph.yml'] }],
      'pre.loop.error': [
        { ...HOOK, name: 'tool', command: ['no-such-tool'] },
        { ...HOOK, name: 'own', env: { PATH: 'tools' } },
      ],
    },
  },
};

/** What is wrong with hooks is said before anything runs: by `ralph hooks validate`, and by the run itself. */
export const hooksValidate = scenario({
  ...MECHANICS,
  id: 'hooks-validate',
  phase: 'red',
  description: '`ralph hooks validate` and `ralph run` refuse hooks that cannot work, and say why',
  covers: ['FR5', 'FR9'],

  arrange: () => ({
    config: { ...loop({ maxIterations: 3 }), ...gated({ ...HOOK, suspend_mode: 'retry_backoff' }) },
    files: {
      'good.yml': file(GOOD),
      'broken.yml': file(BROKEN),
      'tools/tool': { content: '#!/bin/sh\n', mode: 0o755 },
      ...Object.fromEntries(Object.entries(REFUSED).map(([name, [config]]) => [`${name}.yml`, file(config)])),
    },
    before: ['good', 'broken', ...Object.keys(REFUSED)].map((name) => ({
      ralph: validating(name).split(' '),
    })),
    after: [{ ralph: ['hooks', 'validate', '-c', 'broken.yml', '--format', 'json'] }],
    prompt: 'Declare the objective complete.',
  }),

  expect: (): Record<string, Check> => ({
    refuses: failedToRun(
      1,
      /Configuration validation failed[\s\S]*suspend_mode': requires on_error: suspend/,
    ),
    neverCalled: backendNeverCalled(),
    good: errandAnswered(validating('good'), {
      stdout: /^Hooks checked: 5\nDiagnostics: none\n\nResult: PASS$/m,
    }),
    broken: errandAnswered(validating('broken'), { exitCode: 1, stdout: /^Result: FAIL \(5 issue\(s\)\)$/m }),
    json: errandAnswered('hooks validate -c broken.yml --format json', {
      exitCode: 1,
      json: {
        pass: false,
        source: 'broken.yml',
        hooks_enabled: true,
        checked_hooks: 5,
        diagnostics: [
          {
            code: 'hooks.duplicate_name',
            message: /^Duplicate hook name 'gate' in phase-event 'pre\.loop\.start': indices \[0\] and \[1\]/,
            phase_event: 'pre.loop.start',
            hook: 'gate',
            command: './gone.sh',
          },
          {
            code: 'hooks.command_resolvable',
            message: /^Command '\.\/ralph\.yml' resolves to .* but it is not executable/,
            phase_event: 'post.loop.start',
            hook: 'plain',
            command: './ralph.yml',
          },
          { message: /^Command 'no-such-tool' was not found in process PATH/, hook: 'tool' },
          { message: /^Command 'true' was not found in hook env PATH/, hook: 'own' },
          {
            message:
              /^Command '\.\/gone\.sh' resolves to '\/.+\/tools\/\.\/gone\.sh' but the file does not exist/,
            hook: 'gate',
          },
        ],
      },
    }),
    ...Object.fromEntries(
      Object.entries(REFUSED).map(([name, [, says]]) => [
        name,
        errandAnswered(validating(name), { exitCode: 1, stdout: says }),
      ]),
    ),
  }),

  // Only a Ralph that does not check its hooks asks.
  agent: [onAnyPrompt().completes()],

  saboteurs: {
    'the hooks of the run are good': {
      config: arranging({ config: { ...loop({ maxIterations: 3 }), ...GOOD } }),
      kills: ['refuses', 'neverCalled'],
    },
  },
  notApplicable: noBuiltIns('Ralph refuses its configuration before it calls an agent'),
});
