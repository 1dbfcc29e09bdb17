import { Scanner } from './scan.js';

/** Replaces a credential. */
export const REDACTED = '[redacted]';

/** All attempts of a run have the same few lists of values. */
const MAX_SCANNERS = 8;
const scanners = new Map<string, Scanner>();

/** Returns the scanner for these values. Building one takes longer than scanning a short text. */
export function scannerFor(secrets: readonly string[]): Scanner {
  const key = secrets.join('\n\n');
  const known = scanners.get(key);
  if (known !== undefined) return known;
  const scanner = new Scanner(secrets);
  const [oldest] = scanners.keys();
  if (oldest !== undefined && scanners.size >= MAX_SCANNERS) scanners.delete(oldest);
  scanners.set(key, scanner);
  return scanner;
}
