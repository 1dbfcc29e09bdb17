// Starts the command line, waits for moments of its run, and finds what it leaves running.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../bench-support.mjs';

/** Starts the command line in a folder. `done` resolves with its exit code and its output. */
export function startCli(args, cwd) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', ...(TMPDIR === undefined ? {} : { TMPDIR }) };
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

const POLL_MS = 3;

/** Waits until the journal satisfies a condition and then a little longer, or until the program ends. */
export async function waitForMoment(output, { reached, delayMs }, state) {
  while (!state.ended && !reached(readJournalText(output))) await sleep(POLL_MS);
  if (!state.ended) await sleep(delayMs);
}

/** Waits until nothing of an output folder runs any more. Returns the milliseconds, or null if it takes too long. */
export async function waitForSilence(output, limitMs) {
  const since = performance.now();
  for (;;) {
    const took = performance.now() - since;
    if (listProcesses(output).length === 0) return Math.round(took);
    if (took > limitMs) return null;
    await sleep(20);
  }
}

/** Lists the processes whose environment names the folder. */
function listProcesses(output) {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && marks(pid, output));
}

function marks(pid, output) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`RALPH_E2E_FOLDER=${output}\0`);
  } catch {
    // It ended meanwhile, or it belongs to somebody else.
    return false;
  }
}
