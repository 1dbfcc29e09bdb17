const GRACE_MS = 250;

/**
 * The real one answers SIGINT, SIGTERM and SIGHUP by signalling its own process group: after a quarter of a second it
 * has killed itself, without a word in any file, and its backend, in a group of its own, lives on.
 */
export function dieOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Blocks, so that the loop does nothing more.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE_MS);
      process.kill(process.pid, 'SIGKILL');
    });
  }
}

/** Ends at once and without any record, as a Rust program does. */
export function panic(message: string): never {
  process.stderr.write(`\nthread 'main' panicked:\n${message}\n`);
  process.exit(101);
}
