import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { isatty } from 'node:tty';
import { messageOf } from '../../domain/common/message-of.js';
import { PIPE_HOLDS, writeOutput } from '../../exec/direct-output.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { Responder, ScriptMistake } from './responder.js';
import type { Input, Surroundings } from './surroundings.js';

/** The exit code for mistakes in the script. No CLI uses it, so it cannot be mistaken for one of theirs. */
export const SCRIPT_MISTAKE = 70;

/** Something that the real program does and its stand-in does not: the call ends, and says what plays it. */
export class NotPlayed extends ScriptMistake {
  constructor(command: string, what: string, elsewhere: string) {
    super(`ralph-e2e: the stand-in for ${command} does not support ${what}. ${elsewhere}`);
  }
}

/** Points to the real program in the scripted lane. */
export function inScriptedLane(program: string): string {
  return `The scripted lane does, with the real ${program} and the same script (ralph-e2e serve --script F).`;
}

/** One agent CLI: reads its arguments, plays the script, prints what the real CLI prints and returns its exit code. */
export interface StandIn {
  readonly backend: string;
  run(around: Surroundings, responder: Responder): Promise<number>;
}

/** Runs a stand-in as the program it imitates. */
export async function runAsProgram(standIn: StandIn): Promise<void> {
  process.exitCode = await runStandIn(standIn, processSurroundings(process.argv.slice(2), process.env));
}

/** Runs a stand-in and returns its exit code. Reports a script that cannot be played on stderr instead of guessing. */
export async function runStandIn(standIn: StandIn, around: Surroundings): Promise<number> {
  const responder = new Responder(standIn.backend, around);
  try {
    return await standIn.run(around, responder);
  } catch (error) {
    if (error instanceof NotPlayed) responder.record('refused', error.message);
    if (error instanceof ScriptMistake) {
      around.write('stderr', `${error.message}\n`);
      return SCRIPT_MISTAKE;
    }
    const detail = messageOf(error);
    const hint =
      error instanceof Error && 'hint' in error && error.hint !== undefined ? `${error.hint}\n` : '';
    around.write('stderr', `ralph-e2e: ${detail}\n${hint}`);
    responder.record('script-error', detail);
    return SCRIPT_MISTAKE;
  }
}

/** Never resolves; rejects when the signal aborts. */
export function hang(signal?: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const alive = setInterval(() => {}, 2 ** 30);
    signal?.addEventListener('abort', () => {
      clearInterval(alive);
      fail(signal.reason);
    });
  });
}

/** Makes the surroundings of this process, with the caller's choice of arguments and environment. */
export function processSurroundings(argv: readonly string[], env: Surroundings['env']): Surroundings {
  return {
    argv,
    cwd: process.cwd(),
    env,
    isRoot: process.getuid?.() === 0,
    write: writeOutput,
    readInput: readStdin,
    readLines,
  };
}

/** Closes stdin when the reader stops early: an open stdin would keep the process alive. */
async function* readLines(signal?: AbortSignal): AsyncGenerator<string> {
  // Loaded on demand: most calls read no lines, and each must start fast.
  const { createInterface } = await import('node:readline');
  try {
    yield* createInterface({ input: process.stdin, ...(signal === undefined ? {} : { signal }) });
  } finally {
    process.stdin.destroy();
  }
}

/** Reads all of stdin, or reports the trouble: stdin can stay open and silent, or be unreadable. */
export async function readStdin(patienceMs: number): Promise<Input> {
  const stat = fstatSync(0);
  if (stat.isCharacterDevice() && isatty(0)) return { text: '' };
  if (!stat.isFIFO() && !stat.isSocket()) return readWhole();
  const { text, isAll } = stat.isFIFO() ? readArrived() : NOTHING_YET;
  return isAll ? { text: text.toString('utf8') } : readStream(text, patienceMs);
}

interface Arrived {
  readonly text: Buffer;
  readonly isAll: boolean;
}

const NOTHING_YET: Arrived = { text: Buffer.alloc(0), isAll: false };

/**
 * Reads what a pipe holds by now, without Node's streams: loading them takes as long as a short answer. Opens the pipe
 * anew, so that it does not block for us alone; what else shares stdin is not changed. Only Linux can do that.
 */
function readArrived(): Arrived {
  let own: number;
  try {
    own = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return NOTHING_YET;
  }
  const chunks: Buffer[] = [];
  const arrived = (isAll: boolean) => ({ text: Buffer.concat(chunks), isAll });
  try {
    for (;;) {
      const chunk = Buffer.alloc(PIPE_HOLDS);
      const length = readSync(own, chunk);
      if (length === 0) return arrived(true);
      chunks.push(chunk.subarray(0, length));
    }
  } catch (error) {
    if (hasErrorCode(error, 'EAGAIN')) return arrived(false);
    throw error;
  } finally {
    closeSync(own);
  }
}

/** Reads asynchronously: touching process.stdin makes a pipe non-blocking, and the writer may come later. */
async function readStream(arrived: Buffer, patienceMs: number): Promise<Input> {
  let silent = false;
  const giveUp = () => {
    silent = true;
    process.stdin.destroy();
  };
  const silence = arrived.length > 0 ? undefined : setTimeout(giveUp, patienceMs);
  const chunks = [arrived];
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(silence);
      chunks.push(Buffer.from(chunk));
    }
  } catch (error) {
    // When we give up on a silent stdin, the iteration itself throws.
    if (!process.stdin.destroyed) throw error;
  } finally {
    clearTimeout(silence);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), ...(silent ? { trouble: 'silent' } : {}) };
}

function readWhole(): Input {
  try {
    return { text: readFileSync(0, 'utf8') };
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR')) return { text: '', trouble: 'EISDIR' };
    // Open for writing only.
    if (hasErrorCode(error, 'EBADF')) return { text: '' };
    throw error;
  }
}
