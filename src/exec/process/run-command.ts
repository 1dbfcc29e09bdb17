import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { endTree } from './end-tree.js';
import { trackTree } from './registry.js';
import { explainSpawnError, type SpawnError } from './spawn-error.js';
import { ProcessTree } from './tree.js';

/** Options of a short helper command, such as `git init` or `claude --version`. */
export interface CommandOptions {
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Ends the command, like its time limit does. */
  readonly signal?: AbortSignal | undefined;
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

/** Runs a helper command within its time limit. Never throws, and leaves no processes behind. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal }: CommandOptions,
): Promise<CommandResult> {
  const marker = { name: MARKER, value: randomUUID() };
  const child = execa(command, args, {
    cwd,
    env: { ...env, [marker.name]: marker.value },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    detached: true,
    cleanup: false,
    stripFinalNewline: false,
    maxBuffer: 4 * 1024 * 1024,
  });
  // execa settles when the pipes close, which a grandchild that holds them can delay forever.
  const exited = new Promise<'exit'>((resolve) => child.once('exit', () => resolve('exit')));
  const done = child.then(() => 'done' as const);
  const pid = child.pid;
  let timedOut = false;
  if (pid !== undefined) {
    const tree = new ProcessTree(pid, marker);
    const untrack = trackTree(tree);
    const timer = new AbortController();
    const limits = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
    // An abort from outside ends the wait and the command, like the time limit does.
    const timeout = sleep(timeoutMs, null, { signal: limits }).catch(() => {});
    timedOut = !['exit', 'done'].includes(`${await Promise.race([exited, done, timeout])}`);
    timer.abort();
    const closed = timedOut ? null : await Promise.race([done, sleep(QUIET_END_MS)]);
    // Shortcut for the usual end: the pipes close with the process, and no child is left.
    if (closed !== 'done' || tree.scan().length > 0) {
      await endTree(tree, GRACE_MS);
      await Promise.race([done, sleep(DRAIN_MS)]);
    }
    child.stdout?.destroy();
    child.stderr?.destroy();
    untrack();
  }
  const result = await child;
  return {
    ok: result.exitCode === 0 && !result.isMaxBuffer && !timedOut,
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    stdout: result.stdout,
    stderr: result.stderr,
    timedOut,
    ...(pid === undefined ? { spawnError: explainSpawnError(result.cause, { command, cwd, env }) } : {}),
  };
}
