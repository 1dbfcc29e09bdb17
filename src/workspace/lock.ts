import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';
import { describeHolder, describeSelf, type Holder, isHeld, readHolder } from './holder.js';
import type { WorkspaceRoot } from './workspace-root.js';

/** A lock on a folder. It also ends with our process. */
export interface Lock {
  release(): void;
}

const LOCK_FILE = /^\.lock\.(\d+)$/;

/**
 * Locks the folder for this process, or throws an error that says who holds it.
 *
 * Each lock is a file `.lock.<n>`; the one with the highest number counts. To take over, a process creates the next
 * number. That succeeds for one process only, so two that find the same dead holder cannot both win. The highest file is
 * never deleted, only marked as released. Numbers never go back, so a slow process that creates an old number sees the
 * higher one and withdraws.
 */
export async function acquireLock(root: WorkspaceRoot): Promise<Lock> {
  const self = describeSelf();
  for (;;) {
    const newest = await findNewest(root);
    const holder = newest === 0 ? null : readHolder(lockPath(root, newest));
    if (holder && isHeld(holder)) throw explainHolder(holder, lockPath(root, newest));
    const mine = newest + 1;
    if (!(await createExclusively(root, mine, self))) continue;
    if ((await findNewest(root)) > mine) {
      await rm(lockPath(root, mine), { force: true });
      continue;
    }
    await removeOlder(root, mine);
    return holdUntilReleased(root, mine, self);
  }
}

/** Whether a file in the root folder belongs to the lock. */
export function isLockFile(name: string): boolean {
  return LOCK_FILE.test(name);
}

function holdUntilReleased(root: WorkspaceRoot, number: number, self: Holder): Lock {
  const release = () => {
    process.removeListener('exit', release);
    const path = lockPath(root, number);
    // If somebody removed the whole folder meanwhile (`clean`), there is nothing to release.
    if (readHolder(path)?.pid !== self.pid) return;
    try {
      const aside = `${path}.${randomUUID()}.tmp`;
      writeFileSync(aside, JSON.stringify({ ...self, released: true }));
      renameSync(aside, path);
    } catch {
      // A full disk must not hide the result of the run. The end of our process releases the lock, too.
    }
  };
  process.once('exit', release);
  return { release };
}

async function createExclusively(root: WorkspaceRoot, number: number, self: Holder): Promise<boolean> {
  // Link to a finished file, so that nobody ever reads half of a lock.
  const aside = join(root.path, `.lock.${randomUUID()}.tmp`);
  await writeFile(aside, JSON.stringify(self));
  try {
    await link(aside, lockPath(root, number));
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function findNewest(root: WorkspaceRoot): Promise<number> {
  return Math.max(0, ...(await listNumbers(root)));
}

async function removeOlder(root: WorkspaceRoot, number: number): Promise<void> {
  for (const old of await listNumbers(root)) if (old < number) await rm(lockPath(root, old), { force: true });
}

async function listNumbers(root: WorkspaceRoot): Promise<number[]> {
  const names = await readdir(root.path);
  return names.flatMap((name) => LOCK_FILE.exec(name)?.[1] ?? []).map(Number);
}

/** The error for a folder that another process holds. */
export class FolderInUse extends KnownError {}

function explainHolder(holder: Holder, path: string): FolderInUse {
  const hint =
    holder.host === hostname()
      ? 'Wait until it ends, stop it'
      : `Wait until it ends, delete ${path} if it is no longer running there`;
  return new FolderInUse(`Another run is using this folder: ${describeHolder(holder)}.`, {
    hint: `${hint}, or choose another folder with --output <dir>.`,
  });
}

function lockPath(root: WorkspaceRoot, number: number): string {
  return join(root.path, `.lock.${number}`);
}
