import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { hasErrorCode } from '../../exec/error-code.js';
import type { Input } from './surroundings.js';

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
