import {
  agentSaid,
  type Check,
  completed,
  errandAnswered,
  loop,
  onObjective,
  scenario,
  without,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import {
  answersOf,
  askAll,
  askingOtherwise,
  type Inquiries,
  linesOf,
  rewriting,
} from '../../support/inquiries.js';
import { NEVER_COMPLETES } from '../../support/saboteurs.js';

/*
 * The commands around a run: `preflight`, `init`, `clean`, `doctor` and `completions`. No agent takes part in them, so a
 * model would add nothing; the judged run only shows that a loop still works afterwards.
 */

const sayIt = (nonce: string) => `Say ${nonce} in uppercase, then declare the objective complete.`;
const agent = [
  onObjective(/Say (\w+) in uppercase/)
    .says('{{upper 1}}')
    .completes(),
];
const check = (...args: readonly string[]) => ['preflight', ...args];
const once = (...args: readonly string[]) => ['run', '--no-tui', '-p', 'x', ...args];

const PREFLIGHT: Inquiries = {
  gitClean: {
    args: check('--check', 'git'),
    answer: { stdout: /^ +OK +git +Working tree clean \(\S+\)$[\s\S]*^Result: PASS$/m },
  },
  makesDirty: { args: ['tools', 'memory', 'add', 'something'], answer: { stdout: /Memory stored/ } },
  gitDirty: {
    args: check('--check', 'GIT'),
    answer: {
      stdout: /^ +WARN git +Working tree has uncommitted changes$[\s\S]*^Result: PASS \(1 warning\(s\)\)$/m,
    },
  },
  all: {
    args: check('-c', 'sound.yml'),
    in: 'checked',
    answer: {
      stdout:
        /^Preflight checks for sound\.yml\n\n +OK +config +Configuration valid\n +OK +hooks +Hooks disabled.*\n +OK +backend +Backend CLI available \(claude\)\n +OK +telegram .*\n +OK +git +Not a git repository.*\n +WARN paths +Workspace paths created\n +Created: .*checked\/\.ralph\/agent, .*checked\/own-specs\n +OK +tools .*\n +OK +specs .*\n\nResult: PASS \(1 warning\(s\)\)\n$/,
    },
  },
  strict: {
    args: check('-c', 'sound.yml', '--strict'),
    in: 'strict',
    answer: {
      exitCode: 1,
      stdout: /Result: FAIL \(1 warning\(s\)\)\nNote: strict mode treats warnings as failures\.\n$/,
    },
  },
  noWarning: {
    args: check('-c', 'sound.yml', '--strict', '--format', 'human'),
    in: 'checked',
    answer: { stdout: /OK +paths +Workspace paths accessible[\s\S]*Result: PASS\n$/ },
  },
  json: {
    args: check('-c', 'sound.yml', '--format', 'json', '--check', 'specs', '--check', 'Config'),
    in: 'checked',
    answer: {
      stdout:
        /^\{\s*"passed": true,\s*"warnings": 0,\s*"failures": 0,\s*"checks": \[\s*\{\s*"name": "config",\s*"label": "Configuration valid",\s*"status": "pass"\s*\},\s*\{\s*"name": "specs",[^}]*\}\s*\]\s*\}\s*$/,
    },
  },
  badConfig: {
    args: check('-c', 'bad.yml', '--check', 'config'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout:
        /FAIL config +Configuration invalid\n +Reserved trigger 'task\.start'[\s\S]*Result: FAIL \(1 failure\(s\)\)/,
    },
  },
  warnedConfig: {
    args: check('-c', 'warned.yml', '--check', 'config'),
    in: 'checked',
    answer: { stdout: /WARN config +Configuration valid \(1 warning\(s\)\)\n +Warning \[max_tokens\]/ },
  },
  missingBackend: {
    args: check('-c', 'missing.yml', '--check', 'backend'),
    in: 'checked',
    answer: { exitCode: 1, stdout: /FAIL backend +Backend CLI not available\n.*\.\/no-such-cli/ },
  },
  missingCustom: {
    args: check('-c', 'custom.yml', '--check', 'backend'),
    in: 'checked',
    answer: { exitCode: 1, stdout: /FAIL backend +Custom backend not found\n.*no-such-cli/ },
  },
  missingAuto: {
    args: check('-c', 'auto.yml', '--check', 'backend'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: /FAIL backend +No available backend found\n +Checked: no-such-cli \(no-such-cli\)/,
    },
  },
  specs: {
    args: check('-c', 'specs.yml', '--check', 'specs'),
    in: 'checked',
    answer: {
      stdout:
        /^(?![\s\S]*(?:whole|done)\.spec)[\s\S]*WARN specs +2 of 4 spec\(s\) missing acceptance criteria\n.*\n +poor\.spec\.md: missing.*\n +half\.spec\.md: missing/,
    },
  },
  unknownCheck: {
    args: check('--check', 'weather'),
    answer: {
      exitCode: 1,
      stderr:
        /Unknown check\(s\): weather\. Available checks: config, hooks, backend, telegram, git, paths, tools, specs/,
    },
  },
  runStops: {
    args: once('-c', 'failing.yml'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stderr:
        /Preflight: ✓ config ✓ hooks ✗ backend [\s\S]*✗ backend: .*no-such-cli[\s\S]*Preflight checks failed \(1 failure\)\. Fix the issues above or use --skip-preflight/,
    },
  },
  warningRuns: {
    args: once('-c', 'lenient.yml'),
    in: 'checked',
    answer: { exitCode: 2, stderr: /Preflight: .*⚠ specs \(1 warning\)/ },
  },
  strictStops: {
    args: once('-c', 'strict.yml'),
    in: 'checked',
    answer: { exitCode: 1, stderr: /Preflight checks failed \(0 failures, 1 warning\)/ },
  },
  leftOut: {
    args: once('-c', 'left-out.yml'),
    in: 'checked',
    answer: { exitCode: 2, stderr: /Preflight: ✓ config ✓ hooks ✓ backend ✓ telegram ✓ paths ✓ tools\n/ },
  },
  skipped: {
    args: once('-c', 'strict.yml', '--skip-preflight'),
    in: 'checked',
    answer: { exitCode: 2, stderr: /^(?![\s\S]*Preflight)/ },
  },
  offByDefault: {
    args: once('-c', 'off.yml'),
    in: 'checked',
    answer: { exitCode: 2, stderr: /^(?![\s\S]*Preflight)/ },
  },
};

