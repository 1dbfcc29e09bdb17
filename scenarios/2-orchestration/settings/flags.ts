import {
  agentSaid,
  type Check,
  errandAnswered,
  fileContains,
  fileEquals,
  iterationCount,
  loop,
  onObjective,
  promptContained,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, askingOtherwise, type Inquiries, linesOf } from '../../support/inquiries.js';
import { SAYER, sayIt } from './small-work.js';

/* What the flags of `ralph run` do. Only Ralph decides this, so the harness asks Ralph itself where it can. */

const DRY = ['run', '--dry-run', '--no-tui'];
const usage = (...args: readonly string[]) => ({
  args: ['run', ...args],
  answer: { exitCode: 2, stderr: /^error: / },
});

const FLAGS: Inquiries = {
  promptOfTheFile: {
    args: [...DRY, '-c', 'prompted.yml'],
    answer: { stdout: linesOf('Prompt: inline text (of the file)') },
  },
  promptFlag: {
    args: [...DRY, '-c', 'prompted.yml', '-p', 'of the flag'],
    answer: { stdout: linesOf('Prompt: inline text (of the flag)') },
  },
  promptFileFlag: {
    args: [...DRY, '-c', 'prompted.yml', '-P', 'other.md'],
    answer: { stdout: linesOf('Prompt file: other.md') },
  },
  promptFlagBeforeFile: {
    args: [...DRY, '-c', 'file.yml', '-p', '@other.md'],
    answer: { stdout: linesOf('Prompt: inline text (@other.md)') },
  },
  longPromptIsCut: {
    args: [...DRY, '-p', 'word '.repeat(30).trim()],
    answer: { stdout: /Prompt: inline text \((?:word ){10}.{0,10}\.\.\.\)/ },
  },
  backendFlag: {
    args: [...DRY, '-c', 'prompted.yml', '-b', 'gemini'],
    answer: { stdout: linesOf('Backend: gemini') },
  },
  limitsAndPromise: {
    args: [...DRY, '-c', 'prompted.yml', '--max-iterations', '7', '--completion-promise', 'DONE_7'],
    answer: { stdout: linesOf('Completion promise: DONE_7', 'Max iterations: 7') },
  },
  missingPromptFile: {
    args: ['run', '--no-tui', '-P', 'nowhere.md'],
    answer: { exitCode: 1, stderr: /Prompt file 'nowhere\.md' not found\. Check the path or use -p "text"/ },
  },
  missingDefaultPrompt: {
    args: ['run', '--no-tui', '--max-iterations', '1'],
    answer: { exitCode: 1, stderr: /Prompt file 'PROMPT\.md' not found/ },
  },
  twoPrompts: usage('-p', 'a', '-P', 'b.md'),
  loudAndQuiet: usage('-p', 'a', '-v', '-q'),
  twoModes: usage('-p', 'a', '--no-tui', '-a'),
  unknownFlag: usage('-p', 'a', '--nonsense'),
  loopIdAlone: usage('-p', 'a', '--loop-id', 'x'),
  wordForNumber: {
    args: ['run', '-p', 'a', '--max-iterations', 'many'],
    answer: { exitCode: 2, stderr: /invalid value 'many' for '--max-iterations/ },
  },
  unknownColor: {
    args: ['run', '-p', 'a', '--color', 'blue'],
    answer: { exitCode: 2, stderr: /invalid value 'blue' for '--color[\s\S]*auto, always, never/ },
  },
  unknownCommand: {
    args: ['memory', 'add'],
    answer: { exitCode: 2, stderr: /unrecognized subcommand 'memory'/ },
  },
  version: { args: ['--version'], answer: { stdout: /^ralph \d+\.\d+\.\d+/ } },
  help: { args: ['--help'], answer: { stdout: /\brun\b[\s\S]*\bevents\b[\s\S]*--config/ } },
};

/** What a recording says about the interface. */
const SHOWN = 'grep --no-index -h -o "ux_mode":"[a-z]*" default/shown.jsonl';

const ASK = 'cli: { backend: custom, command: ./ask.sh, prompt_mode: stdin }\n';

/** The objective's promise is that of the flag; the one of ralph.yml must not end the loop. */
const runFlags = scenario({
  id: 'run-flags',
  ...MECHANICS,
  priority: 'must',
  description:
    'The flags of `ralph run` win over the configuration, and those that make no sense are refused',
  covers: ['FR4', 'FR10'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 1, promise: 'OF_THE_FILE' }),
    prompt: [
      `In the first iteration, say ${nonce} in uppercase and end your message with a line that contains only OF_THE_FILE.`,
      'In the second iteration, declare the objective complete.',
    ].join('\n'),
    files: {
      'prompted.yml': 'event_loop: { prompt: of the file, max_iterations: 3, completion_promise: NO }\n',
      'file.yml': 'event_loop: { prompt_file: some.md }\n',
      'other.md': 'Say hello.\n',
      'default/ralph.yml': `${ASK}event_loop: { max_iterations: 1 }\n`,
      'default/inline.yml': `${ASK}event_loop: { max_iterations: 1, prompt: The objective of the inline text. }\n`,
      'default/PROMPT.md': 'The objective of the default file.\n',
      'default/shown.yml':
        'cli: { backend: custom, command: ./quick.sh }\nevent_loop: { max_iterations: 1 }\n',
      'default/quick.sh': { content: '#!/bin/sh\n', mode: 0o755 },
      'default/ask.sh': {
        content: '#!/bin/sh\ngrep -o "objective of the [a-z]* [a-z]*" | head -1 >> asked.txt\n',
        mode: 0o755,
      },
    },
    before: [
      ...askAll(FLAGS),
      { ralph: ['run', '--no-tui'], in: 'default', env: { RALPH_DIAGNOSTICS: '0' } },
      {
        ralph: ['run', '--legacy-tui', '--record-session', 'shown.jsonl', '-c', 'shown.yml'],
        in: 'default',
        env: { RALPH_DIAGNOSTICS: '0' },
      },
      { git: SHOWN.split(' ') },
      {
        ralph: ['run', '--no-tui', '-c', 'inline.yml'],
        in: 'default',
        env: { RALPH_DIAGNOSTICS: '0' },
      },
    ],
    args: [
      '--completion-promise',
      `OVER_${nonce}`,
      '--max-iterations',
      '4',
      '--record-session',
      'session.jsonl',
    ],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('completed', 0),
    iterations: iterationCount(2),
    told: promptContained(`OVER_${nonce}`, { iteration: 1 }),
    said: agentSaid(nonce.toUpperCase(), { iteration: 1 }),
    recorded: fileContains(
      'session.jsonl',
      /^\{(?=.*"_meta\.loop_start")(?=.*"max_iterations":4)(?=.*"prompt\.md")(?=.*"ux_mode":"cli")[\s\S]*"bus\.publish"[\s\S]*"loop\.terminate"/,
    ),
    shown: errandAnswered(SHOWN, { stdout: /^"ux_mode":"tui"\n$/ }),
    defaultPrompt: fileEquals(
      'default/asked.txt',
      'objective of the default file\nobjective of the inline text',
    ),
    ...answersOf(FLAGS),
  }),

  agent: [
    onObjective(/say (\w+) in uppercase/)
      .once()
      .says('{{upper 1}}\n\nOF_THE_FILE'),
    onObjective(/declare the objective complete/).completes(),
  ],

  saboteurs: {
    'other questions': {
      config: askingOtherwise('', ({ ralph, ...place }) => ({
        ...place,
        ralph: ralph.length < 3 ? ['events'] : ralph,
      })),
      kills: ['version', 'help', 'unknownCommand'],
    },
  },
});

