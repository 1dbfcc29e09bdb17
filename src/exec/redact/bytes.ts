import { setImmediate } from 'node:timers/promises';
import { StreamRedactor } from './stream.js';

/** So much is redacted before signals get their turn: a few dozen milliseconds, whatever it is. */
const AT_ONCE = 256 * 1024;

/** Redacts the bytes of a large text and decodes them. Ctrl-C works meanwhile. */
export async function redactBytes(bytes: Buffer, secrets: readonly string[]): Promise<string> {
  const redactor = new StreamRedactor(secrets);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    if (at > 0) await setImmediate();
    out.push(redactor.push(bytes.subarray(at, at + AT_ONCE)));
  }
  return Buffer.concat([...out, redactor.end()]).toString('utf8');
}
