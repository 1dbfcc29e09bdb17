import {
  type Arrangement,
  backendNeverCalled,
  type Check,
  completed,
  errandAnswered,
  failedToRun,
  fileEquals,
  fileHasJson,
  loop,
  onAnyPrompt,
  onObjective,
  type RalphConfig,
  scenario,
  without,
} from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt, rehooking } from '../../support/hooks.js';
import { neverCompletes, noBuiltIns } from '../../support/saboteurs.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const warns = (name: string, command: readonly string[], more: RalphConfig = {}): RalphConfig => ({
  name,
  command,
  on_error: 'warn',
  ...more,
});
const printsTwice = ['sh', '-c', `printf ${ALPHABET}; printf ${ALPHABET} >&2`];

const failingHooks = (word: string) => [
  warns('fails', ['sh', '-c', 'exit 7']),
  warns('gone', ['./gone.sh']),
  warns('hangs', ['sleep', '600']),
  warns('slow', ['sh', '-c', 'sleep 1.3; echo slow >> trace.txt'], { timeout_seconds: 60 }),
  warns('loud', printsTwice),
  warns('roomy', printsTwice, { max_output_bytes: 26 }),
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

const withoutHook = (name: string) =>
  arranging<Arrangement>(({ nonce }) => ({
    config: {
      ...failing(nonce),
      hooks: {
        ...Object(failing(nonce).hooks),
        events: {
          'pre.loop.start': failingHooks(nonce).filter((hook) => hook.name !== name),
          'post.loop.complete': [KEEPS_RECORDS],
        },
      },
    },
  }));

/** Hooks that fail in every way and only warn: the loop goes on, and each of them has its limits, folder and words. */
const hooksWarn = scenario({
  ...MECHANICS,
  id: 'hooks-warn',
  tier: 2,
  priority: 'should',
  phase: 'red',
  description: 'Hooks that fail, hang, flood or do not exist and only warn leave the loop alone',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: failing(nonce),
    files: {
      'sub/there.sh': {
        content: '#!/bin/sh\necho "${PWD##*/} $# $1 $WORD ${HOME:+home}" >> ../trace.txt\n',
        mode: 0o755,
      },
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
      stderr: { content: ALPHABET.slice(0, 20), truncated: true },
    }),
    roomy: fileHasJson('runs.jsonl', {
      hook_name: 'roomy',
      stdout: { content: ALPHABET, truncated: false },
      stderr: { content: ALPHABET, truncated: false },
    }),
    muddled: fileHasJson('runs.jsonl', { hook_name: 'muddled', exit_code: 0, disposition: 'warn' }),
  }),

  agent: [onObjective('Write work.txt').writes('work.txt', 'done\n').completes()],

  saboteurs: {
    'says it, but does not do it': { agent: without('writes'), kills: ['work'] },
    'never completes': neverCompletes('ends'),
    'one of them blocks': {
      config: rehooking('pre.loop.start', [{ ...warns('fails', ['sh', '-c', 'exit 7']), on_error: 'block' }]),
      kills: ['ends', 'work', 'trace', 'fails'],
      failure: 'AssertionMismatch',
    },
    'nothing limits them': {
      config: arranging(({ nonce }) => ({ config: failing(nonce, { timeout_seconds: 3 }) })),
      kills: ['loud'],
      failure: 'AssertionMismatch',
    },
    'none fails': { config: withoutHook('fails'), kills: ['fails'], failure: 'AssertionMismatch' },
    'none hangs': { config: withoutHook('hangs'), kills: ['hangs'], failure: 'AssertionMismatch' },
    'none is slow': { config: withoutHook('slow'), kills: ['slow', 'trace'], failure: 'AssertionMismatch' },
    'none has room': { config: withoutHook('roomy'), kills: ['roomy'], failure: 'AssertionMismatch' },
    'none is muddled': { config: withoutHook('muddled'), kills: ['muddled'], failure: 'AssertionMismatch' },
    'the last one is missing': {
      config: withoutHook('last'),
      kills: ['trace'],
      failure: 'AssertionMismatch',
    },
  },
});

/** A run of its own: one hook that blocks at one phase. */
interface Blocked {
  readonly phase: string;
  readonly command: readonly string[];
  readonly why: string;
  readonly more?: RalphConfig;
  readonly maxIterations?: number;
}

const FAILS = { command: ['sh', '-c', 'exit 9'], why: 'hook exited with code 9' };

