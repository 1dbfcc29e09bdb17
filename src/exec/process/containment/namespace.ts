import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { hasErrorCode } from '../../error-code.js';
import { redactText } from '../../redact.js';
import { launch } from '../launch.js';
import { listPids, listProcesses, readCommandLine, readProcess } from '../table.js';
import { sendSignal, shortenCommand } from '../tree.js';
import type { Containment } from './means.js';
import {
  exitOf,
  hasExited,
  type Offspring,
  type ProcessScope,
  type Program,
  type ProgramMark,
} from './process-scope.js';

/**
 * Signals everybody in the namespace but its first process. The kernel does that in one step, which no fork can outrun.
 * Anywhere else this would reach the whole machine, so the first process must have the name that we gave it.
 */
const BROADCAST = `
grep -qF -e "$1" /proc/1/cmdline || exit 9
shift
for name; do kill -s "$name" -- -1; done 2>/dev/null
:`;

/** No need to stop anybody before: this KILL reaches all at once. */
const SIGNALS = { TERM: ['TERM', 'CONT'], STOP: ['STOP'], KILL: ['KILL'] } as const;
/** How long the namespace may take. After this time an agent must have interfered, and its first process is killed. */
const OBEY_MS = 2000;
/** How long to wait for what was killed and cannot end yet. */
const LAST_WAIT_MS = 2000;
const WATCH_MS = 250;

type Means = Extract<Containment, { readonly kind: 'pid-namespace' }>;

/** Opens a PID namespace in which the programs of one attempt run. */
export async function openNamespaceScope(means: Means): Promise<ProcessScope> {
  const keeper = await Keeper.start(means);
  return {
    kind: 'pid-namespace',
    admit: (program, { secrets }) => ({
      program: enterNamespace(program, means, keeper.init),
      channel: false,
      follow: (child) => {
        const nudge = setInterval(() => wakeUp(child), WATCH_MS).unref();
        return {
          exited: exitOf(child),
          offspring: inhabitants(child, keeper, secrets),
          release: () => clearInterval(nudge),
        };
      },
    }),
    close: () => keeper.close(),
  };
}

/**
 * Root gets our own mounts afresh, and only /proc differs: otherwise what an agent mounts over a program would answer
 * for it later. Others cannot mount. `setsid` is last: `env` would take a program with `=` in its path for a variable.
 */
function enterNamespace({ command, args, cwd, env }: Program, means: Means, init: number): Program {
  const { nsenter, unshare, setsid, env: setEnv } = means.tools;
  const inside = means.user
    ? // Whoever enters mounts of others starts at their root.
      [...entrance(init, means), '--', setEnv, `--chdir=${cwd}`]
    : ['--target', String(init), '--pid', '--', unshare, '--mount-proc', '--'];
  return {
    command: nsenter,
    args: [...inside, setsid, '--', command, ...args],
    cwd,
    env,
  };
}

/** The arguments with which `nsenter` enters the namespace. */
function entrance(init: number, { user }: Means): readonly string[] {
  const owner = user ? ['--user', '--preserve-credentials'] : [];
  return ['--target', String(init), '--pid', '--mount', ...owner];
}

/** Everything in the namespace but its first process, and the program that is on its way into it. */
function inhabitants(entering: ChildProcess, keeper: Keeper, secrets: ProgramMark['secrets']): Offspring {
  const { proc } = keeper;
  const pids = () => (keeper.isOver() ? [] : listInside(proc));
  let termed = false;
  return {
    isGone: () => hasExited(entering) && pids().length === 0,
    proof: 1,
    list: () =>
      pids().flatMap((pid) => {
        const command = readCommandLine(pid, proc) || `process ${pid}`;
        const hasEnded = !existsSync(`${proc}/${pid}`);
        return hasEnded ? [] : [{ pid, command: shortenCommand(redactText(command, secrets)) }];
      }),
    signal: async (name) => {
      if (name === 'TERM' && termed) return;
      termed ||= name === 'TERM';
      await keeper.broadcast(SIGNALS[name]);
      if (name !== 'KILL' || hasExited(entering)) return;
      // It reports how the program ended, unless it is stopped, or has not started it yet.
      entering.kill(pids().length === 0 && !hasChild(entering) ? 'SIGKILL' : 'SIGCONT');
    },
  };
}

/**
 * Wakes `nsenter` up. It stops itself when the program is stopped, but does not notice when somebody inside continues
 * the program (seen in util-linux 2.38).
 */
function wakeUp(entering: ChildProcess): void {
  if (entering.pid === undefined || hasExited(entering) || !readProcess(entering.pid)?.stopped) return;
  const program = readProcess(readChild(entering.pid) ?? 0);
  if (program?.stopped !== true) entering.kill('SIGCONT');
}

