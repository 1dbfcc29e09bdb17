/**
 * The id of a new memory or task. The real one ends it with its microseconds modulo 65536, which come round every 65 ms:
 * about the time from one call of ours to the next, so that two would get the same. Processes of one second have
 * different numbers.
 */
export function makeId(kind: 'mem' | 'task', now = Date.now()): string {
  return `${kind}-${Math.floor(now / 1000)}-${(process.pid % 65_536).toString(16).padStart(4, '0')}`;
}
