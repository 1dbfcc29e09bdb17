import {
  type Check,
  fileEquals,
  iterationCount,
  loop,
  promptContained,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';
import { PROGRAMS } from '../../support/recorders.js';
import { noBuiltIns } from '../../support/saboteurs.js';

/*
 * How prompts reach an agent CLI, what it finds around it, and how its output is read. Programs of the workspace take
 * the part of the CLI: a model would add nothing.
 */

const NO_AGENT = noBuiltIns('programs of the workspace take the part of the agent');

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

/**
 * Makes its own prompt exactly 7,000 bytes long by way of the scratchpad, and then one byte longer. The prompt of
 * iteration 2 has another event than the later ones, so it measures the third.
 */
const deliver = (word: string) =>
  program(
    'turn=$(($(cat turn 2>/dev/null || echo 0) + 1)); echo $turn > turn',
    'file=$' + '{1#Please read and execute the task in }',
    'if [ "$file" != "$1" ]; then',
    '  way=file; size=$(wc -c < "$file")',
    `  grep -q ${word} "$file" || way=nothing`,
    'else',
    '  way=argument; size=$(printf %s "$1" | wc -c)',
    'fi',
    'pad=.ralph/agent/scratchpad.md',
    'case $turn in',
    '  1)',
    '    {',
    '      [ "$RALPH_WORKSPACE_ROOT" = "$PWD" ] && echo the workspace',
    '      [ -x "$RALPH_BIN" ] && echo the program',
    '      [ "$' + '{PATH%%:*}" = "$(dirname "$RALPH_BIN")" ] && echo its folder first on PATH',
    '      [ "$RALPH_EVENTS_FILE" = "$PWD/$(cat .ralph/current-events)" ] && echo the events',
    '      [ "$TMPDIR $TMP $TEMP" = "/var/tmp /var/tmp /var/tmp" ] && echo the temporary folder',
    '    } > around.txt',
    '    (cd / && ralph emit from.elsewhere) > emitted.txt',
    '    printf x > $pad ;;',
    '  3) head -c $((7000 - size)) /dev/zero | tr "\\0" x >> $pad ;;',
    '  4) echo "$way of $((size)) bytes" > sizes.txt; printf x >> $pad ;;',
    '  5) echo "$way of $((size)) bytes" >> sizes.txt; echo "$file" > where ;;',
    '  6)',
    '    if [ -e "$(cat where)" ]; then echo the file stays; else echo the file is gone; fi >> sizes.txt',
    '    echo LOOP_COMPLETE ;;',
    'esac',
  );

const delivery = scenario({
  id: 'backend-prompt-delivery',
  lanes: ['sim'],
  backends: ['claude'],
  priority: 'must',
  description:
    'A prompt of 7,000 bytes is an argument, a longer one is a file, and the environment leads the agent to Ralph',
  covers: ['FR4'],
  expectedIterations: 6,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 8, more: { cli: { backend: 'custom', command: './deliver' } } }),
    prompt: `This only tests how a prompt is passed on: ${nonce}.`,
    files: { deliver: deliver(nonce) },
  }),

  expect: () => ({
    ends: terminatedBecause('completed', 0),
    iterations: iterationCount(6),
    emitted: promptContained(/^Event: from\.elsewhere - /m, { iteration: 2 }),
    sizes: fileEquals('sizes.txt', 'argument of 7000 bytes\nfile of 7001 bytes\nthe file is gone'),
    around: fileEquals(
      'around.txt',
      ['the workspace', 'the program', 'its folder first on PATH', 'the events', 'the temporary folder'].join(
        '\n',
      ),
    ),
  }),

  agent: [],

  saboteurs: {
    'Ralph loses the events': { target: 'lose-events', kills: ['emitted'] },
    'the agent does not know where it is': { target: 'drop-agent-environment', kills: ['around'] },
  },

  notApplicable: NO_AGENT,
});

/** Prints its first output in the first call and the second one afterwards. */
const twoAnswers = (first: readonly string[], second: readonly string[]) =>
  program(
    'name=$' + '{0##*/}',
    'if mkdir "$name.called" 2>/dev/null; then cat <<"END"',
    ...first,
    'END',
    'else cat <<"END"',
    ...second,
    'END',
    'fi',
  );
