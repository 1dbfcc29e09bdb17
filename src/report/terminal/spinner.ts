import type { Ora } from 'ora';

interface SpinnerOptions {
  readonly color: boolean;
  readonly isBusy: () => boolean;
  readonly describe: (columns: number, bar: boolean) => string;
}

/**
 * Shows what is running on the last line of a TTY. Loads ora in the background; until then nothing spins, and nothing
 * waits for it.
 */
export function createSpinner(
  stream: NodeJS.WritableStream & { readonly columns?: number },
  { color, isBusy, describe }: SpinnerOptions,
) {
  let ora: Ora | null = null;
  let stopped = false;

  /** Clears the line for other output, until `update`. */
  const pause = (): void => {
    if (ora?.isSpinning) ora.stop();
  };
  /** Spins while something runs, and stops otherwise. */
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
    stop: (): void => {
      stopped = true;
      pause();
    },
  };
}

/** How long a log can stay silent while something runs. */
const SILENCE_MS = 60_000;

/**
 * Reports in a log, which cannot show a spinner, that a long test is still running. Its timer does not keep the process
 * alive.
 */
export function createHeartbeat(isBusy: () => boolean, beat: () => void) {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    /** Beats while something runs and pauses otherwise; other output counts as a beat. */
    update: (): void => {
      stop();
      if (isBusy()) timer = setInterval(beat, SILENCE_MS).unref();
    },
    stop,
  };
}