function hasChild({ pid }: ChildProcess): boolean {
  return pid !== undefined && readChild(pid) !== null;
}

/**
 * The process that makes the namespace, and the first one in it, which only waits for the end of its input. It ignores
 * SIGCHLD, so that the kernel removes orphans that end. With it the kernel ends everything in the namespace: when we
 * close its input, and when we are killed. Its input is a socket, which nobody else can open.
 */
class Keeper {
  readonly #means: Means;
  readonly #name: string;
  readonly #child: ChildProcess;
  /** The number of the first process, as we see it. */
  readonly #init: number;

  private constructor(means: Means, name: string, child: ChildProcess, init: number) {
    this.#means = means;
    this.#name = name;
    this.#child = child;
    this.#init = init;
  }

  static async start(means: Means): Promise<Keeper> {
    const { unshare, env } = means.tools;
    const name = `scope-${randomUUID()}`;
    const args = [
      ...(means.user ? ['--user', '--map-current-user'] : []),
      ...['--pid', '--fork', '--mount-proc', '--kill-child'],
      // The last word is no file. It only gives the process a name of its own.
      ...[env, '--ignore-signal=CHLD', 'cat', '-', name],
    ];
    const started = await launch({ ...outside(unshare, args), stdio: ['pipe', 'pipe', 'pipe'] });
    if ('error' in started) throw cannotMake(messageOf(started.error));
    const { child, pid } = started;
    let errors = '';
    child.stderr?.on('data', (data: Buffer) => {
      errors = `${errors}${data}`.slice(-1000);
    });
    child.stdin?.on('error', () => {});
    const failed = once(child, 'close').then(() => errors.trim() || 'it ended at once');
    const echoed = new Promise<null>((resolve) => child.stdout?.once('data', () => resolve(null)));
    child.stdin?.write('.');
    const why = await Promise.race([echoed, failed]);
    const init = why === null ? (readChild(pid) ?? 0) : 0;
    const keeper = new Keeper(means, name, child, init);
    if (init > 1) return keeper;
    await keeper.close();
    throw cannotMake(why ?? 'its first process is not seen');
  }

  /** The number of the first process. */
  get init(): number {
    if (this.isOver()) throw new Error('the PID namespace of this attempt was ended from inside');
    return this.#init;
  }

  /** The namespace's own /proc, which shows what is inside and nothing else. */
  get proc(): string {
    return `/proc/${this.#init}/root/proc`;
  }

  isOver(): boolean {
    return hasExited(this.#child);
  }

  /** Signals everybody inside. */
  async broadcast(signals: readonly string[]): Promise<void> {
    if (this.isOver()) return;
    const enter = entrance(this.init, this.#means);
    const args = [...enter, '--', '/bin/sh', '-c', BROADCAST, 'sh', this.#name, ...signals];
    const stdio = ['ignore', 'ignore', 'ignore'] as const;
    const started = await launch({ ...outside(this.#means.tools.nsenter, args), stdio });
    if ('error' in started) return this.#insist(Promise.resolve(false));
    await this.#insist(exitOf(started.child).then(({ exitCode }) => exitCode === 0));
    started.child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    if (this.isOver() || this.#child.pid === undefined) return;
    const over = once(this.#child, 'exit').then(() => true);
    this.#child.stdin?.end();
    await this.#insist(over);
    // A process that waits for a disk cannot be killed before it is back: then the kernel ends it later.
    if (!this.isOver()) await Promise.race([over, sleep(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  /** Ends the namespace if it does not do what we ask. */
  async #insist(obeys: Promise<boolean>): Promise<void> {
    const timer = new AbortController();
    const late = sleep(OBEY_MS, false, { signal: timer.signal }).catch(() => false);
    const obeyed = await Promise.race([obeys, late]);
    timer.abort();
    if (!obeyed && !this.isOver()) sendSignal(this.#init, 'SIGKILL');
  }
}

/** A program that is ours and not the agent's. */
function outside(command: string, args: readonly string[]): Program {
  return { command, args, cwd: '/', env: { PATH: process.env.PATH ?? '' } };
}

function cannotMake(why: string): KnownError {
  return new KnownError(`The PID namespace could not be made: ${why}.`, {
    hint: 'RALPH_E2E_CONTAINMENT=tracking does without.',
  });
}

function listInside(proc: string): number[] {
  try {
    return listPids(proc).filter((pid) => pid > 1);
  } catch (error) {
    // The namespace has just ended.
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
}

/** Returns the first child of a process, or null. */
function readChild(pid: number): number | null {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return first === '' ? null : Number(first);
  } catch {
    // Not every kernel has this file.
    return listProcesses().find(({ ppid }) => ppid === pid)?.pid ?? null;
  }
}
