import { readlinkSync } from 'node:fs';

/**
 * Identifies the process namespace that we are in; '0' where there are none. A pid means nothing in another one: a process
 * that runs there looks dead from here, although both may share /tmp.
 */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
