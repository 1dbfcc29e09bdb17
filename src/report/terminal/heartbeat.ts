/** How long a log can stay silent while something runs. */
const SILENCE_MS = 60_000;

/** Reports in a log, which cannot show a spinner, that a long test is still running. */
export interface Heartbeat {
  /** Beats while something runs and pauses otherwise; other output counts as a beat. */
  readonly update: () => void;
  readonly stop: () => void;
}

/** Creates a heartbeat. Its timer does not keep the process alive. */
export function createHeartbeat(isBusy: () => boolean, beat: () => void): Heartbeat {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    update: () => {
      stop();
      if (isBusy()) timer = setInterval(beat, SILENCE_MS).unref();
    },
    stop,
  };
}
