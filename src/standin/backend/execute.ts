import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, describeOsError, readErrorCode } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { print } from '../screen/screen.js';
import { readEventsMarker } from '../store/files.js';
import { type Backend, prepareInvocation } from './backend.js';
import { hasExecFormatError } from './exec-format.js';
import { KeptOutput } from './kept-output.js';
import { type LineProblem, splitLines } from './line-splitter.js';

const TARGET = 'ralph_adapters::cli_executor';
const TERMINATION_GRACE_MS = 2000;
/** Never scaled down: an agent that publishes a second event needs the time, especially on a busy machine. */
const EMIT_GRACE_MS = 5000;
/** Where the fault `cut-output` takes effect. */
const CUT_AFTER = 64 * 1024;

/** A backend's output and whether it succeeded. */
export interface Execution {
  /** The text that the loop parses; it includes stderr, with `[stderr] ` before each line. */
  readonly text: string;
  readonly succeeded: boolean;
}

/** What an execution needs from the run. */
export interface ExecutionContext {
  readonly workspace: string;
  readonly program: string;
  readonly inactivitySeconds: number;
  readonly verbose: boolean;
  readonly log: Log;
}

/** Runs a backend once in its own process group and echoes its stdout line by line. */
export async function executeBackend(
  backend: Backend,
  prompt: string,
  context: ExecutionContext,
): Promise<Execution> {
  const invocation = prepareInvocation(backend, prompt);
  const env = buildChildEnvironment(context);
  try {
    if (hasExecFormatError(invocation.command, env.PATH ?? '', context.workspace)) {
      throw new CommandError('Exec format error (os error 8)');
    }
    context.log.debug(TARGET, `Spawning CLI command command=${invocation.command}`);
    const child = spawn(invocation.command, invocation.args, {
      cwd: context.workspace,
      env,
      // The real Ralph lets the agent inherit stdin unless the prompt goes there.
      stdio: [invocation.stdin === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    await waitForSpawn(child);
    if (faulty('leak-backend')) leaveBehind(env, context);
    if (child.stdin !== null) feed(child.stdin, invocation.stdin ?? '');
    const { output, status } = await collect(child, backend, context);
    return { text: backend.extractText(output, context.log), succeeded: status === 0 };
  } finally {
    invocation.dispose();
  }
}

function waitForSpawn(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new CommandError(describeOsError(error))));
  });
}

/** The process ends by itself after ten minutes if nobody finds it. */
function leaveBehind(env: NodeJS.ProcessEnv, { workspace, log }: ExecutionContext): void {
  const child = spawn('sleep', ['600'], { cwd: workspace, env, stdio: 'ignore', detached: true });
  child.unref();
  log.warn(TARGET, `Left a process behind pid=${child.pid}`);
}

function feed(stdin: NodeJS.WritableStream, prompt: string): void {
  // A backend may exit without reading its prompt; its exit status is reported elsewhere.
  stdin.on('error', () => {});
  stdin.end(prompt);
}

/** Collects output until both streams are closed: a grandchild that holds them keeps the iteration alive. */
function collect(
  child: ChildProcess,
  { showLine }: Backend,
  context: ExecutionContext,
): Promise<{ output: string; status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const output = new KeptOutput();
    let problem: LineProblem | undefined;
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    let emitGrace: NodeJS.Timeout | undefined;
    let silence: NodeJS.Timeout | undefined;
    let length = 0;
    let cut = false;

    const terminate = () => {
      if (timedOut) return;
      timedOut = true;
      context.log.warn(TARGET, 'Execution inactivity timeout reached, sending SIGTERM');
      signalGroup(child, 'SIGTERM');
      killer = setTimeout(() => {
        context.log.warn(TARGET, 'Child process ignored SIGTERM, sending SIGKILL');
        signalGroup(child, 'SIGKILL');
      }, TERMINATION_GRACE_MS);
    };
    const watchSilence = () => {
      clearTimeout(silence);
      // A delay beyond 2^31 would fire at once.
      silence = setTimeout(terminate, Math.min(context.inactivitySeconds * 1000, 2 ** 31 - 1));
    };
    const take = (line: string, prefix: '' | '[stderr] ') => {
      if (timedOut) return;
      watchSilence();
      length += line.length;
      cut ||= length > CUT_AFTER && faulty('cut-output');
      if (cut) return;
      // An agent that has published an event is done; it gets a moment to stop by itself.
      if (line.includes('Event emitted:')) {
        emitGrace ??= setTimeout(terminate, EMIT_GRACE_MS);
      }
      const shown = prefix === '' && showLine !== undefined ? showLine(line, context.log) : line;
      if (shown !== undefined && (prefix === '' || context.verbose)) show(`${prefix}${shown}`);
      if (process.stdout.writableNeedDrain) waitForReader(child);
      output.add(`${prefix}${line}\n`);
    };
    const noteProblem = (found: LineProblem) => {
      problem ??= found;
    };

    // A backend that closes both streams is awaited without a time limit.
    let open = 2;
    const closeOne = () => {
      open -= 1;
      if (open === 0) for (const timer of [emitGrace, silence]) clearTimeout(timer);
    };

    watchSilence();
    for (const stream of [child.stdout, child.stderr]) stream?.once('close', closeOne);
    if (child.stdout !== null) splitLines(child.stdout, (line) => take(line, ''), noteProblem);
    if (child.stderr !== null) splitLines(child.stderr, (line) => take(line, '[stderr] '), noteProblem);
    // Once the backend itself has exited, the real Ralph kills nothing more, even if others still hold the streams.
    child.once('exit', () => clearTimeout(killer));
    child.once('close', (code) => {
      for (const timer of [killer, emitGrace, silence]) clearTimeout(timer);
      if (output.cut) context.log.warn(TARGET, 'The stand-in dropped the beginning of a very long output');
      if (problem !== undefined) reject(new CommandError(problem.message));
      else resolve({ output: output.toString(), status: timedOut ? undefined : (code ?? undefined) });
    });
  });
}

function show(text: string): void {
  print(text.endsWith('\n') ? text : `${text}\n`);
}

/** Pauses reading until the screen has drained or failed; otherwise output would pile up in memory. */
function waitForReader({ stdout, stderr }: ChildProcess): void {
  if (stdout?.isPaused() !== false) return;
  const streams = [stdout, stderr];
  for (const stream of streams) stream?.pause();
  const resume = () => {
    for (const event of ['drain', 'error']) process.stdout.off(event, resume);
    for (const stream of streams) stream?.resume();
  };
  for (const event of ['drain', 'error']) process.stdout.once(event, resume);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group may already be gone.
    if (readErrorCode(error) !== 'ESRCH') throw error;
  }
}

function buildChildEnvironment(context: ExecutionContext): NodeJS.ProcessEnv {
  const events = readEventsMarker(context.workspace);
  const temporary = statSync('/var/tmp', { throwIfNoEntry: false })?.isDirectory()
    ? { TMPDIR: '/var/tmp', TMP: '/var/tmp', TEMP: '/var/tmp' }
    : {};
  if (faulty('drop-agent-environment')) return process.env;
  return {
    ...process.env,
    PATH: [dirname(context.program), process.env.PATH].filter((part) => part !== undefined).join(':'),
    RALPH_BIN: context.program,
    RALPH_WORKSPACE_ROOT: context.workspace,
    ...(events === undefined ? {} : { RALPH_EVENTS_FILE: events }),
    ...temporary,
  };
}