const RUNS =
  'cli: { backend: custom, command: ./nothing.sh }\nevent_loop: { max_iterations: 1 }\ncore: { specs_dir: specs }\n';
const preflightFiles = {
  'checked/sound.yml': 'cli: { backend: claude }\ncore: { specs_dir: own-specs }\n',
  'strict/sound.yml': 'cli: { backend: claude }\ncore: { specs_dir: own-specs }\n',
  'checked/bad.yml': 'hats: { a: { name: A, description: a, triggers: [task.start] } }\n',
  'checked/warned.yml': 'max_tokens: 1\n',
  'checked/missing.yml': 'cli: { backend: claude, command: ./no-such-cli }\n',
  'checked/custom.yml': 'cli: { backend: custom, command: no-such-cli }\n',
  'checked/auto.yml': 'cli: { backend: auto }\nagent_priority: [no-such-cli]\n',
  'checked/specs.yml': 'core: { specs_dir: all-specs }\n',
  'checked/all-specs/whole.spec.md': '- Given a\n- When b\n- Then c\n',
  'checked/all-specs/deep/poor.spec.md': 'It should be good.\n',
  'checked/all-specs/half.spec.md': '**Given** a thing\n**When** it happens\n',
  'checked/all-specs/done.spec.md': 'Status: implemented\nIt is good.\n',
  'checked/all-specs/notes.md': 'Not a specification.\n',
  'checked/specs/poor.spec.md': 'It should be good.\n',
  'checked/nothing.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'checked/failing.yml':
    'cli: { backend: custom, command: ./no-such-cli }\nfeatures: { preflight: { enabled: true } }\n',
  'checked/off.yml': RUNS,
  'checked/lenient.yml': `${RUNS}features: { preflight: { enabled: true } }\n`,
  'checked/strict.yml': `${RUNS}features: { preflight: { enabled: true, strict: true } }\n`,
  'checked/left-out.yml': `${RUNS}features: { preflight: { enabled: true, strict: true, skip: [specs, GIT] } }\n`,
};

