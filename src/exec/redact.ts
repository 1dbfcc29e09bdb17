import type { Found } from './redact/scan.js';
import { REDACTED, scannerFor } from './redact/scanner-for.js';

export { StreamRedactor } from './redact/stream.js';

/** Replaces known values and everything that looks like a credential by `[redacted]`. */
export function redactText(text: string, secrets: readonly string[]): string {
  const bytes = toBytes(text);
  const found = findIn(bytes, secrets);
  if (found.length === 0) return text;
  let out = '';
  let done = 0;
  for (const { start, end } of found) {
    out += bytes.slice(done, start) + REDACTED;
    done = end;
  }
  out += bytes.slice(done);
  return bytes === text ? out : Buffer.from(out, 'latin1').toString('utf8');
}

/** Lists the kinds of credentials in a text, one for each that `redactText` replaces. */
export function findCredentials(text: string, secrets: readonly string[]): readonly string[] {
  return findIn(toBytes(text), secrets).map(({ kind }) => kind);
}

function findIn(bytes: string, secrets: readonly string[]): readonly Found[] {
  return scannerFor(secrets).scan(bytes, 0, true).found;
}

/** Returns one character for each byte of the text, which is the text itself if it is ASCII. */
function toBytes(text: string): string {
  return /[^\u0000-\u007f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}
