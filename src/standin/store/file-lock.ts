import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readErrorCode } from '../failure.js';
import { faulty } from '../faults.js';
import { appendTextFile } from './files.js';

const POLL_MS = 5;
/** Long enough that writers without a lock are sure to collide. */
const UNLOCKED_MS = 400;

/**
 * Changes a file while no other process does. The real lock on `<path>.lock` is the kernel's and dies with its owner;
 * here a second file next to it names the owner, and the lock is valid as long as that process is alive.
 */
export function changeLocked<T>(path: string, change: (pause: () => void) => T): T {
  appendTextFile(`${path}.lock`, '');
  if (faulty('unlocked-memories')) return change(() => pause(UNLOCKED_MS));
  const held = `${path}.lock.held`;
  takeLock(held);
  try {
    return change(() => {});
  } finally {
    rmSync(held, { force: true });
  }
}

/** Takes the lock with a hard link, which appears together with its content: nobody reads a lock without an owner. */
function takeLock(held: string): void {
  const own = `${held}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (;;) {
      try {
        linkSync(own, held);
        return;
      } catch (error) {
        if (readErrorCode(error) !== 'EEXIST') throw error;
      }
      if (isAbandoned(held)) rmSync(held, { force: true });
      else pause(POLL_MS);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Reads the owner twice: it may release its lock and exit after the first read. */
function isAbandoned(held: string): boolean {
  const owner = readOwner(held);
  return owner !== undefined && !isAlive(Number(owner)) && readOwner(held) === owner;
}

function readOwner(held: string): string | undefined {
  try {
    return readFileSync(held, 'utf8');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) !== 'ESRCH';
  }
}

/** Blocks the thread: a command does one thing and exits. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
