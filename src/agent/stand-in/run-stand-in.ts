import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { Responder, ScriptMistake } from './responder.js';
import type { Input, Surroundings } from './surroundings.js';

/** The exit code for mistakes in the script. No CLI uses it, so it cannot be mistaken for one of theirs. */
export const SCRIPT_MISTAKE = 70;

interface UnplayedCall {
  readonly kind: 'refuse';
  readonly message: string;
  readonly exitCode: number;
}

/** Refuses what a stand-in does not support; `elsewhere` says what does. */
export function refuseUnplayed(command: string, what: string, elsewhere: string): UnplayedCall {
  const message = `ralph-e2e: the stand-in for ${command} does not support ${what}. ${elsewhere}`;
  return { kind: 'refuse', message, exitCode: SCRIPT_MISTAKE };
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
    write: (stream, text) => {
      process[stream].write(text);
    },
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
  if (isatty(0)) return { text: '' };
  return isStream(0) ? readStream(patienceMs) : readWhole();
}

function isStream(descriptor: number): boolean {
  const stat = fstatSync(descriptor);
  return stat.isFIFO() || stat.isSocket();
}

/** Reads asynchronously: touching process.stdin makes a pipe non-blocking, and the writer may come later. */
async function readStream(patienceMs: number): Promise<Input> {
  let silent = false;
  const silence = setTimeout(() => {
    silent = true;
    process.stdin.destroy();
  }, patienceMs);
  const chunks: Buffer[] = [];
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