/** One phase each, and every way to fail at least once. */
const BLOCKED: Readonly<Record<string, Blocked>> = {
  start: { phase: 'pre.loop.start', ...FAILS },
  started: {
    phase: 'post.loop.start',
    command: ['sleep', '600'],
    why: 'hook timed out',
    more: { timeout_seconds: 1 },
  },
  begin: {
    phase: 'pre.iteration.start',
    command: ['./gone.sh'],
    why: "hook execution failed: .*command './gone\\.sh' could not be resolved: .*the file does not exist",
  },
  begun: {
    phase: 'post.iteration.start',
    command: ['./plain.sh'],
    why: "hook execution failed: .*command './plain\\.sh' could not be resolved: .*it is not executable",
  },
  plan: {
    phase: 'pre.plan.created',
    command: ['echo', '[]'],
    why: 'invalid mutation output: mutation payload must be a JSON object',
    more: { mutate: { enabled: true } },
  },
  planned: {
    phase: 'post.plan.created',
    command: ['echo', '{"prompt": "x"}'],
    why: 'invalid mutation output: mutation payload supports only .*found keys: \\["prompt"\\]',
    more: { mutate: { enabled: true } },
  },
  ask: {
    phase: 'pre.human.interact',
    command: ['no-such-tool'],
    why: "hook execution failed: .*command 'no-such-tool' was not found in PATH",
  },
  asked: { phase: 'post.human.interact', ...FAILS },
  finished: { phase: 'post.loop.complete', ...FAILS },
  fail: { phase: 'pre.loop.error', ...FAILS, maxIterations: 1 },
  failed: { phase: 'post.loop.error', ...FAILS, maxIterations: 1 },
};

const blockedRun = (name: string) => ['run', '-c', `${name}.yml`, '--no-tui', '-p', `Work on ${name}.`];

function blockedConfig(name: string, { phase, command, more, maxIterations = 3 }: Blocked): string {
  const { hooks: _, ...config } = loop({ maxIterations });
  // The hook before it fails too, and the one after it runs all the same.
  const hooks = [
    { name: 'early', command: ['false'], on_error: 'warn' },
    { name, command, on_error: 'block', ...more },
    { name: 'late', command: ['sh', '-c', `echo ${name} >> late.txt`], on_error: 'warn' },
  ];
  return JSON.stringify({
    ...config,
    cli: { backend: 'claude' },
    hooks: { enabled: true, events: { [phase]: hooks } },
  });
}

const blockedAnswer = (name: string, { phase, why }: Blocked) =>
  errandAnswered(blockedRun(name).join(' '), {
    exitCode: 1,
    stderr: new RegExp(`^Error: Lifecycle hook '${name}' blocked orchestration at '${phase}': ${why}`, 'm'),
  });

const HALF = Object.keys(BLOCKED).filter((_, index) => index % 2 === 0);
const OTHER_HALF = Object.keys(BLOCKED).filter((_, index) => index % 2 === 1);

/** These hooks only warn. */
const warning = (names: readonly string[]) => (arrangement: Arrangement) => ({
  ...arrangement,
  files: {
    ...arrangement.files,
    ...Object.fromEntries(
      Object.entries(BLOCKED)
        .filter(([name]) => names.includes(name))
        .map(([name, blocked]) => [
          `${name}.yml`,
          blockedConfig(name, blocked).replace('"on_error":"block"', '"on_error":"warn"'),
        ]),
    ),
  },
});

