/** `2026-11-15T00:17:59.998000000+00:00`, the form of every event record. */
export function formatEventTime(date = new Date()): string {
  return `${date.toISOString().slice(0, -1)}000000+00:00`;
}

/** `2026-11-15T00:17:59.998000Z`, the form of log lines and of the history. */
export function formatLogTime(date = new Date()): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** `20261115-001759`: loop ids and names of event files have one second of resolution. */
export function formatStamp(date = new Date()): string {
  return date.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

/** `1h 2m 3s`, leaving out leading zero parts. */
export function formatElapsed(milliseconds: number): string {
  const total = Math.floor(milliseconds / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  if (hours > 0) return `${hours}h ${minutes}m ${seconds}s`;
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}

/**
 * Shortens a wait for something that may still arrive by RALPH_STANDIN_TIME_SCALE (a factor such as 0.01), so that
 * tests need not sit through it. Deadlines of a running backend are not waits of this kind.
 */
export function scaleWait(milliseconds: number): number {
  const factor = Number(process.env.RALPH_STANDIN_TIME_SCALE ?? '1');
  return Number.isFinite(factor) && factor >= 0 ? milliseconds * factor : milliseconds;
}

/** Resolves after the given time. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
