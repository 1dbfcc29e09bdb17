import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownError } from '../../../domain/common/known-error.js';
import { redactText } from '../../redact.js';
import { listProcesses, readProcess } from '../table.js';
import { type ProcessInfo, shorten } from '../tree.js';
import type { Containment } from './means.js';
import { exitOf, hasExited, type Offspring, type Pen, type Program, type ProgramMark } from './pen.js';

/**
 * The first process of the namespace. It ignores SIGCHLD, so that the kernel removes orphans that end. It signals
 * everybody else in the namespace when we ask for it; the kernel does that in one step, which no fork can outrun. At the
 * end of its input it exits, and the kernel ends everything with it: when we close it, and when we are killed. Anywhere
 * but in a namespace of its own, signals to everybody would reach the whole machine.
 */
const KEEPER = `
trap '' CHLD
[ $$ -eq 1 ] || exit 1
echo ready
while read -r names; do
  for name in $names; do kill -s "$name" -- -1 2>/dev/null; done
  echo done
done`;

/** No need to stop anybody before: this KILL reaches all at once. */
const SIGNALS = { TERM: 'TERM CONT', STOP: 'STOP', KILL: 'KILL' } as const;
/** How long the first process may take. After this time an agent must have interfered with it, and it is killed. */
const OBEY_MS = 2000;
const WATCH_MS = 250;

/** Opens a PID namespace in which the programs of one attempt run. */
export async function openNamespacePen(
  means: Extract<Containment, { readonly kind: 'pid-namespace' }>,
): Promise<Pen> {
  const { tools, user } = means;
  const keeper = new Keeper(tools.unshare, [
    ...(user ? ['--user', '--map-current-user'] : []),
    ...['--pid', '--fork', '--mount-proc', '--kill-child', '/bin/sh', '-c', KEEPER],
  ]);
  await keeper.start();
  const enter = [
    ...['--target', String(keeper.init), '--pid', '--mount'],
    ...(user ? ['--user', '--preserve-credentials'] : []),
  ];
  return {
    kind: 'pid-namespace',
    admit: (program, { secrets }) => ({
      program: enterNamespace(program, means, enter),
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

/** `setsid` is last: `env` would take a program with `=` in its path for a variable. */
function enterNamespace(
  { command, args, cwd, env }: Program,
  { tools }: Extract<Containment, { readonly kind: 'pid-namespace' }>,
  enter: readonly string[],
): Program {
  return {
    command: tools.nsenter,
    args: [...enter, '--', tools.env, `--chdir=${cwd}`, tools.setsid, '--', command, ...args],
    cwd,
    env,
  };
}

/** Everything in the namespace but its first process, and the program that is on its way into it. */
function inhabitants(entering: ChildProcess, keeper: Keeper, secrets: ProgramMark['secrets']): Offspring {
  // Its own /proc shows what is inside, and nothing else.
  const proc = `/proc/${keeper.init}/root/proc`;
  const pids = () => (keeper.isOver() ? [] : listPids(proc));
  let termed = false;
  return {
    isGone: () => hasExited(entering) && pids().length === 0,
    proof: 1,
    list: () => pids().flatMap((pid) => describe(proc, pid, secrets)),
    signal: async (name) => {
      if (name === 'TERM' && termed) return;
      termed ||= name === 'TERM';
      await keeper.order(SIGNALS[name]);
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

/** The process that makes the namespace, and the first one in it. */
class Keeper {
  /** The number of the first process, as we see it. */
  init = 0;
  readonly #child: ChildProcess;
  readonly #waiting: (() => void)[] = [];
  #errors = '';

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { cwd: '/', env: {}, stdio: 'pipe', detached: true });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on('error', () => {});
    stdout?.on('data', (data: Buffer) => {
      for (const _answer of data.toString().matchAll(/\n/g)) this.#waiting.shift()?.();
    });
    stderr?.on('data', (data: Buffer) => {
      this.#errors = `${this.#errors}${data}`.slice(-1000);
    });
    this.#child.once('exit', () => {
      for (const resume of this.#waiting.splice(0)) resume();
    });
  }

  async start(): Promise<void> {
    const ready = new Promise<null>((resolve) => this.#waiting.push(() => resolve(null)));
    const failed = new Promise<string>((resolve) => {
      this.#child.once('error', ({ message }) => resolve(message));
      this.#child.once('close', () => resolve(this.#errors.trim() || 'it ended at once'));
    });
    const why = (await Promise.race([ready, failed])) ?? (this.isOver() ? await failed : null);
    this.init = (why === null && this.#child.pid !== undefined ? readChild(this.#child.pid) : null) ?? 0;
    if (this.init > 1) return;
    throw new KnownError(`The PID namespace could not be made: ${why ?? 'it ended at once'}.`, {
      hint: 'RALPH_E2E_CONTAINMENT=tracking does without.',
    });
  }

  isOver(): boolean {
    return hasExited(this.#child);
  }

  /** Has everybody inside signalled, and waits until that is done. */
  async order(signals: string): Promise<void> {
    if (this.isOver()) return;
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#child.stdin?.write(`${signals}\n`);
    await this.#insist(done);
  }

  async close(): Promise<void> {
    if (this.isOver()) return;
    const over = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await this.#insist(over);
    if (!this.isOver()) await over;
  }

  async #insist(obeyed: Promise<unknown>): Promise<void> {
    const timer = new AbortController();
    const late = sleep(OBEY_MS, 'late', { signal: timer.signal }).catch(() => null);
    const first = await Promise.race([obeyed, late]);
    timer.abort();
    if (first === 'late' && !this.isOver()) process.kill(this.init, 'SIGKILL');
  }
}

function listPids(proc: string): number[] {
  try {
    return readdirSync(proc)
      .map(Number)
      .filter((pid) => pid > 1);
  } catch {
    // The namespace has just ended.
    return [];
  }
}

function describe(proc: string, pid: number, secrets: ProgramMark['secrets']): ProcessInfo[] {
  try {
    const command = readFileSync(`${proc}/${pid}/cmdline`, 'latin1').split('\0').join(' ').trim();
    const name = command === '' ? readFileSync(`${proc}/${pid}/comm`, 'latin1').trim() : command;
    return [{ pid, command: shorten(redactText(name, secrets)) }];
  } catch {
    // It has just ended.
    return [];
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
