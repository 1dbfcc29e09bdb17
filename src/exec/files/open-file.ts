import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { findExecutable } from '../find-executable.js';
import { exitOf } from '../process/containment/process-scope.js';
import { launch } from '../process/launch.js';

/** Programs that open a file in its default program, on Linux, macOS and in WSL. */
const OPENERS = ['xdg-open', 'open', 'wslview'];
/** Some openers run as long as the window is open; those that fail do so quickly. */
const PATIENCE_MS = 3_000;

/** Opens a file in its default program, which belongs to the user and outlives us. */
export async function openFile(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const opener = OPENERS.map((name) => findExecutable(name, env.PATH)).find((found) => found !== null);
  if (!opener)
    throw new KnownError(`None of the programs that open files (${OPENERS.join(', ')}) was found on PATH.`, {
      hint: `Open it yourself: ${path}`,
    });
  const started = await launch({
    ...{ command: opener, args: [path], cwd: process.cwd(), env },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const patience = new AbortController();
  const waited = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
  const problem =
    'error' in started ? messageOf(started.error) : await Promise.race([endOf(started.child), waited]);
  patience.abort();
  if (problem !== null)
    throw new KnownError(`${opener} could not open the report: ${problem}.`, {
      hint: `Open it yourself: ${path}`,
    });
}

async function endOf(child: ChildProcess): Promise<string | null> {
  child.unref();
  const { exitCode, signal } = await exitOf(child);
  return exitCode === 0 ? null : `it ended with ${exitCode ?? signal}`;
}
