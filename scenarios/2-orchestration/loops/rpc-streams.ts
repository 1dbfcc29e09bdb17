import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';
import { escapePattern } from '../../support/texts.js';

/*
 * What a program that drives Ralph learns about the work of agent CLIs. Each speaks its own JSON; programs of the workspace
 * say one line of every kind.
 */

const sayer = (...lines: readonly object[]) => ({
  content: [
    '#!/bin/sh',
    '[ "$1" = --version ] && exit 0',
    "cat <<'END'",
    ...lines.map((line) => JSON.stringify(line)),
    'END',
    '',
  ].join('\n'),
  mode: 0o755,
});

const LONGEST = 'y'.repeat(200);
const TOO_LONG = 'x'.repeat(201);
/** Of 201 bytes, too, but the last two are one character. */
const ACCENTS = `x${'é'.repeat(100)}`;

const piUpdate = (event: object) => ({ type: 'message_update', assistantMessageEvent: event });
const piResult = (isError: boolean, ...content: readonly object[]) => ({
  type: 'tool_execution_end',
  toolCallId: 't1',
  toolName: 'bash',
  result: { content },
  isError,
});
const PI = sayer(
  piUpdate({ type: 'thinking_delta', delta: 'Hm.' }),
  piUpdate({ type: 'text_delta', delta: 'I saw.' }),
  { type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: { command: 'ls' } },
  piResult(false, { type: 'text', text: 'wood' }, { type: 'image' }, { type: 'text', text: LONGEST }),
  piResult(false, { type: 'image' }),
  piResult(true, { type: 'text', text: 'no nails' }),
  piUpdate({ type: 'error', reason: `out of ${TOO_LONG}` }),
  {
    type: 'turn_end',
    message: {
      stopReason: 'stop',
      provider: 'acme',
      model: 'small',
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } },
    },
  },
);

const copilotMessage = (content: string) => ({
  type: 'assistant.message',
  data: { messageId: 'm', content, toolRequests: [] },
});
const COPILOT = sayer(
  { type: 'assistant.turn_start', data: { turnId: '0' } },
  copilotMessage('I paint.'),
  copilotMessage('I wait.\n'),
);

const CLAUDE = sayer(
  { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] },
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'text', text: 'I dig.' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
      ],
    },
  },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: ACCENTS }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't2', content: '' }] } },
  { type: 'result', duration_ms: 1, total_cost_usd: 0.1, num_turns: 1, is_error: false },
);

/** By the backend of the worker of a wave: what Ralph tells about it. */
const TOLD: Readonly<Record<string, { readonly backend: object; readonly deltas: readonly string[] }>> = {
  workerOnPi: {
    backend: { type: 'pi' },
    deltas: [
      'I saw.',
      '⚙ bash({"command":"ls"})\n',
      `→ ${`wood\n${LONGEST}`.slice(0, 200)}…\n`,
      '✗ no nails\n',
      `✗ ${`out of ${TOO_LONG}`.slice(0, 200)}…\n`,
    ],
  },
  workerOnCopilot: { backend: { type: 'copilot' }, deltas: ['I paint.\n', 'I wait.\n'] },
  workerOnClaude: {
    backend: { type: 'claude' },
    deltas: ['I dig.\n⚙ Bash({"command":"ls"})\n', `→ ${ACCENTS.slice(0, -1)}…\n`],
  },
  workerOnText: { backend: { command: './text.sh' }, deltas: [`${LONGEST}${TOO_LONG}\n`, 'and more\n'] },
};

const waveConfig = (backend: object) =>
  JSON.stringify({
    cli: { backend: 'custom', command: './plan.sh' },
    event_loop: { max_iterations: 2, starting_event: 'work.begin' },
    hats: {
      planner: hat('work.begin', 'piece.todo'),
      worker: { ...hat('piece.todo', 'piece.done'), concurrency: 2, backend },
    },
  });

