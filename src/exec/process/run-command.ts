import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pen } from './containment/pen.js';
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
  readonly pen?: Pen | undefined;
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
/** What we have of a command that not even KILL ends. */
const NOTHING = { stdout: '', stderr: '', flooded: false };

/** Runs a helper command within its time limit. Never throws, and leaves no processes behind. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal, pen }: CommandOptions,
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
    keep: MAX_BYTES,
    pen,
  });
  if ('spawnError' in started) {
    const { stdout, stderr } = NOTHING;
    return { ok: false, exitCode: null, signal: null, stdout, stderr, timedOut: false, ...started };
  }
  const { child, exited, output, offspring, release } = started;
  try {
    const timer = new AbortController();
    const limits = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
    // An abort from outside ends the wait and the command, like the time limit does.
    const timeout = sleep(timeoutMs, null, { signal: limits }).catch(() => null);
    const late = (await Promise.race([exited, timeout])) === null;
    timer.abort();
    const closed = late ? null : await Promise.race([output, sleep(QUIET_END_MS, null)]);
    // Shortcut for the usual end: the pipes close with the process, and no child is left.
    if (closed === null || !offspring.isGone()) {
      await endOffspring(offspring, GRACE_MS);
      await Promise.race([output, sleep(DRAIN_MS)]);
    }
    const exit = await Promise.race([exited, sleep(DRAIN_MS, null)]);
    // Whoever survived still holds them.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    const { stdout, stderr, flooded } = await Promise.race([output, sleep(DRAIN_MS, NOTHING)]);
    const timedOut = late || flooded;
    return {
      ok: exit?.exitCode === 0 && !timedOut,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      stdout,
      stderr,
      timedOut,
    };
  } finally {
    release();
    child.unref();
  }
}
