import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/** A process at one moment. `pid` and `startTime` together identify a process; a pid alone is reused. */
export interface ProcessEntry {
  readonly pid: number;
  readonly ppid: number;
  /** Linux: session id. macOS: process group, the nearest thing that ps shows. */
  readonly session: number;
  /** The process group. A signal to a group reaches all of it at once. */
  readonly group: number;
  /** Opaque: compare for equality only (Linux: clock ticks since boot, macOS: the `lstart` text). */
  readonly startTime: string;
  /** It has ended or is about to: it runs nothing and receives no signals, so it counts as gone. */
  readonly zombie: boolean;
  /** Whether a signal stopped it. */
  readonly stopped: boolean;
}

/** An environment variable that children inherit. It finds those that detached from their ancestors. */
export interface ProcessMarker {
  readonly name: string;
  readonly value: string;
}

const PROC = '/proc';

/** Lists every process that we can see. */
export function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux'
    ? listPids().flatMap((pid) => readProcEntry(pid) ?? [])
    : parsePs(runPs(['-axww', '-o', PS_COLUMNS]));
}

/** Reads the process that has this pid now, or null. */
export function readProcess(pid: number): ProcessEntry | null {
  if (process.platform === 'linux') return readProcEntry(pid);
  return parsePs(runPs(['-ww', '-o', PS_COLUMNS, '-p', String(pid)]))[0] ?? null;
}

/** Whether exactly this process, and not a later one with its pid, is still running. */
export function isSameProcessAlive(known: Pick<ProcessEntry, 'pid' | 'startTime'>): boolean {
  const now = readProcess(known.pid);
  return now !== null && !now.zombie && now.startTime === known.startTime;
}

/** Reads the command line of a process, with arguments joined by spaces; empty if it is gone. */
export function readCommandLine(pid: number, proc = PROC): string {
  if (process.platform !== 'linux') return runPs(['-ww', '-o', 'command=', '-p', String(pid)]).trim();
  const line = readProcText(pid, 'cmdline', proc).split('\0').join(' ').trim();
  if (line !== '') return line;
  // During exec there is none yet. Like ps, show the kernel's name then.
  const name = readProcText(pid, 'comm', proc).trim();
  return name === '' ? '' : `[${name}]`;
}

/** Returns those of `pids` whose environment contains the marker. */
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

/** Lists the pipes of a process, in any descriptor or in one of `fds`, by the kernel's names (Linux only). */
export function listPipes(pid: number, fds?: readonly string[]): string[] {
  if (process.platform !== 'linux') return [];
  return readProcLinks(pid, fds).filter((link) => /^(?:socket|pipe):/.test(link));
}

/** Whether a process is certainly older than another, so that it cannot descend from it. */
export function isOlder(entry: ProcessEntry, than: ProcessEntry): boolean {
  return process.platform === 'linux' && Number(entry.startTime) < Number(than.startTime);
}

/** The kernel takes a process apart, which never runs again. The first one of a PID namespace waits for the others then. */
const PF_EXITING = 4;

/** Parses the text of /proc/<pid>/stat; null if it is something else. */
export function parseProcStat(text: string): ProcessEntry | null {
  // The name in parentheses may itself contain spaces and parentheses: the last parenthesis closes it.
  const close = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(close + 2).split(' ');
  const [state, ppid, group, session, , , flags] = fields;
  const isEnding = state === 'Z' || state === 'X' || (Number(flags) & PF_EXITING) !== 0;
  const [threads, , startTime] = fields.slice(17);
  if (close < 0 || Number.isNaN(pid) || session === undefined || startTime === undefined) return null;
  return {
    pid,
    ppid: Number(ppid),
    session: Number(session),
    group: Number(group),
    startTime,
    // If only the first thread of a process has ended, the process looks like a zombie and runs.
    zombie: isEnding && Number(threads) <= 1,
    stopped: state === 'T',
  };
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/** Parses the output of `ps -o pid=,ppid=,pgid=,stat=,lstart=` on macOS. */
export function parsePs(text: string): ProcessEntry[] {
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/gm;
  return [...text.matchAll(line)].map(([, pid, ppid, group, state = '', startTime = '']) => ({
    pid: Number(pid),
    ppid: Number(ppid),
    session: Number(group),
    group: Number(group),
    startTime,
    zombie: state.startsWith('Z'),
    stopped: state.startsWith('T'),
  }));
}

/** Lists the numbers in /proc, also of what has just ended. */
export function listPids(proc = PROC): number[] {
  return readdirSync(proc)
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Larger than any stat file, and reused: one scan of all processes reads hundreds of them. */
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
    // The process ended since it was listed (ENOENT, ESRCH).
    return null;
  }
}

function readProcText(pid: number, file: 'cmdline' | 'comm' | 'environ', proc = PROC): string {
  try {
    return readFileSync(`${proc}/${pid}/${file}`, 'utf8');
  } catch {
    // It ended since it was listed (ENOENT, ESRCH), or belongs to another user (EACCES): nothing to read.
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
        return ''; // Closed since it was listed.
      }
    });
  } catch {
    // As above: it ended, or belongs to another user.
    return [];
  }
}

function runPs(args: readonly string[]): string {
  return spawnSync('ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';
}
