import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeDocker } from '../../src/isolation/docker/engine.js';

/** An engine for tests: the one that runs, or one of our own where we are root and Debian's package is installed. */
export async function provideEngine(): Promise<
  { readonly host: string | undefined; readonly stop: () => Promise<void> } | { readonly missing: string }
> {
  const running = await probeDocker(process.env);
  if (running.ok) return { host: process.env.DOCKER_HOST, stop: async () => {} };
  if (process.getuid?.() !== 0 || spawnSync('dockerd', ['--version']).status !== 0)
    return { missing: running.detail };
  // Not TMPDIR: the path of a unix socket is short.
  const folder = mkdtempSync('/tmp/rde-');
  const host = `unix://${join(folder, 'sock')}`;
  const log = openSync(join(folder, 'log'), 'w');
  const child = spawn(
    'dockerd',
    [
      ...['--iptables=false', '--ip6tables=false', '--bridge=none', '-H', host],
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'pid')],
    ],
    { stdio: ['ignore', log, log] },
  );
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 150 && child.exitCode === null; tries += 1) {
    const answer = await probeDocker({ ...process.env, DOCKER_HOST: host });
    if (answer.ok) return { host, stop };
    await sleep(200);
  }
  await stop();
  return { missing: 'dockerd does not start on this machine' };
}