/** A hook that may block and fails ends the run wherever it runs, and Ralph says which one, where and why. */
const hooksBlockEverywhere = scenario({
  ...MECHANICS,
  id: 'hooks-block-everywhere',
  tier: 2,
  priority: 'should',
  phase: 'red',
  description:
    'A blocking hook ends the run at each phase, whatever its failure, and Ralph names the hook and the reason',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({
      maxIterations: 3,
      more: { hooks: hooksAt(['pre.loop.complete'], { name: 'end', command: ['false'], on_error: 'block' }) },
    }),
    files: {
      'plain.sh': 'exit 0\n',
      ...Object.fromEntries(
        Object.entries(BLOCKED).map(([name, blocked]) => [`${name}.yml`, blockedConfig(name, blocked)]),
      ),
    },
    before: Object.keys(BLOCKED).map((name) => ({ ralph: blockedRun(name) })),
    prompt: 'Work on the end.',
  }),

  expect: (): Record<string, Check> => ({
    ...Object.fromEntries(
      Object.entries(BLOCKED).map(([name, blocked]) => [name, blockedAnswer(name, blocked)]),
    ),
    refuses: failedToRun(
      1,
      /Lifecycle hook 'end' blocked orchestration at 'pre\.loop\.complete': hook exited with code 1/,
    ),
    late: fileEquals('late.txt', Object.keys(BLOCKED).join('\n')),
    calls: fileEquals('calls.txt', 'plan\nplanned\nask\nasked\nfinished\nfail\nfailed\nthe'),
  }),

  agent: [
    onObjective(/^Work on (plan\w*)\.$/m)
      .appends('calls.txt', '{{1}}\n')
      .emits('plan.draft', 'a plan'),
    onObjective(/^Work on (ask\w*)\.$/m)
      .appends('calls.txt', '{{1}}\n')
      .emits('human.interact', 'Well?'),
    onObjective(/^Work on (\w+)/m)
      .appends('calls.txt', '{{1}}\n')
      .completes(),
  ],

  saboteurs: {
    'does not write down its calls': { agent: without('appends'), kills: ['calls'] },
    'emits nothing': {
      agent: without('emits'),
      kills: ['plan', 'planned', 'ask', 'asked'],
      failure: 'AssertionMismatch',
    },
    'does not complete': {
      agent: without('completes'),
      kills: ['finished', 'refuses'],
      failure: 'AssertionMismatch',
    },
    'half of them only warn': { config: warning(HALF), kills: HALF, failure: 'AssertionMismatch' },
    'the other half only warns': {
      config: warning(OTHER_HALF),
      kills: OTHER_HALF,
      failure: 'AssertionMismatch',
    },
    'no hook runs late': {
      config: arranging({ files: {} }),
      kills: ['late'],
      failure: 'AssertionMismatch',
    },
    'Ralph ignores the failure': {
      target: 'ignore-hook-failures',
      kills: [...Object.keys(BLOCKED), 'refuses', 'calls'],
      failure: 'AssertionMismatch',
    },
  },
});

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

const REFUSED_NAMES = Object.keys(REFUSED);

/** Nothing is wrong with every second of them. */
const mending = (rest: 0 | 1) => (arrangement: Arrangement) => ({
  ...arrangement,
  files: {
    ...arrangement.files,
    ...Object.fromEntries(
      REFUSED_NAMES.filter((_, index) => index % 2 === rest).map((name) => [
        `${name}.yml`,
        file(gated(HOOK)),
      ]),
    ),
  },
});

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
      'pre.loop.start': [HOOK, { ...HOOK, command: ['./gone.sh'] }],
      'post.loop.start': [{ ...HOOK, name: 'plain', command: ['./ralph.yml'] }],
      'pre.loop.error': [
        { ...HOOK, name: 'tool', command: ['no-such-tool'] },
        { ...HOOK, name: 'own', env: { PATH: 'tools' } },
      ],
    },
  },
};

/** What is wrong with hooks is said before anything runs: by `ralph hooks validate`, and by the run itself. */
const hooksValidate = scenario({
  ...MECHANICS,
  id: 'hooks-validate',
  tier: 2,
  priority: 'should',
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
          { message: /^Command '\.\/gone\.sh' resolves to .* but the file does not exist/, hook: 'gate' },
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
      failure: 'AssertionMismatch',
    },
    'the good ones are broken': {
      config: (arrangement) => ({
        ...arrangement,
        files: { ...arrangement.files, 'good.yml': file(BROKEN) },
      }),
      kills: ['good'],
      failure: 'AssertionMismatch',
    },
    'the broken ones are good': {
      config: (arrangement) => ({
        ...arrangement,
        files: { ...arrangement.files, 'broken.yml': file(GOOD) },
      }),
      kills: ['broken', 'json'],
      failure: 'AssertionMismatch',
    },
    'nothing is wrong with half of them': {
      config: mending(0),
      kills: REFUSED_NAMES.filter((_, index) => index % 2 === 0),
      failure: 'AssertionMismatch',
    },
    'nothing is wrong with the other half': {
      config: mending(1),
      kills: REFUSED_NAMES.filter((_, index) => index % 2 === 1),
      failure: 'AssertionMismatch',
    },
  },
  notApplicable: noBuiltIns('Ralph refuses its configuration before it calls an agent'),
});

export const hookFailures = [hooksWarn, hooksBlockEverywhere, hooksValidate];
