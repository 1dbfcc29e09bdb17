import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolderSync } from '../exec/files/make-folder.js';
import { appendPlainText, readPlainTextSync } from '../exec/files/plain-file.js';

/**
 * The list of runs that this user started on this machine, outside of every project: a hash of each first record. The
 * folder of a run can come from anybody, and that record names modules and programs.
 */
function listPath(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'ralph-e2e', 'own-runs');
}

/** The length of a line of the list, and how many are kept. */
const LINE = 65;
const MOST_LINES = 10_000;

/** Notes that the run with this first line was started here. */
export function rememberRun(line: string): void {
  try {
    makeFolderSync(dirname(listPath()));
    const known = readList();
    if (known.length > LINE * MOST_LINES) writeFileSync(listPath(), known.slice((-LINE * MOST_LINES) / 2));
    appendPlainText(listPath(), `${hashOf(line)}\n`);
  } catch {
    // Without a home that can be written to, every run counts as somebody else's.
  }
}

/** Whether this user started the run with this first line, on this machine. */
export function isOwnRun(line: string): boolean {
  return readList().includes(hashOf(line));
}

function readList(): string {
  try {
    return readPlainTextSync(listPath());
  } catch {
    // No run yet, or something else in its place.
    return '';
  }
}

function hashOf(line: string): string {
  return createHash('sha256').update(line.trimEnd()).digest('hex');
}
