// Provides a docker engine: the one that runs, or one of our own if we are root and Debian's package is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ host: string | undefined, stop: () => Promise<void> }} FoundEngine */
/** @typedef {{ missing: string }} NoEngine */

/** @returns {Promise<FoundEngine | NoEngine>} */
export async function provideEngine() {
  const problem = ask(process.env.DOCKER_HOST);
  if (problem === null) return { host: process.env.DOCKER_HOST, stop: async () => {} };
  if (process.getuid?.() !== 0 || spawnSync('dockerd', ['--version']).status !== 0)
    return { missing: problem };
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
    if (ask(host) === null) return { host, stop };
    await sleep(200);
  }
  await stop();
  return { missing: 'dockerd does not start on this machine' };
}

/**
 * Asks whether an engine answers. Returns why not, or null.
 * @param {string | undefined} host
 */
function ask(host) {
  const env = host === undefined ? process.env : { ...process.env, DOCKER_HOST: host };
  const { status, stderr, error } = spawnSync('docker', ['version'], {
    env,
    encoding: 'utf8',
    timeout: 10_000,
  });
  if (status === 0) return null;
  return error?.message ?? (stderr.trim().split('\n').at(-1) || 'no docker engine answers');
}