const preflight = scenario({
  id: 'preflight',
  ...MECHANICS,
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Preflight checks find what is wrong before a run, and stop it only if they should',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(nonce),
    files: preflightFiles,
    before: askAll(PREFLIGHT),
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: completed(),
    said: agentSaid(nonce.toUpperCase()),
    ...answersOf(PREFLIGHT),
  }),

  agent,

  saboteurs: {
    'all files are the same': {
      config: rewriting('cli: { backend: claude, command: no-such }\n', ...Object.keys(preflightFiles)),
      kills: Object.keys(PREFLIGHT).filter(
        (name) =>
          !['gitClean', 'gitDirty', 'makesDirty', 'unknownCheck', 'missingBackend', 'json'].includes(name),
      ),
      failure: 'AssertionMismatch',
    },
    'the folder is clean or not at another time': {
      config: (plan) => ({
        ...plan,
        before: [
          ...(plan.before ?? []).slice(1, 2),
          ...(plan.before ?? []).slice(0, 1),
          { git: ['add', '-A'] },
          { git: ['commit', '-m', 'x'] },
          ...(plan.before ?? []).slice(2),
        ],
      }),
      kills: ['gitClean', 'gitDirty'],
      failure: 'AssertionMismatch',
    },
    'other questions': {
      config: (plan) =>
        askingOtherwise('weather', () => ({ ralph: ['events'] }))(
          askingOtherwise('memory', () => ({ ralph: ['events'] }))(
            askingOtherwise('missing.yml', () => ({ ralph: ['events'] }))(
              askingOtherwise('--format json', () => ({ ralph: ['events'] }))(plan),
            ),
          ),
        ),
      kills: ['unknownCheck', 'makesDirty', 'missingBackend', 'json'],
      failure: 'AssertionMismatch',
    },
    'says nothing': { agent: without('says'), kills: ['said'] },
    'never completes': NEVER_COMPLETES,
  },
});

const fresh = (backend: string, prompt: string) => ({
  args: ['run', '--dry-run', '--no-tui', '-p', prompt],
  in: 'fresh',
  answer: {
    stdout: linesOf(
      `Prompt: inline text (${prompt})`,
      'Completion promise: LOOP_COMPLETE',
      'Max iterations: 100',
      `Backend: ${backend}`,
    ),
  },
});

const FIRST: Inquiries = {
  initUsage: {
    args: ['init'],
    in: 'fresh',
    answer: {
      stdout: /Backends: claude, kiro, kiro-acp, gemini, codex, forge, amp, copilot, opencode, pi, custom/,
    },
  },
  init: {
    args: ['init', '--backend', 'opencode'],
    in: 'fresh',
    answer: { stdout: /Created ralph\.yml with opencode backend/ },
  },
  initAccepted: fresh('opencode', 'first'),
  initExisting: {
    args: ['init', '--backend', 'claude'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /ralph\.yml already exists\. Use --force to overwrite/ },
  },
  initKept: fresh('opencode', 'second'),
  initForced: {
    args: ['init', '--backend', 'gemini', '--force'],
    in: 'fresh',
    answer: { stdout: /Created ralph\.yml with gemini backend/ },
  },
  initReplaced: fresh('gemini', 'third'),
  initUnknown: {
    args: ['init', '--backend', 'nonesuch', '--force'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /Unknown backend: nonesuch\s+Valid backends: claude, kiro,/ },
  },
  initStillThere: fresh('gemini', 'fourth'),
  initPreset: {
    args: ['init', '--preset', 'debug'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /`ralph init --preset debug` was removed/ },
  },
  cleanDry: {
    args: ['clean', '--dry-run'],
    in: 'used',
    answer: {
      stdout:
        /^Dry run mode: Would delete directory and all contents:\n +\.ralph\/agent\n(?=[\s\S]*scratchpad\.md)(?=[\s\S]*tasks\.jsonl)/,
    },
  },
  cleanDiagnosticsDry: {
    args: ['clean', '--diagnostics', '--dry-run'],
    in: 'used',
    answer: {
      stdout: /Would delete directory and all contents:\n.*\.ralph\/diagnostics\n +\(1 session directories\)/,
    },
  },
};
const CLEANED: Inquiries = {
  clean: {
    args: ['clean'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted '\.ralph\/agent' and all contents/ },
  },
  cleanNothing: {
    args: ['clean', '--color', 'never'],
    in: 'used',
    answer: { stdout: /Nothing to clean: Directory '\.ralph\/agent' does not exist/ },
  },
  cleanDiagnostics: {
    args: ['clean', '--diagnostics'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted '.*\.ralph\/diagnostics' and all contents/ },
  },
  cleanOwn: {
    args: ['clean', '-c', 'core.scratchpad=own/pad.md'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted 'own' and all contents/ },
  },
};

