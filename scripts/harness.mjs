// Starts the harness as it is built, and finds what programs leave: processes and temporary folders.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const DIST = fileURLToPath(new URL('../dist', import.meta.url));
export const CLI = join(DIST, 'cli.js');

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, said: string }} Ended */

/**
 * Starts the command line. `said` is its output so far; `done` resolves when it has ended and its output is closed.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startCli(args, options = {}) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  /** @type {Promise<Ended>} */
  const done = new Promise((resolve, reject) =>
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, said })),
  );
  return { child, done, said: () => said };
}

/**
 * Lists what an option takes, in the words of the error about a value that it does not take.
 * @param {readonly string[]} args the command and the option at its end
 */
export function listChoices(...args) {
  const { stderr } = spawnSync(process.execPath, [CLI, ...args, 'none'], { encoding: 'utf8' });
  const names = /expected (?:a comma-separated list of )?([\w, ]+)/.exec(stderr)?.[1];
  if (names === undefined) throw new Error(`expected the choices of ${args.join(' ')}, found ${stderr}`);
  return names.split(/, | or /);
}

/** @param {import('node:child_process').ChildProcess} child */
export function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

/**
 * Lists the processes of which a file in /proc contains a text.
 * @param {'cmdline' | 'environ'} file
 * @param {string} text
 */
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

/** @param {readonly string[]} pids */
export function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

/**
 * Does work in a new folder, and removes it afterwards.
 * @template Result
 * @param {string} name the begin of its name
 * @param {(folder: string) => Result | Promise<Result>} work
 */
export async function inTempFolder(name, work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
