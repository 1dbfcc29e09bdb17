import { lstatSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../exec/find-executable.js';
import { type CommandResult, runCommand } from '../../exec/process/run-command.js';
import type { IsolationHealth, Launch } from '../launch.js';
import type { Mount } from '../places/mount.js';
import { systemFolders } from '../places/system.js';
import { writeCallFilter } from './call-filter.js';

/**
 * Its own processes (they end with the sandbox, and it ends with us), its own network with only loopback, and no
 * privileges, with which root could make everything writable again. Port 53 is for our own name server.
 */
const CLOSED =
  `
  --unshare-pid --unshare-net --unshare-ipc --unshare-uts --die-with-parent
  --cap-drop ALL --cap-add CAP_NET_BIND_SERVICE
`.match(/\S+/g) ?? [];

/** Opens the filter of system calls for bwrap, and then becomes bwrap. */
const WITH_FILTER = 'exec 9<"$1"; shift; exec "$@"';

/** Builds the command line that starts a program in its own sandbox. `filter` is the file with the filter of calls. */
export function bwrapLaunch(
  bwrap: string,
  launch: Launch,
  mounts: readonly Mount[],
  filter: string | null,
): Launch {
  const { command, args, cwd } = launch;
  const inside = [
    bwrap,
    ...CLOSED,
    ...(filter === null ? [] : ['--seccomp', '9']),
    ...['--dev', '/dev', '--proc', '/proc', ...closeKernelSettings()],
    ...mounts.flatMap(mountArgs),
    // Nothing can be written next to the mounts.
    ...['--remount-ro', '/', '--chdir', cwd, '--', command, ...args],
  ];
  const opened = filter === null ? inside : ['/bin/sh', '-c', WITH_FILTER, 'sh', filter, ...inside];
  return { ...launch, command: opened[0] ?? bwrap, args: opened.slice(1) };
}

/** Parts of /proc that docker hides, too: even without privileges, root can read memory, keys and timers there. */
const HIDDEN = new Set(
  'acpi asound kcore keys latency_stats sched_debug scsi timer_list timer_stats'.match(/\S+/g),
);

/**
 * Makes everything in /proc that is not about processes read-only. It belongs to the machine: even without privileges,
 * root may write /proc/sys, and through `kernel.core_pattern` let the kernel start a program outside. bubblewrap covers
 * some of it by itself, but not /proc/sys (seen in 0.8.0).
 */
function closeKernelSettings(): string[] {
  return readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name))
    .sort()
    .flatMap((name) => {
      const path = `/proc/${name}`;
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [];
      if (HIDDEN.has(name))
        return stat.isDirectory()
          ? ['--tmpfs', path, '--remount-ro', path]
          : ['--ro-bind', '/dev/null', path];
      return stat.isDirectory() || (stat.mode & 0o222) !== 0 ? ['--ro-bind', path, path] : [];
    });
}

function mountArgs(mount: Mount): string[] {
  const { path, mode } = mount;
  switch (mode) {
    case 'read-only':
      return ['--ro-bind', mount.source ?? path, path];
    case 'read-write':
      return ['--bind', mount.source ?? path, path];
    case 'layered':
      return ['--bind', mount.layer.merged, path];
    case 'empty-folder':
      return ['--tmpfs', path];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', path];
    default:
      return mode satisfies never;
  }
}

/** Finds out whether bubblewrap is installed and can create a sandbox. */
export async function probeBwrap(
  path: string | undefined,
): Promise<IsolationHealth<{ readonly program: string }>> {
  const install =
    'Install bubblewrap: `apt-get install bubblewrap`, or the package of that name on other systems.';
  if (process.platform !== 'linux')
    return { ok: false, detail: 'bubblewrap needs Linux', fix: 'Run on Linux, or use --isolation host.' };
  const bwrap = findExecutable('bwrap', path);
  if (bwrap === null) return { ok: false, detail: 'bwrap is not on PATH', fix: install };
  const result = await tryBwrap(bwrap);
  if (result.ok) return { ok: true, detail: `${result.stdout.trim()} at ${bwrap}`, program: bwrap };
  const why = result.timedOut
    ? 'no answer within 10 s'
    : (result.stderr.trim().split('\n').at(-1) ?? 'failed');
  return {
    ok: false,
    detail: `bwrap cannot create a sandbox: ${why}`,
    fix: 'Allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`. If you are in a container, start it with permission to create user namespaces. Or use --isolation host.',
  };
}

async function tryBwrap(bwrap: string): Promise<CommandResult> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-e2e-bwrap-'));
  try {
    const mounts = systemFolders().map((path): Mount => ({ path, mode: 'read-only' }));
    const own: Mount = { path: bwrap, mode: 'read-only' };
    const version = { command: bwrap, args: ['--version'], cwd: '/', env: {} };
    const launch = bwrapLaunch(bwrap, version, [...mounts, own], await writeCallFilter(folder));
    return await runCommand(launch.command, launch.args, { cwd: tmpdir(), env: {}, timeoutMs: 10_000 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
