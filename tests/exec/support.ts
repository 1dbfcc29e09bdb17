import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import {
  findMarked,
  listProcesses,
  type ProcessMarker,
  readCommandLine,
  readProcess,
} from '../../src/exec/process/table.js';

/** A folder that goes away with the test. */
export function makeTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a fixture of the folder `tests/<part>/fixtures`. */
export function fixture(part: string, name: string): string {
  return fileURLToPath(new URL(`../${part}/fixtures/${name}`, import.meta.url));
}

/** Compiles a fixture that uses our sources, so that plain node can run it in a process of its own. */
export async function bundleFixture(part: string, name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const entry = fixture(part, `${name}.ts`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    // What execa needs of it is CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  const entry = readProcess(pid);
  return entry !== null && !entry.zombie;
}

/** The processes whose command line contains this word. A pid noted inside a namespace means nothing outside. */
export function findByCommand(word: string): number[] {
  return listProcesses()
    .filter(({ zombie }) => !zombie)
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid && readCommandLine(pid).includes(word));
}

/** The processes that carry a marker now. */
export function listMarked(marker: ProcessMarker): number[] {
  const alive = listProcesses().filter(({ zombie }) => !zombie);
  return [
    ...findMarked(
      alive.map(({ pid }) => pid),
      marker,
    ),
  ];
}

/** Whatever carries the marker when the test is over is ended, so that a red test leaves no process either. */
export function endMarkedAfterTest(marker: ProcessMarker): void {
  onTestFinished(() => listMarked(marker).forEach(killIfThere));
}

/** The file in which stubborn.sh notes its processes; those that a red test leaves are ended. */
export function makePidsFile(folder: string): string {
  const path = join(folder, 'pids');
  onTestFinished(() => {
    // By the pid and by the path of the file in its command line: a pid alone may be somebody else's by now.
    const pids = existsSync(path) ? readPids(path) : [];
    pids.filter((pid) => isRunning(pid) && readCommandLine(pid).includes(path)).forEach(killIfThere);
  });
  return path;
}

/** The pids noted in such a file. */
export function readPids(path: string): number[] {
  return readFileSync(path, 'utf8').trim().split('\n').map(Number);
}

/** Sends KILL to a process, if it still runs. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
