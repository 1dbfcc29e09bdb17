import { setMaxListeners } from 'node:events';
import { EXIT, exitNow } from './exit-codes.js';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Runs work that the first Ctrl-C skips: the work's own signal is aborted, and the run goes on. */
  skippable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  stop(): void;
}

/** What people are told about an interrupt. */
export interface InterruptWords {
  /** Called at once on the first signal that ends the run. */
  readonly onInterrupt?: () => void;
  /** Called at once if nobody reads the output any more. Without it, a closed stdout changes nothing. */
  readonly onClosed?: () => void;
  /** Called before a second signal ends the program without a report. */
  readonly onQuit?: () => void;
}

/**
 * Listens for Ctrl-C, TERM and a closed terminal, and for a closed stdout (`| head`). The first of these ends the run in
 * order: processes, journal, reports. A second signal ends the program immediately and kills what still runs.
 */
export function listenForInterrupt({ onInterrupt, onClosed, onQuit }: InterruptWords = {}): Interrupt {
  const controller = new AbortController();
  // Every running process adds a listener, and Node warns about a leak when there are more than ten.
  setMaxListeners(0, controller.signal);
  let inner: AbortController | null = null;
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      onQuit?.();
      exitNow(EXIT.interrupted);
    }
    // TERM and a closed terminal mean the whole run.
    if (name === 'SIGINT' && inner !== null && !inner.signal.aborted) inner.abort();
    else {
      controller.abort();
      onInterrupt?.();
    }
  };
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' || controller.signal.aborted) return;
    controller.abort();
    onClosed?.();
  };
  if (onClosed !== undefined) process.stdout.on('error', onError);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    async skippable(work) {
      inner = new AbortController();
      try {
        return await work(AbortSignal.any([controller.signal, inner.signal]));
      } finally {
        inner = null;
      }
    },
    stop() {
      for (const name of signals) process.off(name, onSignal);
      process.stdout.off('error', onError);
    },
  };
}

/** Waits until the user ends the program. */
export function untilInterrupted({ signal }: Interrupt): Promise<void> {
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
