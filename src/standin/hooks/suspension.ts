import { existsSync, renameSync, rmSync } from 'node:fs';
import type { HookPhase } from '../../domain/evidence/ralph-words.js';
import { readErrorCode } from '../failure.js';
import { type Files, writeTextFile } from '../store/files.js';
import { now } from '../time.js';
import type { SuspendMode } from './config.js';

/** The delays between the attempts of a hook with `retry_backoff`. */
export const BACKOFF_MS = [100, 200, 400] as const;
const POLL_MS = 250;

/** Which hook suspended a loop, where and why; the field names are those of the file. */
export interface Suspension {
  readonly loop_id: string;
  readonly phase_event: HookPhase;
  readonly hook_name: string;
  readonly reason: string;
  readonly suspend_mode: SuspendMode;
}

/** Writes down that the loop is suspended. Whoever reads the file sees all of it or nothing. */
export function suspend(files: Files, suspension: Suspension): void {
  const record = {
    schema_version: 1,
    state: 'suspended',
    ...suspension,
    suspended_at: new Date().toISOString(),
  };
  const draft = `${files.suspendState}.tmp-${process.pid}`;
  writeTextFile(draft, JSON.stringify(record, null, 2));
  renameSync(draft, files.suspendState);
}

/** Removes what `suspend` wrote. */
export function clearSuspension(files: Files): void {
  rmSync(files.suspendState, { force: true });
}

/** Waits until somebody resumes, stops or restarts the loop. Takes only the request to resume away. */
export function waitForSignal(files: Files): 'resume' | 'stop' | 'restart' {
  for (;;) {
    if (existsSync(files.stopRequested)) return 'stop';
    if (existsSync(files.restartRequested)) return 'restart';
    if (takeAway(files.resumeRequested)) return 'resume';
    pause(POLL_MS);
  }
}

/** Waits before another attempt, or until somebody stops or restarts the loop. */
export function backOff(files: Files, milliseconds: number): 'stop' | 'restart' | undefined {
  const until = now() + milliseconds;
  for (;;) {
    if (existsSync(files.stopRequested)) return 'stop';
    if (existsSync(files.restartRequested)) return 'restart';
    const left = until - now();
    if (left <= 0) return undefined;
    pause(Math.min(left, 100));
  }
}

function takeAway(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Hooks hold the loop up, so nothing else happens meanwhile. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
