import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HookPhase } from '../../domain/evidence/ralph-words.js';
import { findProgram } from '../backend/exec-format.js';
import { describeOsError, readErrorCode } from '../failure.js';
import { faulty } from '../faults.js';
import { takeBytes } from '../text.js';
import type { HookConfig } from './config.js';

interface CapturedStream {
  readonly content: string;
  readonly truncated: boolean;
}

/** How a hook ended; the field names are those of its record in the diagnostics. */
export interface HookResult {
  readonly started_at: string;
  readonly ended_at: string;
  readonly duration_ms: number;
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
}

/** Runs a hook to its end with the payload on stdin; the loop waits, as in the real Ralph. */
export function executeHook(
  hook: HookConfig,
  phase: HookPhase,
  workspace: string,
  payload: string,
): HookResult | { readonly unstartable: string } {
  const [command = '', ...args] = hook.command;
  const cwd = resolve(workspace, hook.cwd ?? '.');
  const env = { ...process.env, ...hook.env };
  const program = findProgram(command, env.PATH ?? '', cwd);
  const about = `hook '${hook.name}' for phase-event '${phase}'`;
  if (program === undefined) {
    const reason = explainMissing(command, cwd);
    return { unstartable: `${about} command '${command}' could not be resolved: ${reason}` };
  }
  const started = new Date();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    input: payload,
    ...(faulty('ignore-hook-timeouts') ? {} : { timeout: hook.timeoutSeconds * 1000 }),
    killSignal: 'SIGKILL',
    maxBuffer: Number.POSITIVE_INFINITY,
    encoding: 'utf8',
  });
  const code = readErrorCode(error);
  const timedOut = code === 'ETIMEDOUT';
  const forgiven = timedOut && faulty('forgive-late-hooks');
  // A hook may exit without reading its input.
  if (error !== undefined && !timedOut && code !== 'EPIPE') {
    return {
      unstartable: `failed to spawn ${about} with command '${hook.command.join(' ')}' (cwd: ${cwd}): ${describeOsError(error)}`,
    };
  }
  const ended = new Date();
  return {
    started_at: started.toISOString(),
    ended_at: ended.toISOString(),
    duration_ms: ended.getTime() - started.getTime(),
    exit_code: forgiven ? 0 : timedOut ? null : status,
    timed_out: timedOut && !forgiven,
    stdout: capture(stdout, hook.maxOutputBytes),
    stderr: capture(stderr, hook.maxOutputBytes),
  };
}

/** Explains why a command is not a program, in the real Ralph's words. */
export function explainMissing(command: string, cwd: string): string {
  if (!command.includes('/')) return `command '${command}' was not found in PATH`;
  // The real Ralph joins paths without normalizing: `./x` stays `<cwd>/./x`.
  const path = command.startsWith('/') ? command : `${cwd}/${command}`;
  return `command '${command}' resolves to '${path}' but ${existsSync(path) ? 'it is not executable' : 'the file does not exist'}`;
}

function capture(text: string, limit: number): CapturedStream {
  const content = takeBytes(text, limit);
  return { content, truncated: content !== text };
}
