import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CapturedStream, StreamCapture } from './capture.js';
import type { Exit, Offspring, ProcessScope } from './containment/process-scope.js';
import { endOffspring, nameOffspring, waitUntilGone } from './end-tree.js';
import type { SpawnError } from './spawn-error.js';
import { startProgram } from './start-program.js';
import type { ProcessMarker } from './table.js';
import type { ProcessInfo } from './tree.js';

/** Options of a long-running target: what to start, for how long, and where its output goes. */
export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The time between TERM and KILL. Default: 1000. */
  readonly graceMs?: number;
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Values that must not reach disk or memory. */
  readonly secrets: readonly string[];
  /** Gets stdout and stderr as they arrive, redacted. */
  readonly onOutput?: ((data: Buffer) => void) | undefined;
  /** Ends the tree, like a timeout does. */
  readonly signal?: AbortSignal;
  /** Set in the environment of the process. Every process needs its own value. */
  readonly marker: ProcessMarker;
  /** Where it runs. Without one, what it starts is only looked for. */
  readonly scope?: ProcessScope | undefined;
  /** Gets the input and output of the process. Without it, the process has no input. */
  readonly onStart?: (running: {
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly pid: number;
  }) => void;
  /** How long children may take to end by themselves after the process has ended. Default: 300. */
  readonly leftoverSettleMs?: number;
}

/** How a target ended and what it left. */
export interface ProcessResult {
  readonly pid: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  readonly spawnError?: SpawnError;
  /** From the start to the end of the process itself, without its children. */
  readonly durationMs: number;
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  /** Processes that still ran after a normal end. They have been ended since. */
  readonly leftBehind: readonly ProcessInfo[];
  /** Processes that not even KILL could end. */
  readonly survivors: readonly ProcessInfo[];
}

type Ending = 'exit' | 'timeout' | 'abort';

/** Node fires a longer timer immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs a target until it ends, or ends it and everything it started when its time is up. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const stdout = await StreamCapture.open(options.stdoutPath, options);
  const stderr = await StreamCapture.open(options.stderrPath, options);
  const finishStreams = async (limitMs: number) => {
    const [out, err] = await Promise.all([stdout.finish(limitMs), stderr.finish(limitMs)]);
    return { stdout: out, stderr: err };
  };
  const nothing = {
    pid: null,
    exitCode: null,
    signal: null,
    timedOut: false,
    durationMs: 0,
    leftBehind: [],
    survivors: [],
  };
  if (options.signal?.aborted) return { ...nothing, interrupted: true, ...(await finishStreams(0)) };

  const startedAt = performance.now();
  const started = await startProgram({
    ...options,
    input: options.onStart === undefined ? 'ignore' : 'pipe',
  });
  if ('spawnError' in started)
    return { ...nothing, interrupted: false, ...started, ...(await finishStreams(0)) };

  const { child, pid, exited, offspring, release } = started;
  if (child.stdout) stdout.attach(child.stdout);
  if (child.stderr) stderr.attach(child.stderr);
  if (child.stdin && child.stdout) options.onStart?.({ stdin: child.stdin, stdout: child.stdout, pid });
  try {
    const ending = await waitForEnding(exited, options, startedAt);
    const { leftBehind, survivors } = await clear(offspring, ending, options);
    // A process that survives KILL never reports its end.
    const exit = await Promise.race([exited, sleep(200, null, { ref: false })]);
    return {
      pid,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      timedOut: ending === 'timeout',
      interrupted: ending === 'abort',
      durationMs: (exit?.atMs ?? performance.now()) - startedAt,
      ...(await finishStreams(ending === 'exit' ? 2000 : 300)),
      leftBehind,
      survivors,
    };
  } finally {
    release();
    child.unref();
  }
}

async function clear(offspring: Offspring, ending: Ending, options: ProcessOptions) {
  const graceMs = options.graceMs ?? 1000;
  if (ending !== 'exit') return { leftBehind: [], survivors: await endOffspring(offspring, graceMs) };
  if (await waitUntilGone(offspring, options.leftoverSettleMs ?? 300))
    return { leftBehind: [], survivors: [] };
  const leftBehind = await nameOffspring(offspring);
  return { leftBehind, survivors: await endOffspring(offspring, graceMs) };
}

function waitForEnding(exited: Promise<Exit>, options: ProcessOptions, startedAt: number): Promise<Ending> {
  return new Promise((resolve) => {
    const abort = () => settle('abort');
    // Wait one turn: if the process and its time end together, it was in time.
    const expire = () => setImmediate(() => settle('timeout'));
    const timer = setTimeout(
      expire,
      Math.min(options.timeoutMs - (performance.now() - startedAt), MAX_TIMER_MS),
    );
    const settle = (ending: Ending) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      resolve(ending);
    };
    options.signal?.addEventListener('abort', abort);
    if (options.signal?.aborted) abort();
    void exited.then(() => settle('exit'));
  });
}