const LOUD: Inquiries = {
  plain: {
    args: ['run', '--no-tui', '-p', 'plain'],
    in: 'loud',
    answer: {
      exitCode: 2,
      stdout: /^(?![\s\S]*(?:to stderr|DEBUG))[\s\S]* INFO [\s\S]*\nto stdout\n/,
      stderr: /^(?![\s\S]*PROMPT FOR)/,
    },
  },
  verbose: {
    args: ['run', '--no-tui', '-p', 'verbose', '-v'],
    in: 'loud',
    answer: {
      exitCode: 2,
      stdout: /^(?=[\s\S]*\n\[stderr\] to stderr\n)(?=[\s\S]*\nto stdout\n)[\s\S]*DEBUG/,
      stderr: /PROMPT FOR ralph \(iteration 1\)[\s\S]*> verbose/,
    },
  },
  // Of what is no stream of JSON, the log has the first 100 characters.
  verboseStream: {
    args: ['run', '--no-tui', '-p', 'stream', '-v', '-c', 'stream.yml'],
    in: 'loud',
    answer: {
      exitCode: 2,
      stdout:
        /DEBUG .*Skipping malformed JSON line: a{100} \(error: [\s\S]*JSON line: a{100}\.\.\. \(error: /,
    },
  },
  // Ralph warns of the hat that nothing wakes, and of no other.
  idleHat: {
    args: ['run', '--no-tui', '-p', 'hats', '-c', 'hats.yml'],
    in: 'loud',
    answer: {
      exitCode: 2,
      stdout:
        /^(?![\s\S]*unreachable hat=Worker)[\s\S]*WARN .* it may be unreachable hat=Idler triggers=\[\]\n/,
    },
  },
  verboseBefore: {
    args: ['-v', 'run', '--no-tui', '-p', 'before'],
    in: 'loud',
    answer: { exitCode: 2, stdout: /\n\[stderr\] to stderr\n/, stderr: /PROMPT FOR ralph/ },
  },
  verboseVariable: {
    args: ['run', '--no-tui', '-p', 'variable'],
    in: 'loud',
    env: { RALPH_VERBOSE: '1' },
    answer: { exitCode: 2, stdout: /\n\[stderr\] to stderr\n/, stderr: /PROMPT FOR ralph/ },
  },
  verboseWins: {
    args: ['run', '--no-tui', '-p', 'wins', '-v'],
    in: 'loud',
    env: { RALPH_QUIET: '1' },
    answer: { exitCode: 2, stdout: /\n\[stderr\] to stderr\n/, stderr: /PROMPT FOR ralph/ },
  },
  quietFlag: {
    args: ['run', '--no-tui', '-p', 'quiet', '-q'],
    in: 'loud',
    env: { RALPH_VERBOSE: '1' },
    answer: { exitCode: 2, stdout: /^(?![\s\S]*to stderr)/, stderr: /^(?![\s\S]*PROMPT FOR)/ },
  },
  quietVariable: {
    args: ['run', '--no-tui', '-p', 'both'],
    in: 'loud',
    env: { RALPH_VERBOSE: '1', RALPH_QUIET: '1' },
    answer: { exitCode: 2, stdout: /^(?![\s\S]*to stderr)/, stderr: /^(?![\s\S]*PROMPT FOR)/ },
  },
  colors: {
    args: ['events', '--color', 'always'],
    in: 'loud',
    env: { NO_COLOR: null },
    answer: { stdout: /\u001b\[/ },
  },
  noColors: {
    args: ['events', '--color', 'never'],
    in: 'loud',
    env: { NO_COLOR: null },
    answer: { stdout: /^(?![\s\S]*\u001b)[\s\S]*loop\.terminate/ },
  },
  noColorsOnPipes: {
    args: ['events', '--color', 'auto'],
    in: 'loud',
    env: { NO_COLOR: null },
    answer: { stdout: /^(?![\s\S]*\u001b)[\s\S]*loop\.terminate/ },
  },
  noColorWins: {
    args: ['events', '--color', 'always', '--last', '3'],
    in: 'loud',
    answer: { stdout: /^(?![\s\S]*\u001b)[\s\S]*loop\.terminate/ },
  },
};

/** What Ralph prints, by its flags and variables. */
const verbosity = scenario({
  id: 'run-verbosity',
  ...MECHANICS,
  description: 'Ralph shows prompts and stderr only with -v, and colors only where they are wanted',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(context),
    files: {
      'loud/ralph.yml': 'cli: { backend: custom, command: ./speak.sh }\nevent_loop: { max_iterations: 1 }\n',
      'loud/hats.yml': [
        'cli: { backend: custom, command: ./speak.sh }',
        'event_loop: { max_iterations: 1 }',
        'hats:',
        '  worker: { name: Worker, description: works, triggers: [work.request] }',
        '  idler: { name: Idler, description: waits, triggers: [] }\n',
      ].join('\n'),
      'loud/stream.yml':
        'cli: { backend: claude, command: ./ramble.sh }\nevent_loop: { max_iterations: 1 }\n',
      'loud/ramble.sh': {
        content: `#!/bin/sh\necho ${'a'.repeat(100)}\necho ${'a'.repeat(101)}\n`,
        mode: 0o755,
      },
      'loud/speak.sh': { content: '#!/bin/sh\necho to stdout\necho to stderr >&2\n', mode: 0o755 },
    },
    before: askAll(LOUD),
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('completed', 0),
    said: agentSaid(nonce.toUpperCase()),
    ...answersOf(LOUD),
  }),

  agent: [SAYER],
});

export const flags = [runFlags, verbosity];
