import { setMaxListeners } from 'node:events';
import { EXIT } from './exit-codes.js';
import { exitNow } from './exit-guard.js';

export interface Interrupt {
  readonly signal: AbortSignal;
  stop(): void;
}

/**
 * Listens for Ctrl-C, TERM and a closed terminal. The first signal ends the run in order: processes, journal, reports.
 * The second one ends the program immediately and kills what still runs.
 */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  // Every running process adds a listener, and Node warns about a leak when there are more than ten.
  setMaxListeners(0, controller.signal);
  const onSignal = (): void => {
    if (controller.signal.aborted) exitNow(EXIT.interrupted);
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
