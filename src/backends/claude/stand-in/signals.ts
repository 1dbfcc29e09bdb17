/**
 * Ends the program on signals as the real one ends: without a result, and with 0 after an interruption. Returns a
 * function that ends this.
 */
export function endOnSignals(stopTools: () => void): () => void {
  for (const [signal, exitCode] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      stopTools();
      process.exit(exitCode);
    });
  }
  return letSignalsKill;
}

/** Lets signals end the process at once, for scripts in which it crashes. */
export function letSignalsKill(): void {
  for (const signal of Object.keys(EXIT_CODES)) process.removeAllListeners(signal);
}

const EXIT_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 };
