// Helpers that the parts of the benchmark share.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
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

/** Finds the artifacts of the only attempt in an output folder. */
export function artifactsOf(output, name) {
  const [runId = ''] = readdirSync(join(output, 'runs'));
  return join(output, 'runs', runId, name, '1');
}

/** Reads how long the scenario itself took in a run of the harness: workspace, Ralph, evidence and checks. */
export function readAttemptTime(output) {
  const [runId = ''] = readdirSync(join(output, 'runs'));
  const lines = readFileSync(join(output, 'runs', runId, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const finished = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'attempt-finished');
  return finished.durationSeconds * 1000;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

export function ratio(a, b) {
  return `${(a / b).toFixed(2)} (${ms(a)} / ${ms(b)})`;
}

export function ms(value) {
  return `${Math.round(value)} ms`;
}

export function aim(text, met) {
  return `aim ${text}: ${met ? 'met' : 'NOT met'}`;
}

/** Copies a workspace that a run left, as it was before the run, with an empty home next to it. */
export function copyAsItBegan(workspace, place) {
  const [cwd, home] = [join(place, 'workspace'), join(place, 'home')];
  mkdirSync(home, { recursive: true });
  cpSync(workspace, cwd, { recursive: true });
  const git = (...args) => run({ command: ['git', ...args], cwd });
  git('reset', '--quiet', '--hard', git('rev-list', '--max-parents=0', 'HEAD').trim());
  git('clean', '-fdxq');
  return { cwd, home };
}