const json = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record));

/** Assistant text is what the agent said. The promise in anything else must not end the loop. */
const STREAMS = {
  claude: twoAnswers(
    json(
      { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Working.' }] } },
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] } },
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'LOOP_COMPLETE' }] },
      },
      {
        type: 'result',
        duration_ms: 1,
        total_cost_usd: 0,
        num_turns: 2,
        is_error: false,
        result: 'LOOP_COMPLETE',
      },
    ),
    json(
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Ready now.' }] } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'LOOP_COMPLETE' }] } },
      { type: 'result', duration_ms: 1, total_cost_usd: 0, num_turns: 2, is_error: false, result: 'x' },
    ),
  ),
  pi: twoAnswers(
    json(
      { type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: 'Working.\n' } },
      { type: 'message_update', assistantMessageEvent: { type: 'thinking_delta', delta: 'LOOP_COMPLETE' } },
      { type: 'turn_end', message: { stopReason: 'stop' } },
    ),
    json(
      { type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: 'Ready now.\nLOOP_' } },
      { type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: 'COMPLETE' } },
    ),
  ),
  copilot: twoAnswers(
    json(
      { type: 'assistant.message', data: { content: 'Working.' } },
      { type: 'assistant.reasoning', data: { content: 'LOOP_COMPLETE' } },
      { type: 'assistant.message_delta', data: { deltaContent: 'LOOP_COMPLETE' } },
    ),
    json(
      { type: 'assistant.message', data: { content: 'Ready now.' } },
      { type: 'assistant.message', data: { content: 'LOOP_COMPLETE' } },
    ),
  ),
  // Plain text; what it writes to stderr is marked and so is not the promise.
  gemini: program(
    'if mkdir gemini.called 2>/dev/null; then echo Working.; sleep 0.3; echo LOOP_COMPLETE >&2',
    'else echo Ready now.; echo LOOP_COMPLETE; exit 3; fi',
  ),
};

const TWO = /Loop terminated: Completion promise detected[\s\S]*Iterations: +2\n/;
const STREAM_QUESTIONS: Inquiries = {
  claude: { args: ['run', '--no-tui', '-p', 'x', '-b', 'claude'], in: 'asked', answer: { stdout: TWO } },
  pi: { args: ['run', '--no-tui', '-p', 'x', '-b', 'pi'], in: 'asked', answer: { stdout: TWO } },
  copilot: { args: ['run', '--no-tui', '-p', 'x', '-b', 'copilot'], in: 'asked', answer: { stdout: TWO } },
  plain: { args: ['run', '--no-tui', '-p', 'x', '-b', 'gemini'], in: 'asked', answer: { stdout: TWO } },
  copilotOnTheScreen: {
    args: ['run', '--no-tui', '-p', 'y', '-b', 'copilot', '--max-iterations', '1'],
    in: 'again',
    answer: { exitCode: 2, stdout: /^(?![\s\S]*(?:"type"|LOOP_COMPLETE))[\s\S]*\nWorking\.\n/ },
  },
};

const streams = scenario({
  id: 'backend-streams',
  lanes: ['sim'],
  backends: ['claude'],
  description:
    'In the output of Claude, pi and Copilot, only what the agent itself says can complete the loop',
  covers: ['FR4', 'FR10'],

  arrange: () => ({
    config: loop({ maxIterations: 1, more: { cli: { backend: 'gemini' } } }),
    prompt: 'This only tests how streams are read.',
    files: {
      'asked/ralph.yml': 'event_loop: { max_iterations: 4 }\n',
      'again/ralph.yml': 'event_loop: { max_iterations: 4 }\n',
      ...Object.fromEntries(Object.entries(STREAMS).map(([name, file]) => [`${PROGRAMS}/${name}`, file])),
    },
    path: [PROGRAMS],
    before: askAll(STREAM_QUESTIONS),
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    ends: terminatedBecause('max_iterations', 2),
    ...answersOf(STREAM_QUESTIONS),
  }),

  agent: [],

  saboteurs: {
    'Ralph does not see the promise': {
      target: 'ignore-completion',
      kills: ['claude', 'pi', 'copilot', 'plain'],
    },
  },

  notApplicable: NO_AGENT,
});

