import { readFileSync } from 'node:fs';
import { CommandError, orElse, readErrorCode, toFailure } from '../failure.js';
import type { Log } from '../log.js';
import { ellipsize } from '../text.js';
import { formatLogTime, sleep } from '../time.js';
import { type Files, readTextFile, writeTextFile } from './files.js';

const POLL_MS = 50;

interface Owner {
  readonly pid: number;
  readonly prompt: string;
}

/**
 * Locks the workspace for one loop. The real lock on this file is the kernel's and dies with its owner; here the lock
 * is valid as long as the process that the file names is alive.
 */
export async function acquireLoopLock(
  files: Files,
  prompt: string,
  options: { readonly exclusive: boolean; readonly parallel: boolean; readonly log: Log },
): Promise<void> {
  for (let owner = findOwner(files), waited = false; owner !== undefined; owner = findOwner(files)) {
    if (!options.exclusive) throw refuse(owner, options.parallel);
    if (!waited)
      options.log.info('ralph', `Loop lock held by PID ${owner.pid}, waiting for lock (--exclusive mode)...`);
    waited = true;
    await sleep(POLL_MS);
  }
  const claim = { pid: process.pid, started: formatLogTime(), prompt: ellipsize(prompt, 100) };
  try {
    writeTextFile(files.lock, JSON.stringify(claim, null, 2));
  } catch (error) {
    const failure = toFailure(error);
    if (failure === undefined) throw error;
    throw new CommandError('Failed to acquire loop lock', `IO error: ${failure.message}`, failure.message);
  }
}

function refuse(owner: Owner, parallel: boolean): CommandError {
  const who = `PID ${owner.pid}, prompt: "${[...owner.prompt].slice(0, 50).join('')}"`;
  return new CommandError(
    parallel
      ? `Another loop is already running (${who}). The stand-in ralph runs one loop per workspace, without worktrees. Use --exclusive to wait for the lock, or a real ralph.`
      : `Another loop is already running (${who}). Parallel loops are disabled in config (features.parallel: false). Use --exclusive to wait for the lock, or enable parallel loops.`,
  );
}

function findOwner(files: Files): Owner | undefined {
  const owner = parseOwner(orElse(() => readTextFile(files.lock), undefined));
  return owner !== undefined && owner.pid !== process.pid && isRalph(owner.pid) ? owner : undefined;
}

function parseOwner(text: string | undefined): Owner | undefined {
  const pid = /"pid": ?(\d+)/.exec(text ?? '')?.[1];
  if (text === undefined || pid === undefined) return undefined;
  const prompt = /"prompt": ?("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return { pid: Number(pid), prompt: prompt === undefined ? '' : String(JSON.parse(prompt)) };
}

/** The system reuses process ids, so a living process with this id may be another program. */
function isRalph(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (readErrorCode(error) === 'ESRCH') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('ralph');
  } catch {
    // Where processes cannot be inspected, assume that it is.
    return process.platform !== 'linux';
  }
}