const usedFiles = {
  'used/kept.txt': 'kept\n',
  'used/ralph.yml': 'cli: { backend: claude }\n',
  'used/.ralph/events.jsonl': '',
  'used/.ralph/agent/scratchpad.md': 'notes\n',
  'used/.ralph/agent/tasks.jsonl': '',
  'used/.ralph/diagnostics/2026-01-01T00-00-00/trace.jsonl': '',
  'used/own/pad.md': 'notes\n',
  'used/own/more.md': 'more\n',
};

const initAndClean = scenario({
  id: 'init-and-clean',
  ...MECHANICS,
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: '`ralph init` writes a file that works, and `ralph clean` deletes only what it says',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(nonce),
    files: { 'fresh/.gitkeep': '', ...usedFiles },
    before: [
      ...askAll(FIRST),
      { git: ['status', '--porcelain', '--', 'used'] },
      ...askAll(CLEANED),
      { git: ['status', '-s', '--', 'used'] },
    ],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: completed(),
    said: agentSaid(nonce.toUpperCase()),
    dryRunsDeleteNothing: errandAnswered('status --porcelain -- used', { stdout: /^$/ }),
    deletes: errandAnswered('status -s -- used', {
      stdout:
        /^ D used\/\.ralph\/agent\/scratchpad\.md\n D used\/\.ralph\/agent\/tasks\.jsonl\n D used\/\.ralph\/diagnostics\/\S+\n D used\/own\/more\.md\n D used\/own\/pad\.md\n$/,
    }),
    ...answersOf(FIRST),
    ...answersOf(CLEANED),
  }),

  agent,

  saboteurs: {
    'the commands are other ones': {
      config: askingOtherwise('', ({ ralph, ...place }) => ({
        ...place,
        ralph: ['events', ...ralph.slice(0, 0)],
      })),
      kills: ['deletes', ...Object.keys(FIRST), ...Object.keys(CLEANED)],
      failure: 'AssertionMismatch',
    },
    'the dry run is none': {
      config: askingOtherwise('clean --dry-run', ({ ralph, ...place }) => ({
        ...place,
        ralph: ralph.slice(0, 1),
      })),
      kills: ['dryRunsDeleteNothing', 'cleanDry'],
      failure: 'AssertionMismatch',
    },
    'says nothing': { agent: without('says'), kills: ['said'] },
    'never completes': NEVER_COMPLETES,
  },
});

