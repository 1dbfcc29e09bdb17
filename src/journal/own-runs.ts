import { createHash } from 'node:crypto';
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

/** Notes that the run with this first line was started here. */
export function rememberRun(line: string): void {
  try {
    makeFolderSync(dirname(listPath()));
    appendPlainText(listPath(), `${hashOf(line)}\n`);
  } catch {
    // Without a home that can be written to, every run counts as somebody else's.
  }
}

/** Whether this user started the run with this first line, on this machine. */
export function isOwnRun(line: string): boolean {
  try {
    return readPlainTextSync(listPath()).includes(hashOf(line));
  } catch {
    // No run yet, or something else in its place.
    return false;
  }
}

function hashOf(line: string): string {
  return createHash('sha256').update(line.trimEnd()).digest('hex');
}
