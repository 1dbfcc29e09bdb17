import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '../../exec/error-code.js';
import { listPids, readCommandLine, readProcess } from '../../exec/process/table.js';
import type { ProcessInfo } from '../../exec/process/tree.js';

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
export async function awaitLeftovers(): Promise<ProcessInfo[]> {
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
function nameOthers(): ProcessInfo[] {
  try {
    process.kill(-1, 'SIGSTOP');
  } catch (error) {
    // It has just ended.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
  return listOthers()
    .filter((pid) => !isZombie(pid))
    .map((pid) => ({ pid, command: readCommandLine(pid).slice(0, MAX_COMMAND) || `process ${pid}` }));
}

function listOthers(): number[] {
  // The first process belongs to the sandbox.
  return listPids().filter((pid) => pid !== 1 && pid !== process.pid && pid !== process.ppid);
}

function isZombie(pid: number): boolean {
  return readProcess(pid)?.zombie === true;
}
