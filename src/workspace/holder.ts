import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { readPlainTextSync } from '../exec/files/plain-file.js';
import { isSameProcessAlive, readCommandLine, readProcess } from '../exec/process/table.js';
import { redactText } from '../exec/redact.js';

/** A process that holds a folder. */
const Holder = z.object({
  pid: z.number(),
  startTime: z.string(),
  host: z.string(),
  boot: z.string(),
  since: z.string(),
  command: z.string(),
  released: z.boolean(),
});
export type Holder = z.infer<typeof Holder>;

/** Describes this process so that others can recognize it. */
export function describeSelf(): Holder {
  return {
    pid: process.pid,
    startTime: readProcess(process.pid)?.startTime ?? '',
    host: hostname(),
    boot: readBootId(),
    since: new Date().toISOString(),
    command: redactText(readCommandLine(process.pid), []).slice(0, 200),
    released: false,
  };
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // macOS has no such file. There, only the start time of the process counts.
    return '';
  }
}

/** Reads who wrote the file; null if it is not ours or incomplete. */
export function readHolder(path: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(readPlainTextSync(path)));
  } catch {
    // Replaced since it was listed, or cut short by a power failure, which no holder survives.
    return null;
  }
}

/** Describes the process for people. */
export function describeHolder({ pid, host, command, since }: Holder): string {
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  return `process ${pid}${elsewhere} (${command}) since ${since}`;
}

/** Whether the process still runs and has not released the folder. */
export function isHeld(holder: Holder): boolean {
  if (holder.released) return false;
  // Pids of another machine or container mean nothing here, so trust what it wrote.
  if (holder.host !== hostname()) return true;
  if (holder.boot !== readBootId()) return false;
  return isSameProcessAlive(holder);
}
