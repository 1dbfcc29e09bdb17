import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import type { Responder } from '../../../agent/stand-in/responder.js';
import type { StandIn } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { type ClaudeArguments, Refused, readArguments } from './arguments.js';
import { hookPayload, openCall, requireSandbox } from './call.js';
import { runHooks } from './plugins/hooks.js';
import { sessionFolder } from './session.js';
import { configFolder } from './settings.js';
import { endOnSignals } from './signals.js';
import { playStream } from './stream-input.js';
import { playTurn } from './turn.js';

/** Claude Code in print mode. */
export const claudeStandIn: StandIn = {
  backend: 'claude',

  async run(around, responder) {
    const { argv } = around;
    // Ralph's probe leaves out the user's settings; the login is not in them.
    const [first, second] = argv[0] === '--setting-sources' ? argv.slice(2) : argv;
    if (first === 'auth' && second === 'status') return sayLogin(around, responder);
    const options = argv.slice(0, [...argv, '--'].indexOf('--'));
    if (options.includes('--version')) return print(around, responder, standInVersion('claude'), 0);
    try {
      return await runPrintMode(around, responder, readArguments(argv));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      around.write('stderr', `${error.message}\n`);
      responder.record('refused', error.message);
      return 1;
    }
  },
};

async function runPrintMode(
  around: Surroundings,
  responder: Responder,
  args: ClaudeArguments,
): Promise<number> {
  requireSandbox(args.mode, around);
  const session = chooseSession(around, args);
  const prompt = await readPromptOf(around, args);
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

/** Reads the prompt from the argument, stdin, or both; stdin then follows on a new line. */
async function readPromptOf(around: Surroundings, { prompt = '', inputFormat }: ClaudeArguments) {
  if (inputFormat === 'stream-json') return { prompt: '', source: 'none' as const };
  const input = await readInput(around);
  const whole = [prompt, input].filter((text) => text !== '').join('\n');
  if (whole.trim() === '')
    throw new Refused(
      'Error: Input must be provided either through stdin or as a prompt argument when using --print',
    );
  if (prompt === '') return { prompt: input, source: 'stdin' as const };
  return input === '' ? readPromptArgument(prompt) : { prompt: whole, source: 'argument' as const };
}

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
  { env, cwd, write }: Surroundings,
  { sessionId, resume, outputFormat }: ClaudeArguments,
): { readonly id: string; readonly resumed: boolean } {
  const folder = sessionFolder(configFolder(env), cwd);
  const exists = (id: string) => existsSync(join(folder, `${id}.jsonl`));
  if (resume !== undefined && !exists(resume)) {
    const message = `No conversation found with session ID: ${resume}`;
    const about = { subtype: 'error_during_execution', is_error: true, num_turns: 0, session_id: resume };
    const result = { type: 'result', ...about, total_cost_usd: 0, permission_denials: [], errors: [message] };
    if (outputFormat === 'stream-json') write('stdout', `${JSON.stringify(result)}\n`);
    throw new Refused(message);
  }
  if (resume !== undefined) return { id: resume, resumed: true };
  if (sessionId !== undefined && exists(sessionId))
    throw new Refused(`Error: Session ID ${sessionId} is already in use.`);
  return { id: sessionId ?? '', resumed: false };
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
