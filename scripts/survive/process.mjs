// Starts the command line, follows the journal of its run, and finds what it leaves running.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../bench-support.mjs';

/** How long processes may outlive a killed harness. */
export const SILENCE_MS = 2_000;

/** Starts the command line in a folder. `done` resolves with its exit code and its output. */
export function startCli(args, cwd, more = {}) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', ...(TMPDIR === undefined ? {} : { TMPDIR }), ...more };
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const state = { ended: false };
  const done = new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      state.ended = true;
      resolve({ code, signal, output: () => output });
    }),
  );
  return { child, done, state };
}

/** The folder of the newest run in an output folder; null if there is none. */
export function newestRun(output) {
  const folder = join(output, 'runs');
  const name = existsSync(folder) ? readdirSync(folder).sort().at(-1) : undefined;
  return name === undefined ? null : join(folder, name);
}

/** The journal of the newest run: its text, or an empty one. */
export function readJournalText(output) {
  const run = newestRun(output);
  const path = run === null ? '' : join(run, 'journal.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The whole records of the newest run. */
export function readRecords(output) {
  return readJournalText(output)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Waits until a condition holds. Returns the milliseconds, or null if it takes too long. */
export async function waitFor(condition, limitMs = Number.POSITIVE_INFINITY) {
  const since = performance.now();
  while (!condition()) {
    if (performance.now() - since > limitMs) return null;
    await sleep(10);
  }
  return Math.round(performance.now() - since);
}

/** Lists the processes of which a file in /proc, such as `cmdline` or `environ`, contains a text. */
export function findProcesses(file, text) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text);
    } catch {
      // It ended meanwhile, or it belongs to somebody else.
      return false;
    }
  });
}
