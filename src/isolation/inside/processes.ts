import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface Leftover {
  readonly pid: number;
  readonly command: string;
}

const SETTLE_MS = 300;
const STEP_MS = 20;

/**
 * Lists what still runs inside after the program has ended, and after a moment for its children to end by themselves. The
 * end of the sandbox ends them all, so nobody outside would ever see them.
 */
export async function awaitLeftovers(): Promise<Leftover[]> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const left = listOthers();
    if (left.length === 0 || performance.now() > until) return left;
    await sleep(STEP_MS);
  }
}

function listOthers(): Leftover[] {
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      // The first process belongs to the sandbox.
      .filter((pid) => pid !== 1 && pid !== process.pid && pid !== process.ppid)
      .flatMap((pid) => {
        const command = readCommand(pid);
        return command === '' ? [] : [{ pid, command: command.slice(0, 500) }];
      })
  );
}

/** Reads a command line; empty for a zombie or a process that is gone. */
function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return '';
  }
}
