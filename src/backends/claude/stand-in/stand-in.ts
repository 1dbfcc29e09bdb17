import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import type { Responder } from '../../../agent/stand-in/responder.js';
import type { StandIn } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { type ClaudeArguments, notPlayed, type RefusedCall, readArguments } from './arguments.js';
import { hookPayload, mayRootSkip, openCall, REFUSES_ROOT } from './call.js';
import { runHooks } from './plugins/hooks.js';
import { findLatestSession, sessionFolder } from './session.js';
import { configFolder, IgnoredSettings, SettingsError } from './settings.js';
import { endOnSignals } from './signals.js';
import { playStream } from './stream-input.js';
import { playTurn } from './turn.js';

/** Claude Code in print mode. */
export const claudeStandIn: StandIn = {
  backend: 'claude',

  async run(around, responder) {
    const [first, second] = around.argv;
    if (first === 'auth' && second === 'status') return sayLogin(around, responder);
    // The login has no settings that could be left out.
    if (first === '--setting-sources' && around.argv.slice(2).join(' ') === 'auth status')
      return sayLogin(around, responder);
    const options = around.argv.slice(0, [...around.argv, '--'].indexOf('--'));
    if (options.includes('--version') || options.includes('-v'))
      return print(around, responder, standInVersion('claude'), 0);
    const args = readArguments(around.argv);
    if ('exitCode' in args) return refuse(around, responder, args);
    if (args.mode === 'bypassPermissions' && !mayRootSkip(around))
      return refuse(around, responder, { message: REFUSES_ROOT, exitCode: 1 });
    try {
      return await runPrintMode(around, responder, args);
    } catch (error) {
      if (error instanceof IgnoredSettings) return refuse(around, responder, notPlayed(error.message));
      if (!(error instanceof SettingsError)) throw error;
      return refuse(around, responder, { message: error.message, exitCode: 1 });
    }
  },
};

async function runPrintMode(
  around: Surroundings,
  responder: Responder,
  args: ClaudeArguments,
): Promise<number> {
  const formats = refuseFormats(args);
  if (formats !== null) return refuse(around, responder, formats);
  const session = chooseSession(around, args);
  if ('exitCode' in session) {
    if (args.outputFormat === 'stream-json' && session.missing !== undefined)
      around.write('stdout', `${JSON.stringify(noSessionResult(session.missing, session.message))}\n`);
    return refuse(around, responder, session);
  }
  const prompt = await readPromptOf(around, args);
  if ('exitCode' in prompt) return refuse(around, responder, prompt);
  const call = await openCall(around, responder, args, session);
  const payload = { ...hookPayload(call, null), source: session.resumed ? 'resume' : 'startup' };
  const started = await runHooks(call.hooks, 'SessionStart', String(payload.source), payload);
  call.startContext = started.context;
  const stop = new AbortController();
  const signalsHandled = endOnSignals(() => stop.abort());
  const exitCode =
    args.inputFormat === 'stream-json'
      ? await playStream(call)
      : (await playTurn(call, { ...prompt, index: 0 }, stop.signal))
        ? 1
        : 0;
  signalsHandled();
  call.output.close();
  await runHooks(call.hooks, 'SessionEnd', 'other', { ...hookPayload(call, null), reason: 'other' });
  return exitCode;
}

function refuseFormats({
  outputFormat,
  inputFormat,
  verbose,
  replaysUser,
}: ClaudeArguments): RefusedCall | null {
  if (outputFormat === 'stream-json' && !verbose)
    return notPlayed('--output-format=stream-json without --verbose');
  if (outputFormat !== 'stream-json' && inputFormat === 'stream-json')
    return notPlayed('--input-format=stream-json without --output-format=stream-json');
  return replaysUser && inputFormat !== 'stream-json'
    ? notPlayed('--replay-user-messages without --input-format=stream-json')
    : null;
}

/** Reads the prompt from the argument, stdin, or both; stdin then follows on a new line. */
async function readPromptOf(around: Surroundings, { prompt = '', inputFormat }: ClaudeArguments) {
  if (inputFormat === 'stream-json') return { prompt: '', source: 'none' as const };
  const input = await readInput(around);
  const whole = [prompt, input].filter((text) => text !== '').join('\n');
  if (whole.trim() === '') return NO_PROMPT;
  if (prompt === '') return { prompt: input, source: 'stdin' as const };
  return input === '' ? readPromptArgument(prompt) : { prompt: whole, source: 'argument' as const };
}

const NO_PROMPT: RefusedCall = {
  message: 'Error: Input must be provided either through stdin or as a prompt argument when using --print',
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
): { readonly id: string; readonly resumed: boolean } | (RefusedCall & { readonly missing?: string }) {
  const folder = sessionFolder(configFolder(env), cwd);
  const exists = (id: string) => existsSync(join(folder, `${id}.jsonl`));
  const { sessionId, resume = args.continues ? findLatestSession(folder) : undefined } = args;
  if (resume !== undefined) {
    return exists(resume)
      ? { id: resume, resumed: true }
      : { message: `No conversation found with session ID: ${resume}`, exitCode: 1, missing: resume };
  }
  if (sessionId !== undefined && exists(sessionId)) {
    return { message: `Error: Session ID ${sessionId} is already in use.`, exitCode: 1 };
  }
  return { id: sessionId ?? '', resumed: false };
}

/** The result of a call that resumes a session which does not exist. */
function noSessionResult(session_id: string, message: string): object {
  const about = { subtype: 'error_during_execution', is_error: true, num_turns: 0, session_id };
  return { type: 'result', ...about, total_cost_usd: 0, permission_denials: [], errors: [message] };
}

function sayLogin(around: Surroundings, responder: Responder): number {
  const status = responder.loggedIn
    ? { loggedIn: true, authMethod: 'api_key', apiKeySource: 'stand-in' }
    : { loggedIn: false, authMethod: 'none' };
  return print(around, responder, JSON.stringify(status), responder.loggedIn ? 0 : 1);
}

function print(around: Surroundings, responder: Responder, text: string, exitCode: number): number {
  around.write('stdout', `${text}\n`);
  responder.record('not-a-prompt');
  return exitCode;
}

function refuse(around: Surroundings, responder: Responder, { message, exitCode }: RefusedCall): number {
  around.write('stderr', `${message}\n`);
  responder.record('refused', message);
  return exitCode;
}
