import { hasErrorCode } from '../error-code.js';
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

/** The signals with which trees are stopped, continued and ended. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

const MAX_COMMAND = 500;
/** What forks faster than we can look is stopped with its group, or not at all. */
const STOP_ROUNDS = 10;

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
  /** Whether the first process is our own keeper: it leads to the others, and is neither listed nor signalled. */
  readonly #keeper: boolean;

  constructor(
    rootPid: number,
    marker: ProcessMarker,
    {
      secrets = [],
      keeper = false,
    }: { readonly secrets?: readonly string[]; readonly keeper?: boolean } = {},
  ) {
    this.#marker = marker;
    this.#secrets = secrets;
    this.#keeper = keeper;
    const root = readProcess(rootPid);
    this.#root = root?.ppid === process.pid ? root : null;
    this.#pipes = listOwnPipes(this.#root);
    if (this.#root !== null) this.#add(this.#root);
  }

  /** Finds members in a list of all processes. This is cheap: one list serves many trees. */
  learn(processes: readonly ProcessEntry[]): ProcessEntry[] {
    this.#adoptFrom(processes.filter((entry) => this.#mayBelong(entry)));
    return this.#list();
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
    return this.#list();
  }

  /** Whether no member runs. Between two links of a chain of forks none may be seen, but their session still lives. */
  isGone(): boolean {
    return this.scan().length === 0 && this.#sessions.size === 0;
  }

  /** Sends a signal to a member, but only if its pid still belongs to it. */
  signal(member: ProcessEntry, signal: TreeSignal): void {
    if (member.pid === process.pid || !isSameProcessAlive(member)) return;
    sendSignal(member.pid, signal);
  }

  /**
   * Stops every member, so that none can fork or react to the end of another. Repeats it until it finds nobody new: a
   * stopped process has no more children.
   */
  stop(): void {
    const stopped = new Set<string>();
    let members = this.scan();
    for (let round = 0; round < STOP_ROUNDS; round += 1) {
      const fresh = members.filter((member) => !stopped.has(nameOf(member)));
      if (fresh.length === 0 && round > 0) return;
      for (const member of fresh) stopped.add(nameOf(member));
      this.signalAll(fresh, 'SIGSTOP');
      members = this.learn(listProcesses());
    }
  }

  /** Kills every member. Stop them first. */
  kill(): void {
    this.signalAll(this.scan(), 'SIGKILL');
  }

  /**
   * Sends a signal to members and to the groups of their sessions. A group gets it at once, also what a member has just
   * forked: in a chain of forks, the pid that we saw is gone before a signal to it arrives.
   */
  signalAll(members: readonly ProcessEntry[], signal: TreeSignal): void {
    const own = members.filter(({ session }) => this.#sessions.has(session));
    const groups = new Set([...this.#sessions, ...own.map(({ group }) => group)]);
    for (const group of groups) sendSignal(-group, signal);
    for (const member of members) if (!own.includes(member)) this.signal(member, signal);
  }

  /** Describes a member for reports. Call it while the member runs. */
  describe(member: ProcessEntry): ProcessInfo {
    return {
      pid: member.pid,
      command: shortenCommand(redactText(readCommandLine(member.pid), this.#secrets)),
    };
  }

  #list(): ProcessEntry[] {
    return [...this.#members.values()].filter(({ pid }) => !this.#keeper || pid !== this.#root?.pid);
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
    for (const session of this.#sessions)
      if (!inUse.has(session) && !isSessionAlive(session)) this.#sessions.delete(session);
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
    const isKeeper = this.#keeper && entry.pid === this.#root?.pid;
    if (entry.session === entry.pid && !isKeeper) this.#sessions.add(entry.pid);
  }
}

/** Shortens a command line for reports. */
export function shortenCommand(command: string): string {
  return command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command;
}

/** Identifies a process for as long as the machine runs. */
function nameOf({ pid, startTime }: ProcessEntry): string {
  return `${pid}@${startTime}`;
}

/** Sends a signal to a process or, with a negative number, to a group; never to init, or to everybody (-1). */
export function sendSignal(target: number, signal: TreeSignal): void {
  if (Math.abs(target) <= 1) return;
  try {
    process.kill(target, signal);
  } catch {
    // It ended since we looked (ESRCH), or runs as another user (EPERM): the next scan shows it.
  }
}

/**
 * Whether the first group of a session has a process that runs. A list of all processes is not read in one moment, and
 * can miss all links of a chain of forks.
 */
function isSessionAlive(session: number): boolean {
  try {
    process.kill(-session, 0);
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH');
  }
  // A zombie counts for the kernel, and where nobody collects them, it would count forever. And the number may by now
  // belong to a group in another session. A single list proves nothing, since it may show the last link of a chain of
  // forks and miss the next one; but then a second list shows others.
  const [first, second] = [listGroup(session), listGroup(session)];
  const isOver = (entry: ProcessEntry) => entry.zombie || entry.session !== session;
  const isSame = first.map(nameOf).join() === second.map(nameOf).join();
  return first.length === 0 || !isSame || !second.every(isOver);
}

function listGroup(leader: number): ProcessEntry[] {
  return listProcesses().filter(({ group }) => group === leader);
}

/** Lists the pipes that were made for our child. A pipe that we hold ourselves is shared with other processes. */
function listOwnPipes(child: ProcessEntry | null): Set<string> {
  if (child === null) return new Set();
  const shared = new Set(listPipes(process.pid));
  return new Set(listPipes(child.pid, ['1', '2']).filter((pipe) => !shared.has(pipe)));
}