const DOCTOR: Inquiries = {
  healthy: {
    args: ['doctor', '-c', 'sound.yml'],
    in: 'checked',
    env: { ANTHROPIC_API_KEY: 'x' },
    answer: {
      stdout:
        /OK +config [\s\S]*OK +hats +No custom hats[\s\S]*OK +backend:claude +claude CLI available \(claude\)[\s\S]*OK +auth +Auth hints satisfied[\s\S]*Result: PASS/,
    },
  },
  withoutKey: {
    args: ['doctor', '-c', 'sound.yml', '--color', 'never'],
    in: 'checked',
    answer: { stdout: /WARN auth [\s\S]*claude: set ANTHROPIC_API_KEY[\s\S]*Result: PASS \(\d warning/ },
  },
  missingBackend: {
    args: ['doctor', '-c', 'missing.yml'],
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: /FAIL backend:amp@\.\/no-such-cli +amp CLI missing[\s\S]*Result: FAIL \(1 failure/,
    },
  },
  hats: {
    args: ['doctor', '-c', 'hats.yml'],
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout:
        /^(?=[\s\S]*OK +hats +Hat collection parsed \(3 hat\(s\)\))(?=[\s\S]*OK +backend:claude )(?=[\s\S]*FAIL backend:no-such-cli +no-such-cli CLI missing)(?=[\s\S]*FAIL backend:hat:stranger +Unknown hat backend)(?=[\s\S]*Result: FAIL \(2 failure)/,
    },
  },
  badHats: {
    args: ['doctor', '-c', 'bad.yml'],
    in: 'checked',
    answer: { exitCode: 1, stdout: /FAIL hats +Hat collection invalid\n +Reserved trigger 'task\.start'/ },
  },
  bash: { args: ['completions', 'bash'], answer: { stdout: /complete -F _ralph[\s\S]*ralph/ } },
  zsh: { args: ['completions', 'zsh'], answer: { stdout: /^#compdef ralph[\s\S]*preflight/ } },
  fish: { args: ['completions', 'fish'], answer: { stdout: /complete -c ralph [\s\S]*preflight/ } },
  otherShell: {
    args: ['completions', 'tcsh'],
    answer: { exitCode: 2, stderr: /possible values: bash, elvish, fish, powershell, zsh/ },
  },
  tutorial: {
    args: ['tutorial', '--no-input'],
    answer: { stdout: /Step 1\/3[\s\S]*Step 2\/3[\s\S]*Step 3\/3[\s\S]*Tutorial complete/ },
  },
  unknownCollection: {
    args: ['run', '--dry-run', '--no-tui', '-p', 'x', '-H', 'builtin:nonesuch'],
    answer: {
      exitCode: 1,
      stderr: /Unknown hat collection 'nonesuch'\. Available builtins: .*code-assist.*review/,
    },
  },
  listPresets: {
    args: ['init', '--list-presets'],
    answer: {
      stdout:
        /^Available hat collections:\n\n(?: +[\w-]+ +\S.*\n)*? +code-assist +\S.*\n(?: +[\w-]+ +\S.*\n)*? +review +\S/,
    },
  },
};

const doctor = scenario({
  id: 'doctor',
  ...MECHANICS,
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: '`ralph doctor` finds what is missing, and the other helpers answer',
  covers: ['FR9'],
  expectedIterations: 1,
  beyondStandIn: '`ralph doctor`, `completions`, `tutorial` and the built-in hat collections',

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(nonce),
    files: {
      'checked/sound.yml': 'cli: { backend: claude }\n',
      'checked/missing.yml': 'cli: { backend: amp, command: ./no-such-cli }\n',
      'checked/bad.yml': 'hats: { a: { name: A, description: a, triggers: [task.start] } }\n',
      'checked/hats.yml': [
        'cli: { backend: claude }',
        'hats:',
        '  one: { name: A, description: a, triggers: [a.a], backend: claude }',
        '  two: { name: B, description: b, triggers: [b.b], backend: { command: no-such-cli } }',
        '  stranger: { name: C, description: c, triggers: [c.c], backend: nonesuch }\n',
      ].join('\n'),
    },
    before: askAll(DOCTOR),
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: completed(),
    said: agentSaid(nonce.toUpperCase()),
    ...answersOf(DOCTOR),
  }),

  agent,

  saboteurs: {
    'the questions are other ones': {
      config: askingOtherwise('', ({ in: _, ...errand }) => ({ ...errand, ralph: ['events'] })),
      kills: Object.keys(DOCTOR),
      failure: 'AssertionMismatch',
    },
    'says nothing': { agent: without('says'), kills: ['said'] },
    'never completes': NEVER_COMPLETES,
  },
});

export const commands = [preflight, initAndClean, doctor];
