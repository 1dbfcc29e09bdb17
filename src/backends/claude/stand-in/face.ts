import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import type { Actor } from '../../../agent/face/actor.js';
import { readPromptArgument } from '../../../agent/face/prompt-argument.js';
import type { Face } from '../../../agent/face/run-face.js';
import type { Surroundings } from '../../../agent/face/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { type ClaudeArguments, notPlayed, type RefusedCall, readArguments } from './arguments.js';
import { stillbornResult } from './bookends.js';
import { Ledger } from './ledger.js';
import { mayRootSkip, openStage, REFUSES_ROOT } from './open-stage.js';
import { runHooks } from './plugins/hooks.js';
import { findLatestSession, sessionFolder } from './session.js';
import { configFolder } from './settings/settings.js';
import { IgnoredSettings, SettingsError } from './settings/values.js';
import { endOnSignals } from './signals.js';
import { hookPayload } from './stage.js';
import { playStream } from './stream-input.js';
import { playTurn } from './turn.js';

/** Claude Code in print mode. */
export const claudeStandIn: Face = {
  backend: 'claude',

  async run(around, actor) {
    const [first, second] = around.argv;
    if (first === 'auth' && second === 'status') return sayLogin(around, actor);
    // The login has no settings that could be left out.
    if (first === '--setting-sources' && around.argv.slice(2).join(' ') === 'auth status')
      return sayLogin(around, actor);
    if (first !== undefined && SUBCOMMANDS.includes(first))
      return refuse(around, actor, notPlayed(`"${first}"`));
    const options = around.argv.slice(0, [...around.argv, '--'].indexOf('--'));
    if (options.includes('--version') || options.includes('-v'))
      return print(around, actor, standInVersion('claude'), 0);
    const args = readArguments(around.argv);
    if ('exitCode' in args) return refuse(around, actor, args);
    if (args.skipsPermissions && !mayRootSkip(around))
      return refuse(around, actor, { message: REFUSES_ROOT, exitCode: 1 });
    try {
      return await runPrintMode(around, actor, args);
    } catch (error) {
      if (error instanceof IgnoredSettings) return refuse(around, actor, notPlayed(error.message));
      if (!(error instanceof SettingsError)) throw error;
      return refuse(around, actor, { message: error.message, exitCode: 1 });
    }
  },
};

async function runPrintMode(around: Surroundings, actor: Actor, args: ClaudeArguments): Promise<number> {
  const formats = refuseFormats(args);
  if (formats !== null) return refuse(around, actor, formats);
  const systemPrompt = readSystemPrompt(around.cwd, args);
  if (typeof systemPrompt !== 'string') return refuse(around, actor, systemPrompt);
  const session = chooseSession(around, args);
  if ('exitCode' in session) {
    if (args.outputFormat === 'stream-json' && session.result !== undefined) {
      const event = {
        ...stillbornResult(session.result, session.message, new Ledger().turnUsage),
        uuid: randomUUID(),
      };
      around.write('stdout', `${JSON.stringify(event)}\n`);
    }
    return refuse(around, actor, session);
  }
  const prompt = await readPromptOf(around, args);
  if ('exitCode' in prompt) return refuse(around, actor, prompt);
  const stage = await openStage(around, actor, { ...args, systemPrompt }, session);
  const payload = { ...hookPayload(stage, null), source: session.resumed ? 'resume' : 'startup' };
  const started = await runHooks(stage.hooks, 'SessionStart', String(payload.source), payload);
  stage.startContext = started.context;
  const stop = new AbortController();
  const signalsHandled = endOnSignals(stage, () => stop.abort());
  const exitCode =
    args.inputFormat === 'stream-json'
      ? await playStream(stage)
      : (await playTurn(stage, { ...prompt, index: 0 }, stop.signal))
        ? 1
        : 0;
  signalsHandled();
  stage.output.close();
  await runHooks(stage.hooks, 'SessionEnd', 'other', { ...hookPayload(stage, null), reason: 'other' });
  return exitCode;
}

function refuseFormats(args: ClaudeArguments): RefusedCall | null {
  const { outputFormat, inputFormat, verbose } = args;
  if (args.replaysUser && (inputFormat !== 'stream-json' || outputFormat !== 'stream-json')) {
    const message =
      'Error: --replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.';
    return { message, exitCode: 1 };
  }
  if (args.partialMessages && outputFormat !== 'stream-json')
    return needsStream('--include-partial-messages');
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    return { message: 'Error: --input-format=stream-json requires output-format=stream-json.', exitCode: 1 };
  }
  if (args.forwardsSubagents && outputFormat !== 'stream-json') return needsStream('--forward-subagent-text');
  if (outputFormat === 'stream-json' && !verbose) {
    const message = 'Error: When using --print, --output-format=stream-json requires --verbose';
    return { message, exitCode: 1 };
  }
  return null;
}

function needsStream(option: string): RefusedCall {
  return { message: `Error: ${option} requires --print and --output-format=stream-json.`, exitCode: 1 };
}

