import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { hasErrorCode } from '../../exec/error-code.js';
import type { Input } from './surroundings.js';

/** The whole of stdin, or what became of it: it may be open and stay silent, and it may be no text at all. */
export async function readStdin(patienceMs: number): Promise<Input> {
  if (isatty(0)) return { text: '' };
  return isStream(0) ? readStream(patienceMs) : readWhole();
}

function isStream(descriptor: number): boolean {
  const stat = fstatSync(descriptor);
  return stat.isFIFO() || stat.isSocket();
}

/** Never read at once: to look at process.stdin makes a pipe non-blocking, and who writes may come later. */
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
    // Giving up on a silent stdin ends the iteration with an error of its own.
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
