import { type Check, loop, scenario } from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';
import { SAYER, SILENT_SAYERS, saidIt, sayIt } from './small-work.js';

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
        /^Preflight checks for sound\.yml\n\n +OK +config +Configuration valid\n +OK +hooks +Hooks disabled.*\n +OK +backend +Backend CLI available \(claude\)\n +OK +telegram .*\n +OK +git +Not a git repository.*\n +WARN paths +Workspace paths created\n +Created: .*checked\/\.ralph\/agent, .*checked\/own-specs\n +OK +tools +Not a git repository.*\n +OK +specs +No spec files found \(skipping\)\n\nResult: PASS \(1 warning\(s\)\)\n$/,
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
  goodHooks: {
    args: check('-c', 'good-hooks.yml', '--check', 'hooks'),
    in: 'checked',
    answer: { stdout: /OK +hooks +Hooks validation passed \(4 hook\(s\)\)\n/ },
  },
  badHooks: {
    args: check('-c', 'bad-hooks.yml', '--check', 'hooks'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: new RegExp(
        [
          'FAIL hooks +Hooks validation failed \\(6 issue\\(s\\)\\)\\n',
          "pre\\.loop\\.start\\[1\\]\\.name: duplicate hook name 'a' \\(first defined at index 0\\)\\.",
          "post\\.loop\\.start\\[0\\]\\.command '\\./bad-hooks\\.yml': resolves to '/.+/checked/\\./bad-hooks\\.yml' but it is not executable\\.\\n",
          "post\\.loop\\.start\\[1\\]\\.command 'true': was not found in hook env PATH\\.\\n",
          "post\\.loop\\.start\\[2\\]\\.command 'no-such-tool': was not found in process PATH\\.\\n",
          "post\\.loop\\.start\\[3\\]\\.command '/no/such/tool': resolves to '/no/such/tool' but the file does not exist\\.\\n",
          "pre\\.loop\\.start\\[0\\]\\.command '\\./gone\\.sh': resolves to '/.+/checked/tools/\\./gone\\.sh' but the file does not exist\\.\\n",
          'Result: FAIL \\(1 failure\\(s\\)\\)',
        ].join('[\\s\\S]*'),
      ),
    },
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
  brokenAuto: {
    args: check('-c', 'broken-auto.yml', '--check', 'backend'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: /FAIL backend +No available backend found\n +Checked: \.\/broken\.sh \(\.\/broken\.sh\)\n/,
    },
  },
  firstAuto: {
    args: check('-c', 'first-auto.yml', '--check', 'backend'),
    in: 'checked',
    answer: { stdout: /OK +backend +Auto backend available \(\.\/nothing\.sh\)\n/ },
  },
  disabledAuto: {
    args: check('-c', 'disabled-auto.yml', '--check', 'backend'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: /FAIL backend +Auto backend selection unavailable\n +All configured adapters are disabled\n/,
    },
  },
  brokenNamed: {
    args: check('-c', 'broken-named.yml', '--check', 'backend'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout:
        /FAIL backend +Backend CLI not available\n +Command not found or not executable: \.\/broken\.sh\n/,
    },
  },
  // Nobody knows whether a program of one's own answers --version.
  brokenCustom: {
    args: check('-c', 'broken-custom.yml', '--check', 'backend'),
    in: 'checked',
    answer: { stdout: /OK +backend +Custom backend available \(\.\/broken\.sh\)\n/ },
  },
  emptyCustom: {
    args: check('-c', 'empty-custom.yml', '--check', 'backend'),
    in: 'checked',
    answer: {
      exitCode: 1,
      stdout: /FAIL backend +Backend command missing\n +Set cli\.command for custom backend\n/,
    },
  },
  tools: {
    args: check('--check', 'tools'),
    answer: { stdout: /OK +tools +Required tools available \(git\)\n/ },
  },
  noSpecs: {
    args: check('-c', 'no-specs.yml', '--check', 'specs'),
    in: 'checked',
    answer: { stdout: /OK +specs +No specs directory \(skipping\)\n/ },
  },
  goodSpecs: {
    args: check('-c', 'good-specs.yml', '--check', 'specs'),
    in: 'checked',
    answer: { stdout: /OK +specs +5 spec\(s\) valid with acceptance criteria\n/ },
  },
  specs: {
    args: check('-c', 'specs.yml', '--check', 'specs'),
    in: 'checked',
    answer: {
      stdout:
        /^(?![\s\S]*(?:whole|done)\.spec)[\s\S]*WARN specs +5 of 7 spec\(s\) missing acceptance criteria\n.*\n +poor\.spec\.md: missing.*\n +half\.spec\.md: missing.*\n +inside\.spec\.md: missing.*\n +late\.spec\.md: missing.*\n +stars\.spec\.md: missing/,
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

const hook = (name: string, command: string, place: object = {}) => ({
  name,
  command: [command],
  on_error: 'warn',
  ...place,
});
const hooked = (before: readonly object[], after: readonly object[]) =>
  JSON.stringify({
    hooks: { enabled: true, events: { 'pre.loop.start': before, 'post.loop.start': after } },
  });
const RUNS =
  'cli: { backend: custom, command: ./nothing.sh }\nevent_loop: { max_iterations: 1 }\ncore: { specs_dir: specs }\n';
const preflightFiles = {
  'checked/sound.yml': 'cli: { backend: claude }\ncore: { specs_dir: own-specs }\n',
  'strict/sound.yml': 'cli: { backend: claude }\ncore: { specs_dir: own-specs }\n',
  'checked/bad.yml': 'hats: { a: { name: A, description: a, triggers: [task.start] } }\n',
  'checked/warned.yml': 'max_tokens: 1\n',
  'checked/tools/tool': { content: '#!/bin/sh\n', mode: 0o755 },
  'checked/good-hooks.yml': hooked(
    [
      hook('a', './tool', { cwd: 'tools' }),
      hook('b', 'tools/tool'),
      hook('c', 'tool', { env: { PATH: 'tools' } }),
    ],
    [hook('a', 'true')],
  ),
  'checked/bad-hooks.yml': hooked(
    [hook('a', './gone.sh', { cwd: 'tools' }), hook('a', 'true')],
    [
      hook('b', './bad-hooks.yml'),
      hook('c', 'true', { env: { PATH: 'tools' } }),
      hook('d', 'no-such-tool'),
      hook('e', '/no/such/tool'),
    ],
  ),
  'checked/missing.yml': 'cli: { backend: claude, command: ./no-such-cli }\n',
  'checked/custom.yml': 'cli: { backend: custom, command: no-such-cli }\n',
  'checked/auto.yml': 'cli: { backend: auto }\nagent_priority: [no-such-cli]\n',
  'checked/broken-auto.yml': 'cli: { backend: auto }\nagent_priority: [./broken.sh]\n',
  'checked/first-auto.yml':
    'cli: { backend: auto }\nagent_priority: [no-such-cli, ./broken.sh, ./nothing.sh, claude]\n',
  'checked/disabled-auto.yml':
    'cli: { backend: auto }\nagent_priority: [claude]\nadapters: { claude: { enabled: false } }\n',
  'checked/broken-named.yml': 'cli: { backend: claude, command: ./broken.sh --fast }\n',
  'checked/broken-custom.yml': 'cli: { backend: custom, command: ./broken.sh --fast }\n',
  'checked/empty-custom.yml': "cli: { backend: custom, command: ' ' }\n",
  'checked/broken.sh': { content: '#!/bin/sh\nexit 1\n', mode: 0o755 },
  'checked/no-specs.yml': 'core: { specs_dir: nowhere }\n',
  'checked/good-specs.yml': 'core: { specs_dir: good-specs }\n',
  'checked/good-specs/bold.spec.md': '**Given** a thing\n**Then** it is good\n',
  'checked/good-specs/bold-list.spec.md': '- **Given** a thing\n- **Then** it is good\n',
  'checked/good-specs/list.spec.md': '- Given a thing\n- Then it is good\n',
  'checked/good-specs/plain.spec.md': 'Given a thing\nThen it is good\n',
  'checked/good-specs/letters.spec.md': '# THING\n\n  GIVEN a thing\n  WHEN it happens\n  THEN it is good\n',
  'checked/specs.yml': 'core: { specs_dir: all-specs }\n',
  'checked/all-specs/whole.spec.md': '- Given a\n- When b\n- Then c\n',
  'checked/all-specs/deep/poor.spec.md': 'It should be good.\n',
  'checked/all-specs/half.spec.md': '**Given** a thing\n**When** it happens\n',
  'checked/all-specs/late.spec.md': '**When** it happens\n**Then** it is good\n',
  'checked/all-specs/inside.spec.md': 'A thing is Given here.\nWhat happens Then is good.\n',
  'checked/all-specs/stars.spec.md': '* Given a thing\n* Then it is good\n',
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

/** Asks for preflight checks one by one, all together, and as a part of a run. */
export const preflight = scenario({
  id: 'preflight',
  ...MECHANICS,
  description: 'Preflight checks find what is wrong before a run, and stop it only if they should',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(context),
    files: preflightFiles,
    before: askAll(PREFLIGHT),
  }),

  expect: (context): Readonly<Record<string, Check>> => ({
    ...saidIt(context),
    ...answersOf(PREFLIGHT),
  }),

  agent: [SAYER],

  saboteurs: {
    ...SILENT_SAYERS,
  },
});
