import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';
import { describeHolder, describeSelf, type Holder, isHeld, readHolder } from './holder.js';
import type { WorkspaceRoot } from './workspace-root.js';

/** Our hold on a folder; it also ends with our process. */
export interface Lock {
  release(): void;
}

const LOCK_FILE = /^\.lock\.(\d+)$/;

/**
 * Takes the folder for this process, or says who has it.
 *
 * Each hold is a file `.lock.<n>`; the one with the highest number counts. Taking over means to create the next
 * number, which succeeds for one process only, so two that find the same dead holder cannot both win. The highest
 * file is never deleted, only marked as released: numbers never go back, so a slow process that creates an old
 * number sees the higher one and withdraws.
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
    // Somebody may have removed the whole folder meanwhile (`clean`): then there is nothing to give back.
    if (readHolder(path)?.pid !== self.pid) return;
    try {
      const aside = `${path}.${randomUUID()}.tmp`;
      writeFileSync(aside, JSON.stringify({ ...self, released: true }));
      renameSync(aside, path);
    } catch {
      // A full disk must not hide what the run has to say: our end releases the lock as well.
    }
  };
  process.once('exit', release);
  return { release };
}

async function createExclusively(root: WorkspaceRoot, number: number, self: Holder): Promise<boolean> {
  // A link to a finished file: whoever reads the lock never sees half of it.
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

function explainHolder(holder: Holder, path: string): KnownError {
  const hint =
    holder.host === hostname()
      ? 'wait for it or stop it'
      : `wait for it; if it no longer runs there, delete ${path}`;
  return new KnownError(`another run holds this folder: ${describeHolder(holder)}`, {
    hint: `${hint}, or use --output <another dir>`,
  });
}

function lockPath(root: WorkspaceRoot, number: number): string {
  return join(root.path, `.lock.${number}`);
}