/** Each program is installed if its name is in $INSTALLED. */
const maybeInstalled = (name: string) =>
  program(`case " $INSTALLED " in *" ${name} "*) exit 0 ;; esac`, 'exit 1');

const ORDER = [
  ...['claude', 'kiro-cli', 'gemini', 'codex', 'forge', 'amp', 'copilot', 'opencode', 'pi', 'roo'],
];
const nameOf = (command: string) => (command === 'kiro-cli' ? 'kiro' : command);
const detect = ['run', '--dry-run', '--no-tui', '-p', 'x'];

/** With two neighbors of the order installed, the first one is chosen. */
const AUTO: Inquiries = {
  ...Object.fromEntries(
    ORDER.map((command, at) => [
      `before${at === ORDER.length - 1 ? 'Nothing' : `${nameOf(ORDER[at + 1] ?? '')}`}`,
      {
        args: [...detect, '-c', 'auto.yml', '--max-iterations', `${at + 1}`],
        env: { INSTALLED: [ORDER[at + 1] ?? '', command].join(' ') },
        answer: { stdout: new RegExp(`^ *Backend: ${nameOf(command)}$`, 'm') },
      },
    ]),
  ),
  priority: {
    args: [...detect, '-c', 'priority.yml'],
    env: { INSTALLED: ORDER.join(' ') },
    answer: { stdout: /^ *Backend: pi$/m },
  },
  disabled: {
    args: [...detect, '-c', 'disabled.yml'],
    env: { INSTALLED: ORDER.join(' ') },
    answer: { stdout: /^ *Backend: opencode$/m },
  },
  sameProgram: {
    args: [...detect, '-c', 'no-kiro.yml'],
    env: { INSTALLED: 'kiro-cli roo' },
    answer: { stdout: /^ *Backend: kiro-acp$/m },
  },
  none: {
    args: [...detect, '-c', 'auto.yml', '--max-iterations', '99'],
    env: { INSTALLED: '' },
    answer: {
      exitCode: 1,
      stderr:
        /No supported AI backend found in PATH\.[\s\S]*Checked backends: claude, kiro, kiro-acp, gemini, codex, (?:forge, )?amp, copilot, opencode, pi, roo/,
    },
  },
};

const auto = scenario({
  id: 'backend-auto',
  lanes: ['sim'],
  backends: ['claude'],
  description: 'With `auto`, Ralph takes the first installed backend in its order, or in the configured one',
  covers: ['FR4'],

  arrange: () => ({
    config: loop({
      maxIterations: 1,
      more: { cli: { backend: 'auto' }, agent_priority: ['kiro', 'own', 'claude'] },
    }),
    prompt: 'This only tests which backend Ralph chooses.',
    files: {
      'auto.yml': 'cli: { backend: auto }\n',
      'priority.yml': 'agent: auto\nagent_priority: [pi, claude]\n',
      'disabled.yml':
        'cli: { backend: auto }\nadapters: { claude: { enabled: true }, kiro: { enabled: false }, gemini: { enabled: false } }\nagent_priority: [gemini, kiro, opencode]\n',
      'no-kiro.yml': 'cli: { backend: auto }\nadapters: { kiro: { enabled: false } }\n',
      ...Object.fromEntries(ORDER.map((command) => [`${PROGRAMS}/${command}`, maybeInstalled(command)])),
      [`${PROGRAMS}/own`]: program('echo "$@" > own.txt'),
    },
    path: [PROGRAMS],
    before: askAll(AUTO),
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    // `own` answers --version. As Ralph does not know the name, it calls it as claude, which is not installed.
    ...answersOf(AUTO),
    asked: fileEquals('own.txt', '--version'),
  }),

  agent: [],

  notApplicable: NO_AGENT,
});

export const backendDelivery = [delivery, streams, auto];
