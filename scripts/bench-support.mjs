// Helpers that the parts of the benchmark share.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaSync } from 'execa';

export const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
export const cli = join(dist, 'cli.js');

/**
 * The same for everything that is compared. Node reads a file of certificates at every start, and the lanes do not pass
 * it on: with it, bare Node would be slower than what it is compared with.
 */
export const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Runs a command and returns its output; an unaccepted exit code ends the benchmark. */
export function run({ command: [program, ...args], cwd, env = environment, accept = [0] }) {
  const options = { cwd, env, extendEnv: false, stdin: 'ignore', stripFinalNewline: false, reject: false };
  const { exitCode, stdout, stderr, message } = execaSync(program, args, options);
  if (!accept.includes(exitCode)) throw new Error(`${message}\n${stderr}${stdout}`);
  return stdout;
}

/** Measures user and system seconds of a command and everything it started, as the shell counts them. */
export function measureProcessor({ command, ...rest }) {
  const output = run({ ...rest, command: ['sh', '-c', '"$@" >/dev/null 2>&1; times', 'sh', ...command] });
  const [, children = ''] = output.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
}

export function aim(text, met) {
  return `aim ${text}: ${met ? 'met' : 'NOT met'}`;
}
