import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessTree } from '../tree.js';
import {
  type Exit,
  exitOf,
  hasExited,
  type Offspring,
  type ProcessScope,
  type ScopeSignal,
} from './process-scope.js';
import { trackedOffspring } from './tracking.js';

/**
 * Starts the program below itself as a child subreaper: whoever loses its parent becomes our child and not init's, so
 * that everything stays below. It reports the end of the program, signals everything below when we ask for it, and ends
 * when nothing is left below. At the end of its orders, because we closed them or were killed, it ends everything.
 */
const SUBREAPER = `
use strict;
my ($prctl, $setsid, @command) = @ARGV;
open(my $orders, '+<&=', 3) or die "no descriptor 3: $!\\n";
syscall($prctl + 0, 36, 1, 0, 0, 0) == 0 or die "no subreaper: $!\\n";
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP PIPE QUIT);
$SIG{CHLD} = sub {};
my $program = fork;
defined $program or die "no fork: $!\\n";
if (!$program) {
  $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP PIPE QUIT CHLD);
  syscall($setsid + 0);
  exec { $command[0] } @command;
  print STDERR "$command[0]: $!\\n";
  exit 127;
}
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
my (%termed, $ended);
sub below {
  my @found;
  for my $pid (@_) {
    opendir(my $tasks, "/proc/$pid/task") or next;
    for my $task (grep { /^\\d/ } readdir $tasks) {
      open(my $file, '<', "/proc/$pid/task/$task/children") or next;
      my $children = <$file>;
      push @found, split ' ', $children if defined $children;
    }
  }
  return @found ? (@found, below(@found)) : ();
}
sub reap {
  while ((my $pid = waitpid -1, 1) > 0) {
    next if $pid != $program;
    $ended = 1;
    syswrite $orders, ($? & 127 ? 'signal ' . ($? & 127) : 'exit ' . ($? >> 8)) . "\\n";
  }
}
sub stop_all {
  my (%seen, @fresh);
  my $until = time + 2;
  kill STOP => @fresh while time < $until and @fresh = grep { !$seen{$_}++ } below($$);
}
sub end_all {
  stop_all();
  my $until = time + 2;
  while (time < $until and my @left = below($$)) {
    kill KILL => @left;
    reap();
    select undef, undef, undef, 0.001;
  }
}
for (;;) {
  reap();
  exit 0 if $ended and waitpid(-1, 1) == -1;
  vec(my $ready = '', 3, 1) = 1;
  next unless select($ready, undef, undef, 0.1) > 0;
  my $bytes = sysread $orders, my $order, 1024;
  next if !defined $bytes and $! + 0 == 4;
  if (!$bytes) { end_all(); exit 0 }
  if ($order =~ /STOP/) { stop_all() }
  if ($order =~ /TERM/) {
    my @fresh = grep { !$termed{$_}++ } below($$);
    kill TERM => @fresh;
    kill CONT => @fresh;
  }
  if ($order =~ /KILL/) { end_all() }
  syswrite $orders, "done\\n";
}`;

/** The numbers of prctl(2) and setsid(2). */
const SYSCALLS: Readonly<Partial<Record<NodeJS.Architecture, readonly [number, number]>>> = {
  x64: [157, 112],
  arm64: [167, 157],
};

/** Returns the arguments with which perl becomes the subreaper of a program; null on a processor that we do not know. */
export function subreaperArgs(command: string, args: readonly string[]): readonly string[] | null {
  const numbers = SYSCALLS[process.arch];
  return numbers === undefined ? null : ['-e', SUBREAPER, ...numbers.map(String), command, ...args];
}

/** Runs each program below its own subreaper. */
export function subreaperScope(perl: string): ProcessScope {
  return {
    kind: 'subreaper',
    admit: (program, { marker, secrets }) => ({
      program: { ...program, command: perl, args: subreaperArgs(program.command, program.args) ?? [] },
      channel: true,
      follow: (child, pid) => {
        const tree = new ProcessTree(pid, marker, { secrets, keeper: true });
        const reaper = new Reaper(child);
        return {
          exited: reaper.exited,
          offspring: descendants(child, reaper, tree),
          release: () => reaper.release(),
        };
      },
    }),
    close: async () => {},
  };
}

function descendants(child: ChildProcess, reaper: Reaper, tree: ProcessTree): Offspring {
  const tracked = trackedOffspring(tree);
  return {
    // It ends after everything below. If somebody killed it, what is left has to be looked for.
    isGone: () => hasExited(child) && (reaper.isInOrder() || tracked.isGone()),
    proof: 1,
    list: tracked.list,
    signal: (name) => (hasExited(child) ? tracked.signal(name) : reaper.order(name)),
  };
}

/** A limit for what the subreaper itself limits to 4 s. */
const OBEY_MS = 6000;

/** Our end of the conversation with a subreaper. */
class Reaper {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #orders: Socket;
  readonly #waiting: (() => void)[] = [];
  #reported = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    const [, , , orders] = child.stdio;
    if (!(orders instanceof Socket)) throw new Error('a subreaper was started without descriptor 3');
    this.#orders = orders;
    this.#orders.on('error', () => {});
    let rest = '';
    const reported = new Promise<Exit>((resolve) => {
      this.#orders.on('data', (data: Buffer) => {
        const lines = `${rest}${data}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line === 'done') this.#waiting.shift()?.();
          else resolve(this.#readExit(line));
        }
      });
    });
    const died = exitOf(child).then(async (exit) => {
      for (const resume of this.#waiting.splice(0)) resume();
      // Its report may still be on the way.
      await Promise.race([reported, sleep(50)]);
      return exit;
    });
    this.exited = Promise.race([reported, died]);
  }

  /** Whether it ended because nothing was left below. */
  isInOrder(): boolean {
    return this.#reported && this.#child.exitCode === 0;
  }

  async order(name: ScopeSignal): Promise<void> {
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#orders.write(`${name}\n`);
    const timer = new AbortController();
    await Promise.race([done, sleep(OBEY_MS, null, { signal: timer.signal }).catch(() => null)]);
    timer.abort();
  }

  release(): void {
    this.#orders.destroy();
  }

  #readExit(line: string): Exit {
    this.#reported = true;
    const [how, number] = line.split(' ');
    const atMs = performance.now();
    if (how === 'exit') return { exitCode: Number(number), signal: null, atMs };
    const name = Object.entries(constants.signals).find(([, value]) => value === Number(number))?.[0];
    return { exitCode: null, signal: name ?? `signal ${number}`, atMs };
  }
}
