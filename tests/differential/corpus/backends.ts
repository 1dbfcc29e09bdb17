import { completes, emits, says, saysAsClaude } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

const LEAN = 'skills: {enabled: false}\nmemories: {enabled: false}\ntasks: {enabled: false}\n';
const named = (name: string, more = '') =>
  `cli: {backend: ${name}${more}}\nevent_loop: {max_iterations: 3}\n`;
const json = (value: unknown) => says(JSON.stringify(value));

/** Which program each backend is, how it is called and how it gets its prompt. */
export const BACKENDS: readonly DifferentialCase[] = [
  {
    name: 'backend: claude',
    covers: '§6.1',
    config: named('claude'),
    backends: { claude: 'stdin' },
    agent: [[saysAsClaude('hello\nLOOP_COMPLETE')]],
  },
  {
    name: 'backend: claude by default',
    covers: '§6.4',
    config: 'event_loop: {max_iterations: 3}\n',
    backends: { claude: 'stdin' },
    agent: [[saysAsClaude('LOOP_COMPLETE')]],
  },
  {
    name: 'backend: an unknown name is claude',
    covers: '§2 cli.backend',
    config: named('whatever'),
    backends: { claude: 'stdin' },
    agent: [[saysAsClaude('LOOP_COMPLETE')]],
  },
  {
    name: 'backend: kiro',
    covers: '§6.1',
    config: named('kiro'),
    backends: { 'kiro-cli': 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: gemini',
    covers: '§6.1',
    config: named('gemini'),
    backends: { gemini: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: codex',
    covers: '§6.1',
    config: named('codex'),
    backends: { codex: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: codex gets --yolo once',
    covers: '§6.1',
    config: named(
      'codex',
      ', args: [--full-auto, --dangerously-bypass-approvals-and-sandbox, -m, small, --yolo]',
    ),
    backends: { codex: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: forge',
    covers: '§6.1',
    config: named('forge'),
    backends: { forge: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: amp',
    covers: '§6.1',
    config: named('amp'),
    backends: { amp: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: opencode',
    covers: '§6.1',
    config: named('opencode'),
    backends: { opencode: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: roo takes a file',
    covers: '§6.1',
    config: named('roo'),
    backends: { roo: 'file' },
    agent: [completes],
  },
  {
    name: 'backend: copilot and its JSON',
    covers: '§6.1 §6.3',
    config: named('copilot'),
    backends: { copilot: 'arg' },
    agent: [
      [
        says('noise'),
        json({ type: 'assistant.message', data: { content: 'hi\nLOOP_COMPLETE' } }),
        json({ type: 'other' }),
      ],
    ],
  },
  {
    name: 'backend: pi and its JSON',
    covers: '§6.1 §6.3',
    config: named('pi'),
    backends: { pi: 'arg' },
    agent: [
      ['hi\nLOOP_', 'COMPLETE'].map((delta) =>
        json({ type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta } }),
      ),
    ],
  },
  {
    name: 'backend: chosen on the command line',
    covers: '§1.1 -b',
    config: named('claude'),
    backends: { opencode: 'arg' },
    agent: [completes],
    commands: [run('-b', 'opencode')],
  },
  {
    name: 'backend: another executable for a named one',
    covers: '§2 cli.command, cli.args',
    config: named('claude', ', command: fake, args: [--model, m1]'),
    backends: { fake: 'stdin' },
    agent: [completes],
  },
  {
    name: 'backend: arguments after --',
    covers: '§1.1 --',
    config: named('opencode', ', args: [--one]'),
    backends: { opencode: 'arg' },
    agent: [completes],
    commands: [run('--', '--two', 'three')],
  },
  {
    name: 'backend: custom, a short prompt as argument',
    covers: '§6.1 custom',
    config: loop({ mode: 'arg', more: LEAN }),
    backends: { agent: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: custom, a long prompt in a file',
    covers: '§6.1 prompts over 7000 bytes',
    config: loop({ mode: 'arg' }),
    backends: { agent: 'arg' },
    agent: [[emits('a.b')], completes],
  },
  {
    name: 'backend: custom with a flag for the prompt',
    covers: '§2 prompt_flag',
    config: `cli: {backend: custom, command: agent, args: [-x, y], prompt_flag: --ask}\nevent_loop: {max_iterations: 3}\n${LEAN}`,
    backends: { agent: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: auto takes the first that answers',
    covers: '§6.4',
    config: 'cli: {backend: auto}\nagent_priority: [opencode, claude]\nevent_loop: {max_iterations: 3}\n',
    backends: { opencode: 'arg' },
    agent: [completes],
  },
  {
    name: 'backend: auto, and none is there',
    covers: '§6.4',
    config: 'cli: {backend: auto}\nagent_priority: [amp, forge]\n',
  },
  {
    name: 'backend: auto passes over what is switched off and what does not answer',
    covers: '§6.4',
    config:
      'cli: {backend: auto}\nagent_priority: [amp, forge, roo]\nadapters: {amp: {enabled: false}}\nevent_loop: {max_iterations: 3}\n',
    backends: { amp: 'arg', roo: 'file' },
    files: { 'tools/forge': '#!/bin/sh\nexit 1\n' },
    agent: [completes],
    commands: ["PATH=$PATH:$PWD/tools ralph run --no-tui -p 'do the thing'"],
  },
  {
    name: 'backend: another executable for the one of the command line',
    covers: '§1.1 -b §2 cli.command, cli.args',
    config: named('claude', ', command: fake, args: [--model, m1]'),
    backends: { fake: 'arg' },
    agent: [completes],
    commands: [run('-b', 'opencode', '--', '--extra')],
  },
  {
    name: 'backend: the file of a long prompt is gone after its iteration',
    covers: '§6.1 prompts over 7000 bytes',
    config: loop({ mode: 'arg' }),
    backends: { agent: 'arg' },
    agent: [['echo "${last##* }" > "$seen/path"', ...completes]],
    commands: [run(), 'path=$(cat "$SEEN/path"); [ -n "$path" ] && [ ! -e "$path" ]; echo "exit $?"'],
  },
];
