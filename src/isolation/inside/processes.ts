import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '../../exec/error-code.js';

interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/** Reports show less. A credential must not be cut before it is redacted. */
const MAX_COMMAND = 16_384;
const SETTLE_MS = 300;
const STEP_MS = 20;

/** Often at first: most programs leave nothing, or something that is just about to end. */
const FIRST_STEP_MS = 2;

/**
 * Lists what still runs inside after the program has ended, and after a moment for its children to end by themselves. The
 * end of the sandbox ends them all, so nobody outside would ever see them.
 */
export async function awaitLeftovers(): Promise<Leftover[]> {
  const until = performance.now() + SETTLE_MS;
  // What ended since it was listed counts, because it may have started another process; a zombie counts only once.
  const zombies = new Set<number>();
  for (let step = FIRST_STEP_MS; ; step = Math.min(2 * step, STEP_MS)) {
    const others = listOthers().filter((pid) => !zombies.has(pid) || !isZombie(pid));
    if (others.length === 0) return [];
    if (performance.now() > until) return nameOthers();
    for (const pid of others.filter(isZombie)) zombies.add(pid);
    await sleep(step);
  }
}

/** Names what still runs. The kernel stops it in one step, because no chain of forks can be named while it runs. */
function nameOthers(): Leftover[] {
  try {
    process.kill(-1, 'SIGSTOP');
  } catch (error) {
    // It has just ended.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
  return listOthers().flatMap((pid) => {
    const command = read(pid, 'cmdline').split('\0').join(' ').trim() || read(pid, 'comm').trim();
    return isZombie(pid) ? [] : [{ pid, command: command.slice(0, MAX_COMMAND) || `process ${pid}` }];
  });
}

function listOthers(): number[] {
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      // The first process belongs to the sandbox.
      .filter((pid) => pid !== 1 && pid !== process.pid && pid !== process.ppid)
  );
}

/** If only the first thread of a process has ended, the process looks like a zombie and runs. */
function isZombie(pid: number): boolean {
  const status = read(pid, 'status');
  return /^State:\tZ/m.test(status) && /^Threads:\t[01]$/m.test(status);
}

function read(pid: number, file: 'cmdline' | 'comm' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It is gone.
    return '';
  }
}
