import type { Ora } from 'ora';
import { oneLine } from '../text/safe-text.js';

/** Shows what runs at the moment on the last line of a TTY. */
export interface Spinner {
  /** Spins if something runs and rests if nothing does. */
  readonly update: () => void;
  /** Clears the line so that somebody can write, until `update`. */
  readonly pause: () => void;
  readonly stop: () => void;
}

interface SpinnerOptions {
  readonly color: boolean;
  readonly isBusy: () => boolean;
  readonly describe: () => string;
}

/** Makes a spinner. ora is loaded in the background: until it is there nothing spins, and nothing waits for it. */
export function createSpinner(
  stream: NodeJS.WritableStream & { readonly columns?: number },
  { color, isBusy, describe }: SpinnerOptions,
): Spinner {
  let ora: Ora | null = null;
  let stopped = false;

  const pause = (): void => {
    if (ora?.isSpinning) ora.stop();
  };
  const update = (): void => {
    if (stopped || ora === null) return;
    if (!isBusy()) pause();
    else if (!ora.isSpinning) ora.start();
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
        suffixText: () => oneLine(describe(), Math.max(10, (stream.columns ?? 80) - 4)),
      });
      update();
    },
    () => {
      // Without ora the run goes on as it does on a stream that is no TTY: plain lines.
    },
  );

  return {
    update,
    pause,
    stop: () => {
      stopped = true;
      pause();
    },
  };
}
