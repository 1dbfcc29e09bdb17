import type { Ora } from 'ora';
import { oneLine } from './safe-text.js';

/** Shows what runs at the moment on the last line of a TTY. */
export interface Spinner {
  readonly add: (label: string) => void;
  readonly remove: (label: string) => void;
  /** Clears the line so that somebody can write, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => void;
}

/** Makes a spinner. ora is loaded in the background: until it is there nothing spins, and nothing waits for it. */
export function createSpinner(
  stream: NodeJS.WritableStream & { readonly columns?: number },
  { now, color }: { readonly now: () => number; readonly color: boolean },
): Spinner {
  const running = new Map<string, number>();
  let ora: Ora | null = null;
  let stopped = false;

  const describe = (): string => {
    const [[label, since] = ['', now()]] = running;
    const others = running.size > 1 ? ` and ${running.size - 1} more` : '';
    const text = `${oneLine(label, 60)} (${Math.floor((now() - since) / 1000)}s)${others}`;
    return oneLine(text, Math.max(10, (stream.columns ?? 80) - 4));
  };
  const resume = (): void => {
    if (stopped || ora === null || running.size === 0) return;
    if (!ora.isSpinning) ora.start();
  };
  const pause = (): void => {
    if (ora?.isSpinning) ora.stop();
  };

  import('ora').then(
    ({ default: createOra }) => {
      // The cursor stays and stdin is left alone: hiding and discarding hook into process signals.
      ora = createOra({
        stream,
        isEnabled: true,
        hideCursor: false,
        discardStdin: false,
        color: color ? 'cyan' : false,
        suffixText: describe,
      });
      resume();
    },
    () => {
      // Without ora the run goes on as it does on a stream that is no TTY: plain lines.
    },
  );

  return {
    add: (label) => {
      running.set(label, now());
      resume();
    },
    remove: (label) => {
      running.delete(label);
      if (running.size === 0) pause();
    },
    pause,
    resume,
    stop: () => {
      stopped = true;
      pause();
    },
  };
}
