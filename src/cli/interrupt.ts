import { setMaxListeners } from 'node:events';
import { EXIT } from './exit-codes.js';
import { exitNow } from './exit-guard.js';

export interface Interrupt {
  readonly signal: AbortSignal;
  stop(): void;
}

/**
 * The first Ctrl-C (or TERM, or a closed terminal) ends the run in order: processes, journal, reports. The second one
 * ends us at once; what still runs is killed on the way out.
 */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  // Every process under way listens; from the eleventh on Node would print a warning about a leak.
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
