import { type Check, loop, scenario } from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';
import { SAYER, SILENT_SAYERS, saidIt, sayIt } from './small-work.js';

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
        /^(?=[\s\S]*OK +hats +Hat collection parsed \(4 hat\(s\)\))(?=[\s\S]*OK +backend:claude )(?=[\s\S]*FAIL backend:no-such-cli +no-such-cli CLI missing)(?=[\s\S]*FAIL backend:amp +amp CLI missing)(?=[\s\S]*FAIL backend:hat:stranger +Unknown hat backend)(?=[\s\S]*Result: FAIL \(3 failure)/,
    },
  },
  badHats: {
    args: ['doctor', '-c', 'bad.yml'],
    in: 'checked',
    answer: { exitCode: 1, stdout: /FAIL hats +Hat collection invalid\n +Reserved trigger 'task\.start'/ },
  },
  noGit: {
    args: ['preflight', '--check', 'tools'],
    env: { PATH: 'nowhere' },
    answer: { exitCode: 1, stdout: /FAIL tools +Missing required tools\n +Missing required: git\n/ },
  },
  // A program of one's own may have no --version: it only has to be there.
  customAuto: {
    args: ['preflight', '-c', 'custom-auto.yml', '--check', 'backend'],
    in: 'checked',
    env: { PATH: 'tools' },
    answer: { stdout: /OK +backend +Auto backend available \(custom\)\n/ },
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

/** Asks `ralph doctor`, and the helpers that need no loop: completions, the tutorial and the hat collections. */
export const doctor = scenario({
  id: 'doctor',
  ...MECHANICS,
  description:
    '`ralph doctor` finds what is missing; completions, the tutorial and the list of collections work',
  covers: ['FR9'],
  expectedIterations: 1,
  beyondStandIn: '`ralph doctor`, `completions`, `tutorial` and the built-in hat collections',

  arrange: (context) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(context),
    files: {
      'checked/sound.yml': 'cli: { backend: claude }\n',
      'checked/custom-auto.yml': 'cli: { backend: auto }\nagent_priority: [custom]\n',
      'checked/tools/custom': { content: '#!/bin/sh\nexit 1\n', mode: 0o755 },
      'checked/missing.yml': 'cli: { backend: amp, command: ./no-such-cli }\n',
      'checked/bad.yml': 'hats: { a: { name: A, description: a, triggers: [task.start] } }\n',
      'checked/hats.yml': [
        'cli: { backend: claude }',
        'hats:',
        '  one: { name: A, description: a, triggers: [a.a], backend: claude }',
        '  two: { name: B, description: b, triggers: [b.b], backend: { command: no-such-cli } }',
        '  smith: { name: D, description: d, triggers: [d.d], backend: amp }',
        '  stranger: { name: C, description: c, triggers: [c.c], backend: nonesuch }\n',
      ].join('\n'),
    },
    before: askAll(DOCTOR),
  }),

  expect: (context): Readonly<Record<string, Check>> => ({
    ...saidIt(context),
    ...answersOf(DOCTOR),
  }),

  agent: [SAYER],

  saboteurs: {
    ...SILENT_SAYERS,
  },
});
