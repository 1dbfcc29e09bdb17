import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { readPlainTextSync } from '../exec/files/plain-file.js';
import { readCommandLine, readProcess } from '../exec/process/table.js';
import { redactText } from '../exec/redact.js';

/** A process that has hold of a folder. */
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

/** This process, as others can find it. */
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
    // macOS has no such file; the start time of the process decides alone.
    return '';
  }
}

/** Who wrote the file, if it is one of ours and whole. */
export function readHolder(path: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(readPlainTextSync(path)));
  } catch {
    // Taken over since the listing, or cut short by a power failure, which no holder survives.
    return null;
  }
}

/** Who it is, in words. */
export function describeHolder({ pid, host, command, since }: Holder): string {
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  return `process ${pid}${elsewhere} (${command}) since ${since}`;
}

/** Whether the process that wrote it still runs and has not given it back. */
export function isHeld(holder: Holder): boolean {
  if (holder.released) return false;
  // Pids of another machine or container mean nothing here, so its word has to count.
  if (holder.host !== hostname()) return true;
  if (holder.boot !== readBootId()) return false;
  const now = readProcess(holder.pid);
  return now !== null && !now.zombie && now.startTime === holder.startTime;
}
