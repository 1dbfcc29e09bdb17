import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { requireProgram } from '../programs.js';

/** Returns an environment with this real program on PATH and an empty home. */
export function makeEnvironment(name: Parameters<typeof requireProgram>[0]) {
  const bin = dirname(requireProgram(name));
  return { PATH: [bin, process.env.PATH ?? ''].join(delimiter), HOME: makeFolder() };
}

/** Sets a variable of this process for the tests of a file: the next file runs in the same process. */
export function setUntilEnd(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  afterAll(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

/** Puts a real program before those that this process finds, for the tests of a file. */
export function putOnPath(name: Parameters<typeof requireProgram>[0]): void {
  setUntilEnd('PATH', [dirname(requireProgram(name)), process.env.PATH].join(delimiter));
}

/** Makes a folder that is removed after the test, and returns its real path. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-e2e-real-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tells whether a file is this place or inside it. */
export function isInside(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
