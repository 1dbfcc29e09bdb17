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

/** What a report says about a process. */
export interface ProcessInfo {
  readonly pid: number;
  /** Command line, scrubbed of credentials and capped. */
  readonly command: string;
}

const MAX_COMMAND = 500;

/**
 * Everything that descends from one process, whatever it did to hide: a child that outlives its parent is adopted
 * by init, so members are remembered from scan to scan, and found again by the session that one of them leads, by
 * the marker in their environment, and by the output pipes of the first process, which only its descendants hold.
 */
export class ProcessTree {
  readonly #marker: ProcessMarker;
  readonly #secrets: readonly string[];
  readonly #members = new Map<number, ProcessEntry>();
  /** Sessions that a member leads. The kernel does not re-use such a number while the session has a process. */
  readonly #sessions = new Set<number>();
  /** Null when it had ended before we could look: then the marker alone finds what it left. */
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

  /** The members by what a list of all processes tells. Cheap: one list serves many trees. */
  learn(processes: readonly ProcessEntry[]): ProcessEntry[] {
    this.#adoptFrom(processes.filter((entry) => this.#mayBelong(entry)));
    return [...this.#members.values()];
  }

  /** The members that run now, ourselves never among them; this looks into every other process too. */
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

  /** Sends a signal to one member if, and only if, its pid still belongs to it. */
  signal(member: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL'): void {
    if (member.pid <= 1 || member.pid === process.pid || !isSameProcessAlive(member)) return;
    try {
      process.kill(member.pid, signal);
    } catch {
      // It ended between the check and the signal (ESRCH), or runs as another user (EPERM): the next scan tells.
    }
  }

  /** What to say about a member; call it while the member lives. */
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

  /** Adds children of members and members' sessions until nothing new turns up. */
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

/** The pipes that were made for our child; one that we hold ourselves is shared with the rest of the world. */
function listOwnPipes(child: ProcessEntry | null): Set<string> {
  if (child === null) return new Set();
  const shared = new Set(listPipes(process.pid));
  return new Set(listPipes(child.pid, ['1', '2']).filter((pipe) => !shared.has(pipe)));
}
