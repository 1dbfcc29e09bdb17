import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessScope } from './containment/process-scope.js';
import { endOffspring } from './end-tree.js';
import type { SpawnError } from './spawn-error.js';
import { startProgram } from './start-program.js';

/** Options of a short helper command, such as `git init` or `claude --version`. */
export interface CommandOptions {
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Ends the command, like its time limit does. */
  readonly signal?: AbortSignal | undefined;
  /** Where it runs. Without one, what it starts is only looked for. */
  readonly scope?: ProcessScope | undefined;
}

/** The result of a helper command. `ok` means that it started, ended in time, and had exit code 0. */
export interface CommandResult {
  readonly ok: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly spawnError?: SpawnError;
}

const MARKER = 'RALPH_E2E_COMMAND';
const GRACE_MS = 250;
const DRAIN_MS = 200;
const QUIET_END_MS = 20;
const MAX_BYTES = 4 * 1024 * 1024;

/** Runs a helper command within its time limit. Never throws, and leaves no processes behind. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal, scope }: CommandOptions,
): Promise<CommandResult> {
  const marker = { name: MARKER, value: randomUUID() };
  const started = await startProgram({
    command,
    args,
    cwd,
    env,
    marker,
    secrets: [],
    input: 'ignore',
    scope,
  });
  if ('spawnError' in started) {
    const nothing = { exitCode: null, signal: null, stdout: '', stderr: '', timedOut: false };
    return { ok: false, ...nothing, ...started };
  }
  const { child, exited, offspring, release } = started;
  const flooded = new AbortController();
  const outputs = [child.stdout, child.stderr].map((stream) => new Output(stream, () => flooded.abort()));
  const done = Promise.all([exited, ...outputs.map(({ closed }) => closed)]).then(() => 'done' as const);
  try {
    const timer = new AbortController();
    const limits = AbortSignal.any([timer.signal, flooded.signal, ...(signal === undefined ? [] : [signal])]);
    // An abort from outside ends the wait and the command, like the time limit does.
    const timeout = sleep(timeoutMs, null, { signal: limits }).catch(() => null);
    const timedOut = (await Promise.race([exited, timeout])) === null;
    timer.abort();
    const closed = timedOut ? null : await Promise.race([done, sleep(QUIET_END_MS)]);
    // Shortcut for the usual end: the pipes close with the process, and no child is left.
    if (closed !== 'done' || !offspring.isGone()) {
      await endOffspring(offspring, GRACE_MS);
      await Promise.race([done, sleep(DRAIN_MS)]);
    }
    const exit = await Promise.race([exited, sleep(DRAIN_MS, null)]);
    const [stdout = '', stderr = ''] = outputs.map((output) => output.read());
    return {
      ok: exit?.exitCode === 0 && !timedOut,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      stdout,
      stderr,
      timedOut,
    };
  } finally {
    for (const output of outputs) output.stop();
    release();
    child.unref();
  }
}

/** Keeps what a command prints, up to a limit. */
class Output {
  readonly closed: Promise<void>;
  readonly #stream: Readable | null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Readable | null, onFlood: () => void) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      if (stream === null) resolve();
      stream?.once('close', resolve);
    });
    stream?.on('data', (chunk: Buffer) => {
      const room = MAX_BYTES - this.#bytes;
      this.#chunks.push(chunk.subarray(0, room));
      this.#bytes += Math.min(chunk.length, room);
      if (chunk.length > room) onFlood();
    });
    // A pipe that breaks has nothing more to say.
    stream?.on('error', () => {});
  }

  read(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  stop(): void {
    this.#stream?.destroy();
  }
}
