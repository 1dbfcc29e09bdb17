import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { requireProgram } from '../programs.js';

/** Returns an environment with this real program on PATH and an empty home. */
export function makeEnvironment(name: Parameters<typeof requireProgram>[0]) {
  const bin = dirname(requireProgram(name));
  return { PATH: [bin, process.env.PATH ?? ''].join(delimiter), HOME: makeFolder() };
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
