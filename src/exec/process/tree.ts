import { redactText } from '../redact.js';
import {
  findMarked,
  isOlder,
  isSameProcessAlive,
  listPipes,
  listProcesses,
  type ProcessEntry,
  type ProcessMarker,
  readCommandLine,
  readProcess,
} from './table.js';

/** A process as reports describe it. */
export interface ProcessInfo {
  readonly pid: number;
  /** The command line, without credentials and limited in length. */
  readonly command: string;
}

const MAX_COMMAND = 500;

/**
 * Everything that descends from one process, even if it tries to hide. A child that outlives its parent is adopted by
 * init, so members are remembered from scan to scan. They are also found by the session that one of them leads, by the
 * marker in their environment, and by the output pipes of the first process, which only its descendants hold.
 */
export class ProcessTree {
  readonly #marker: ProcessMarker;
  readonly #secrets: readonly string[];
  readonly #members = new Map<number, ProcessEntry>();
  /** Sessions that a member leads. The kernel does not reuse such a number while the session has a process. */
  readonly #sessions = new Set<number>();
  /** Null if it ended before we could look. Then only the marker finds what it left. */
  readonly #root: ProcessEntry | null;
  readonly #pipes: ReadonlySet<string>;

  constructor(rootPid: number, marker: ProcessMarker, secrets: readonly string[] = []) {
    this.#marker = marker;
    this.#secrets = secrets;
    const root = readProcess(rootPid);
    this.#root = root?.ppid === process.pid ? root : null;
    this.#pipes = listOwnPipes(this.#root);
    if (this.#root !== null) this.#add(this.#root);
  }

  /** Finds members in a list of all processes. This is cheap: one list serves many trees. */
  learn(processes: readonly ProcessEntry[]): ProcessEntry[] {
    this.#adoptFrom(processes.filter((entry) => this.#mayBelong(entry)));
    return [...this.#members.values()];
  }

  /** Finds the members that run now, except ourselves. Also looks into every other process. */
  scan(): ProcessEntry[] {
    const table = listProcesses().filter((entry) => this.#mayBelong(entry));
    this.#adoptFrom(table);
    const strangers = table.filter(({ pid }) => !this.#members.has(pid)).map(({ pid }) => pid);
    const marked = findMarked(strangers, this.#marker);
    const holdsPipe = (pid: number) => listPipes(pid).some((pipe) => this.#pipes.has(pipe));
    const found = new Set(strangers.filter((pid) => marked.has(pid) || holdsPipe(pid)));
    for (const entry of table) if (found.has(entry.pid)) this.#add(entry);
    if (found.size > 0) this.#adopt(table);
    return [...this.#members.values()];
  }

  /** Sends a signal to a member, but only if its pid still belongs to it. */
  signal(member: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL'): void {
    if (member.pid <= 1 || member.pid === process.pid || !isSameProcessAlive(member)) return;
    try {
      process.kill(member.pid, signal);
    } catch {
      // It ended between the check and the signal (ESRCH), or runs as another user (EPERM): the next scan shows it.
    }
  }

  /** Describes a member for reports. Call it while the member runs. */
  describe(member: ProcessEntry): ProcessInfo {
    const command = redactText(readCommandLine(member.pid), this.#secrets);
    return {
      pid: member.pid,
      command: command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command,
    };
  }

  #adoptFrom(table: readonly ProcessEntry[]): void {
    this.#forgetTheDead(table);
    this.#adopt(table);
  }

  #forgetTheDead(table: readonly ProcessEntry[]): void {
    const now = new Map(table.map((entry) => [entry.pid, entry]));
    for (const [pid, known] of this.#members) {
      if (now.get(pid)?.startTime !== known.startTime) this.#members.delete(pid);
    }
    const inUse = new Set(table.map(({ session }) => session));
    for (const session of this.#sessions) if (!inUse.has(session)) this.#sessions.delete(session);
  }

  /** Adds children of members, and processes of their sessions, until nothing new turns up. */
  #adopt(table: readonly ProcessEntry[]): void {
    for (let grown = true; grown; ) {
      grown = false;
      for (const entry of table) {
        if (this.#members.has(entry.pid) || !this.#belongs(entry)) continue;
        this.#add(entry);
        grown = true;
      }
    }
  }

  #mayBelong(entry: ProcessEntry): boolean {
    if (entry.zombie || entry.pid <= 1 || entry.pid === process.pid) return false;
    return this.#root === null || !isOlder(entry, this.#root);
  }

  #belongs({ pid, ppid, session, startTime }: ProcessEntry): boolean {
    if (pid === this.#root?.pid) return startTime === this.#root.startTime;
    return this.#members.has(ppid) || this.#sessions.has(session);
  }

  #add(entry: ProcessEntry): void {
    this.#members.set(entry.pid, entry);
    if (entry.session === entry.pid) this.#sessions.add(entry.pid);
  }
}

/** Lists the pipes that were made for our child. A pipe that we hold ourselves is shared with other processes. */
function listOwnPipes(child: ProcessEntry | null): Set<string> {
  if (child === null) return new Set();
  const shared = new Set(listPipes(process.pid));
  return new Set(listPipes(child.pid, ['1', '2']).filter((pipe) => !shared.has(pipe)));
}
