import type { Ora } from 'ora';

/** Shows what is running on the last line of a TTY. */
export interface Spinner {
  /** Spins while something runs, and stops otherwise. */
  readonly update: () => void;
  /** Clears the line for other output, until `update`. */
  readonly pause: () => void;
  readonly stop: () => void;
}

interface SpinnerOptions {
  readonly color: boolean;
  readonly isBusy: () => boolean;
  readonly describe: (columns: number, bar: boolean) => string;
}

/** Creates a spinner. Loads ora in the background; until then nothing spins, and nothing waits for it. */
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
      // Keep the cursor and leave stdin alone: hiding and discarding hook into process signals.
      ora = createOra({
        stream,
        isEnabled: true,
        hideCursor: false,
        discardStdin: false,
        color: color ? 'cyan' : false,
        // ora needs four columns for its own sign and the spaces around it.
        suffixText: () => describe(Math.max(20, (stream.columns ?? 80) - 4), true),
      });
      update();
    },
    () => {
      // Without ora the run prints plain lines, as on a stream that is not a TTY.
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
