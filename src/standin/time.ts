/** Formats a time as in event records: `2026-11-15T00:17:59.998000000+00:00`. */
export function formatEventTime(date = new Date()): string {
  return `${date.toISOString().slice(0, -1)}000000+00:00`;
}

/** Formats a time as in log lines and the history: `2026-11-15T00:17:59.998000Z`. */
export function formatLogTime(date = new Date()): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** Formats a time as in loop ids and names of event files, to the second: `20261115-001759`. */
export function formatStamp(date = new Date()): string {
  return date.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

/** Formats a duration without leading zero parts: `1h 2m 3s`. */
export function formatElapsed(milliseconds: number): string {
  const total = Math.floor(milliseconds / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  if (hours > 0) return `${hours}h ${minutes}m ${seconds}s`;
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}

/**
 * Shortens a wait for something that may still arrive by RALPH_STANDIN_TIME_SCALE (a factor such as 0.01), to speed up
 * tests. It does not apply to the deadlines of a running backend.
 */
export function scaleWait(milliseconds: number): number {
  const factor = Number(process.env.RALPH_STANDIN_TIME_SCALE ?? '1');
  return Number.isFinite(factor) && factor >= 0 ? milliseconds * factor : milliseconds;
}

/** Resolves after the given time. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Milliseconds since this program started. `performance` would load a module that takes a tenth of a start. */
export function now(): number {
  return process.uptime() * 1000;
}
