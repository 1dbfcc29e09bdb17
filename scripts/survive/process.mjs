// Starts the command line and follows the journal of its run.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCli } from '../harness.mjs';

/** How long processes may outlive a killed harness. */
export const SILENCE_MS = 2_000;

/** Starts the command line in a folder. `done` resolves with its exit code, and with its output as a function. */
export function startIn(cwd, args, more = {}) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', ...(TMPDIR === undefined ? {} : { TMPDIR }), ...more };
  const { child, said } = startCli(args, { cwd, env });
  // Not the end of its output: what a killed one leaves behind may hold that open.
  const done = once(child, 'exit').then(([code, signal]) => ({ code, signal, output: said }));
  return { child, done };
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
