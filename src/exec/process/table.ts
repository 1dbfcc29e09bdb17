import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/** One process at one moment. `pid` and `startTime` together name a process for good; a pid alone is re-used. */
export interface ProcessEntry {
  readonly pid: number;
  readonly ppid: number;
  /** Linux: session id. macOS: process group, the nearest thing that ps shows. */
  readonly session: number;
  /** Opaque: compare for equality only (Linux: clock ticks since boot, macOS: the `lstart` text). */
  readonly startTime: string;
  /** A zombie holds nothing and cannot be signalled: it counts as gone. */
  readonly zombie: boolean;
}

/** A variable in the environment of a process that its children inherit: it finds those that cut their ancestry. */
export interface ProcessMarker {
  readonly name: string;
  readonly value: string;
}

/** Every process that we may see. */
export function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? listFromProc() : parsePs(runPs(['-axww', '-o', PS_COLUMNS]));
}

/** The process that has this pid now, or null. */
export function readProcess(pid: number): ProcessEntry | null {
  if (process.platform === 'linux') return readProcEntry(pid);
  return parsePs(runPs(['-ww', '-o', PS_COLUMNS, '-p', String(pid)]))[0] ?? null;
}

/** Whether this very process (not a later one with its pid) is still running. */
export function isSameProcessAlive(known: Pick<ProcessEntry, 'pid' | 'startTime'>): boolean {
  const now = readProcess(known.pid);
  return now !== null && !now.zombie && now.startTime === known.startTime;
}

/** The command line of a process, arguments joined by blanks; '' when it is gone. */
export function readCommandLine(pid: number): string {
  if (process.platform !== 'linux') return runPs(['-ww', '-o', 'command=', '-p', String(pid)]).trim();
  return readProcText(pid, 'cmdline').split('\0').join(' ').trim();
}

/** The pids among `pids` whose environment holds the marker. */
export function findMarked(pids: readonly number[], marker: ProcessMarker): Set<number> {
  const pair = `${marker.name}=${marker.value}`;
  if (process.platform === 'linux') {
    return new Set(pids.filter((pid) => `\0${readProcText(pid, 'environ')}\0`.includes(`\0${pair}\0`)));
  }
  if (pids.length === 0) return new Set();
  const wanted = new Set(pids);
  // `-E` appends the environment to the command, for processes of the same user.
  const lines = runPs(['-axEww', '-o', 'pid=,command=']).split('\n');
  const marked = lines
    .filter((line) => `${line} `.includes(` ${pair} `))
    .map((line) => Number.parseInt(line, 10));
  return new Set(marked.filter((pid) => wanted.has(pid)));
}

/** The pipes that a process holds, as any descriptor or as one of `fds`, by the kernel's names (Linux only). */
export function listPipes(pid: number, fds?: readonly string[]): string[] {
  if (process.platform !== 'linux') return [];
  return readProcLinks(pid, fds).filter((link) => /^(?:socket|pipe):/.test(link));
}

/** Whether a process is surely older than another, so that it cannot descend from it. */
export function isOlder(entry: ProcessEntry, than: ProcessEntry): boolean {
  return process.platform === 'linux' && Number(entry.startTime) < Number(than.startTime);
}

/** Reads the text of /proc/<pid>/stat; null when it is not one. */
export function parseProcStat(text: string): ProcessEntry | null {
  // The name in parentheses may itself hold blanks and parentheses: the last one closes it.
  const close = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(close + 2).split(' ');
  const [state, ppid, , session] = fields;
  const startTime = fields[19];
  if (close < 0 || Number.isNaN(pid) || session === undefined || startTime === undefined) return null;
  return {
    pid,
    ppid: Number(ppid),
    session: Number(session),
    startTime,
    zombie: state === 'Z' || state === 'X',
  };
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/** Reads what macOS `ps -o pid=,ppid=,pgid=,stat=,lstart=` prints. */
export function parsePs(text: string): ProcessEntry[] {
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/gm;
  return [...text.matchAll(line)].map(([, pid, ppid, group, state = '', startTime = '']) => ({
    pid: Number(pid),
    ppid: Number(ppid),
    session: Number(group),
    startTime,
    zombie: state.startsWith('Z'),
  }));
}

function listFromProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const entry = Number.isNaN(pid) ? null : readProcEntry(pid);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Larger than any line of a stat file, and re-used: a look at all processes reads hundreds of them. */
const STAT = Buffer.alloc(4096);

function readProcEntry(pid: number): ProcessEntry | null {
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return parseProcStat(STAT.toString('latin1', 0, readSync(file, STAT, 0, STAT.length, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    // Gone since the listing (ENOENT, ESRCH).
    return null;
  }
}

function readProcText(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // Gone since the listing (ENOENT, ESRCH), or somebody else's environment (EACCES): nothing to read either way.
    return '';
  }
}

function readProcLinks(pid: number, fds?: readonly string[]): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return (fds ?? readdirSync(folder)).map((fd) => {
      try {
        return readlinkSync(`${folder}/${fd}`);
      } catch {
        return ''; // Closed since the listing.
      }
    });
  } catch {
    // As above: gone, or somebody else's.
    return [];
  }
}

function runPs(args: readonly string[]): string {
  return spawnSync('ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';
}
