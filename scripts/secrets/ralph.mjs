#!/usr/bin/env node
// A Ralph that leaks on both of its streams, in one piece and cut in two, and then is the embedded stand-in.
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { labelOf, PLANTS, textFor } from './places.mjs';

const argv = process.argv.slice(2);
if (argv[0] === 'run' && !argv.includes('--dry-run')) {
  writeAll(1, textFor('stdout'));
  writeAll(2, textFor('stderr'));
  for (const [index, { text }] of PLANTS.entries()) {
    const line = `${labelOf('split', index)} ${text}\n`;
    const half = Math.floor(line.length - text.length / 2);
    // The reader gets two chunks if it is faster than this; if not, the next cut may hit.
    writeAll(1, line.slice(0, half));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);
    writeAll(1, line.slice(half));
  }
}
const standIn = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));
process.exitCode = spawnSync(standIn, argv, { stdio: 'inherit' }).status ?? 1;

/** @param {number} descriptor @param {string} text */
function writeAll(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
