import type { Log } from './log.js';

const GRACE_MS = 250;

/**
 * Imitates the real Ralph, which reacts to SIGINT, SIGTERM and SIGHUP by signaling its own process group: after a
 * quarter of a second it has killed itself without writing any file, and its backend, in its own group, keeps running.
 */
export function dieOnSignals(log: Log): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      if (signal === 'SIGHUP')
        log.warn('ralph::loop_runner', 'SIGHUP received (terminal closed), terminating immediately...');
      // Block, so that the loop does nothing more.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE_MS);
      process.kill(process.pid, 'SIGKILL');
    });
  }
}

/** Exits at once and without any record, as a panicking Rust program does. */
export function panic(message: string): never {
  process.stderr.write(`\nthread 'main' panicked:\n${message}\n`);
  process.exit(101);
}
