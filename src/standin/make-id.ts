/**
 * Makes the id of a new memory or task. The real Ralph ends it with the microseconds modulo 65536, which repeat every
 * 65 ms: about the time between two of our calls, so that two ids could be equal. The process id is unique within a
 * second.
 */
export function makeId(kind: 'mem' | 'task', now = Date.now()): string {
  return `${kind}-${Math.floor(now / 1000)}-${(process.pid % 65_536).toString(16).padStart(4, '0')}`;
}
