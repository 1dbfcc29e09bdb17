import { existsSync } from 'node:fs';
import { Socket } from 'node:net';

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const PATIENCE_MS = 1_000;

/** Runs a hook's command in the system shell. */
export function runShell(command: string, options: ShellOptions): Promise<ShellResult> {
  return run('/bin/sh', ['-c', command], options);
}

/** Runs the agent's command. Returns both streams interleaved, and the folder in which it ended. */
export async function runBash(
  command: string,
  options: ShellOptions,
): Promise<ShellResult & { readonly folder: string | null }> {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  // The command runs on line 1 under the shell's own name, because its error messages start with both.
  const wrapper = 'exec 2>&1; eval "$1"; code=$?; pwd -P >&3; exit "$code"';
  const result = await run(shell, ['-c', wrapper, shell, command], options, true);
  return { ...result, folder: result.extra.trim() === '' ? null : result.extra.trim() };
}

async function run(
  file: string,
  args: readonly string[],
  { cwd, env, input, timeoutMs, signal }: ShellOptions,
  withExtra = false,
): Promise<ShellResult & { readonly extra: string }> {
  // Loaded on demand: most calls run nothing, and each must start fast.
  const { spawn } = await import('node:child_process');
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', withExtra ? 'pipe' : 'ignore'],
  });
  const collected = ['', '', ''];
  for (const [index, stream] of [child.stdout, child.stderr, child.stdio[3]].entries()) {
    if (stream === null || stream === undefined || !('setEncoding' in stream)) continue;
    stream.setEncoding('utf8').on('data', (text: string) => {
      collected[index] += text;
    });
  }
  // A command may ignore its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input ?? '');
  let timedOut = false;
  let patience: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    // A shell may ignore that.
    patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stop();
        }, timeoutMs);
  signal?.addEventListener('abort', stop);
  try {
    const exitCode = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
      // What the shell left in the background may hold its output open; like the real program, nobody waits for that.
      child.once('exit', (code) => void drain(child.stdio).then(() => done(code)));
    });
    const [stdout = '', stderr = '', extra = ''] = collected;
    return { stdout, stderr, exitCode, timedOut, extra };
  } finally {
    clearTimeout(timer);
    clearTimeout(patience);
    signal?.removeEventListener('abort', stop);
  }
}

/** Lets go of the output of a shell that has ended, after what it printed has been read. */
async function drain(streams: readonly unknown[]): Promise<void> {
  // What the shell printed is in the pipes now, and one round of the event loop reads a pipe until it is empty.
  for (let round = 0; round < 2; round += 1) await new Promise((next) => setImmediate(next));
  for (const stream of streams) if (stream instanceof Socket) stream.unref();
}