function hat(trigger: string, publishes: string) {
  return {
    name: trigger,
    description: trigger,
    triggers: [trigger],
    publishes: [publishes],
    instructions: 'Work.',
  };
}

const FILES = {
  'asked/ralph.yml': 'skills: { enabled: false }\n',
  'asked/other.yml': 'cli: { backend: pi, command: ./programs/pi, args: [--model, small] }\n',
  'asked/programs/pi': PI,
  'asked/programs/copilot': COPILOT,
  'asked/programs/claude': CLAUDE,
  'asked/plan.sh': {
    content: '#!/bin/sh\n"$RALPH_BIN" wave emit piece.todo --payloads one\n',
    mode: 0o755,
  },
  'asked/text.sh': { content: `#!/bin/sh\necho ${LONGEST}${TOO_LONG}\necho and more\n`, mode: 0o755 },
  ...Object.fromEntries(
    Object.entries(TOLD).map(([name, { backend }]) => [`asked/${name}.yml`, waveConfig(backend)]),
  ),
};

const PLACE = { in: 'asked', env: { PATH: 'programs:/usr/bin:/bin' } };

/** Exactly these lines of one kind, in this order, whatever comes between them. */
function onlyLines(kind: string, lines: readonly object[]): RegExp {
  const noOther = `(?:(?!"type":"${kind}")[\\s\\S])*`;
  // What comes between the lines ends with the brace of the next one.
  const each = lines.map((line) => `${escapePattern(JSON.stringify(line).slice(1))}\\n${noOther}`);
  return new RegExp(`^${noOther}${each.join('')}$`);
}

const onPi = (args: readonly string[], ...texts: readonly string[]) => ({
  args: ['run', '--rpc', '--max-iterations', '1', '-p', 'x', ...args],
  ...PLACE,
  answer: {
    exitCode: 2,
    stdout: onlyLines(
      'text_delta',
      texts.map((delta) => ({ type: 'text_delta', iteration: 1, delta })),
    ),
  },
});
const pi = (provider: string, model: string, ...args: readonly string[]) =>
  onPi(
    ['-b', 'pi', '--', ...args],
    `Pi configured: provider=${provider}, model=${model}\n`,
    'I saw.',
    'Pi stream: provider=acme, model=small\n',
  );

const STREAMS: Inquiries = {
  nothingConfigured: pi('auto', 'default', '--fast'),
  longFlags: pi('acme', 'small', '--provider', 'acme', '--model', 'small'),
  flagsWithEquals: pi('acme', 'small', '--provider=', '--provider=acme', '--model=small'),
  shortFlags: pi('acme', 'small', '-p', 'acme', '-m', 'small', '-m', 'large'),
  shortWithEquals: pi('acme', 'small', '-p=acme', '-m=', '-m=small'),
  noValue: pi('auto', 'small', '--provider', '--model', '-m', 'small'),
  // Who knows what its flags mean.
  otherProgram: onPi(['-c', 'other.yml'], 'I saw.'),
  ...Object.fromEntries(
    Object.entries(TOLD).map(([name, { deltas }]) => [
      name,
      {
        args: ['run', '--rpc', '-p', 'x', '-c', `${name}.yml`],
        ...PLACE,
        answer: {
          exitCode: 2,
          stdout: onlyLines(
            'wave_worker_text_delta',
            deltas.map((delta) => ({ type: 'wave_worker_text_delta', worker_index: 0, delta })),
          ),
        },
      },
    ]),
  ),
};

export const rpcStreams = questionsOnly({
  id: 'rpc-streams',
  lanes: ['sim'],
  description:
    'With --rpc, Ralph tells what agents of every kind say and do, alone and as workers, and what Pi is set to',
  covers: ['FR5', 'FR18'],
  beyondStandIn: 'JSON lines on stdin and stdout',

  plan: {
    files: FILES,
    before: askAll(STREAMS),
  },

  answers: answersOf(STREAMS),
});
