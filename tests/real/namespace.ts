import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Where there is no network but loopback, which begins switched off. */
export const NAMESPACE = [
  'unshare',
  '--net',
  '--map-root-user',
  'sh',
  '-c',
  'ip link set lo up && exec "$@"',
  'sh',
];
const [unshare = '', ...unshareArgs] = NAMESPACE;

/** Whether this machine lets us have one. */
export const canUnshare = spawnSync(unshare, [...unshareArgs, 'true'], { cwd: tmpdir() }).status === 0;
