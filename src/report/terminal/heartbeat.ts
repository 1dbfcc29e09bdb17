/** How long a log may stay silent while something runs. */
const SILENCE_MS = 60_000;

/** Tells a log, which cannot show a spinner, that a long test still runs. */
export interface Heartbeat {
  /** Begins to beat if something runs and rests if nothing does; what was written meanwhile counts as a beat. */
  readonly update: () => void;
  readonly stop: () => void;
}

/** Makes a heartbeat. Its timer keeps no process alive. */
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
