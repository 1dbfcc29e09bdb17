import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { hasErrorCode } from './error-code.js';

/** Keeps Node from opening its debugger on a signal that any program of this user may send. */
export function refuseDebugger(): void {
  process.on('SIGUSR1', () => {});
}

const O_CLOEXEC = 0o2000000;

/**
 * Closes what the programs that we start would inherit from our caller, such as the lock of a script (`exec 200>lock`): a
 * folder that is open leads out of every sandbox. Node lets programs inherit nothing of its own, and nothing up to the
 * first gap in the numbers after 15. What the command line names (`<(…)` of a shell) stays.
 */
export function closeInherited(argv: readonly string[]): void {
  if (process.platform !== 'linux') return;
  const named = new Set(argv.join(' ').match(/(?<=\/fd\/)\d+/g));
  for (const name of readdirSync('/proc/self/fd')) {
    if (Number(name) <= 2 || named.has(name)) continue;
    try {
      const [, flags = ''] =
        /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1')) ?? [];
      if ((Number.parseInt(flags, 8) & O_CLOEXEC) === 0) closeSync(Number(name));
    } catch (error) {
      // It was the one by which we read the list.
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    }
  }
}