/** Adds the texts of files to the system prompt. */
function readSystemPrompt(
  cwd: string,
  { systemPrompt, systemPromptFiles }: ClaudeArguments,
): string | RefusedCall {
  const texts = [systemPrompt];
  for (const { label, path } of systemPromptFiles) {
    const file = resolve(cwd, path);
    if (!existsSync(file)) return { message: `Error: ${label} file not found: ${file}`, exitCode: 1 };
    if (statSync(file).isDirectory()) {
      const message = `Error reading ${label.toLowerCase()} file: EISDIR: illegal operation on a directory, read`;
      return { message, exitCode: 1 };
    }
    texts.push(readFileSync(file, 'utf8'));
  }
  return texts.filter((text) => text !== '').join('\n');
}

/** Reads the prompt from the argument, stdin, or both; stdin then follows on a new line. */
async function readPromptOf(around: Surroundings, { prompt = '', inputFormat }: ClaudeArguments) {
  if (inputFormat === 'stream-json') return { prompt: '', source: 'none' as const };
  const input = await readInput(around);
  const whole = [prompt, input].filter((text) => text !== '').join('\n');
  if (whole === '') return NO_PROMPT;
  if (whole.trim() === '') return BLANK_PROMPT;
  if (prompt === '') return { prompt: input, source: 'stdin' as const };
  return input === '' ? readPromptArgument(prompt) : { prompt: whole, source: 'argument' as const };
}

const NO_PROMPT: RefusedCall = {
  message: 'Error: Input must be provided either through stdin or as a prompt argument when using --print',
  exitCode: 1,
};
const BLANK_PROMPT: RefusedCall = {
  message:
    'Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print',
  exitCode: 1,
};

/** How long the real program waits for a silent stdin, with or without an argument. */
const STDIN_PATIENCE_MS = 3000;

async function readInput(around: Surroundings): Promise<string> {
  const { text, trouble } = await around.readInput(STDIN_PATIENCE_MS);
  if (trouble === 'silent') around.write('stderr', `${NO_STDIN}\n`);
  else if (trouble !== undefined)
    around.write('stderr', `Warning: stdin is unreadable (${trouble}), proceeding without piped input.\n`);
  return text;
}

const NO_STDIN =
  'Warning: no stdin data received in 3s, proceeding without it. If piping from a slow command, redirect stdin explicitly: < /dev/null to skip, or wait longer.';

function chooseSession(
  { env, cwd }: Surroundings,
  args: ClaudeArguments,
): { readonly id: string; readonly resumed: boolean } | (RefusedCall & { readonly result?: string }) {
  const folder = sessionFolder(configFolder(env), cwd);
  const exists = (id: string) => existsSync(join(folder, `${id}.jsonl`));
  const { sessionId, resume } = args;
  if (sessionId !== undefined && !UUID.test(sessionId)) {
    return { message: 'Error: Invalid session ID. Must be a valid UUID.', exitCode: 1 };
  }
  if (resume !== undefined && (resume === true || !UUID.test(resume))) {
    const given =
      resume === true
        ? ''
        : `. Provided value "${resume}" is not a UUID and does not match any session title.`;
    const usage = 'Usage: claude -p --resume <session-id|title>';
    const message = `Error: --resume requires a valid session ID or session title when used with --print. ${usage}${given}`;
    return { message, exitCode: 1, result: randomUUID() };
  }
  const latest = args.continues ? findLatestSession(folder) : null;
  const earlier = resume === undefined ? latest : resume;
  if (typeof earlier === 'string') {
    if (!exists(earlier)) {
      return { message: `No conversation found with session ID: ${earlier}`, exitCode: 1, result: earlier };
    }
    return { id: args.forks ? (sessionId ?? randomUUID()) : earlier, resumed: true };
  }
  if (sessionId !== undefined && exists(sessionId)) {
    return { message: `Error: Session ID ${sessionId} is already in use.`, exitCode: 1 };
  }
  return { id: sessionId ?? '', resumed: false };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Commands of the real program that are not conversations. */
const SUBCOMMANDS = [
  ...[
    'agents',
    'attach',
    'auth',
    'auto-mode',
    'doctor',
    'gateway',
    'import',
    'install',
    'logs',
    'mcp',
    'plugin',
  ],
  ...['plugins', 'purge', 'respawn', 'rm', 'setup-token', 'stop', 'kill', 'ultrareview', 'update', 'upgrade'],
];

function sayLogin(around: Surroundings, actor: Actor): number {
  const status = actor.loggedIn
    ? { loggedIn: true, authMethod: 'api_key', apiKeySource: 'stand-in' }
    : { loggedIn: false, authMethod: 'none' };
  return print(around, actor, JSON.stringify(status), actor.loggedIn ? 0 : 1);
}

function print(around: Surroundings, actor: Actor, text: string, exitCode: number): number {
  around.write('stdout', `${text}\n`);
  actor.record('not-a-prompt');
  return exitCode;
}

function refuse(around: Surroundings, actor: Actor, { message, exitCode }: RefusedCall): number {
  around.write('stderr', `${message}\n`);
  actor.record('refused', message);
  return exitCode;
}
