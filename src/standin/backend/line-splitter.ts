import type { Readable } from 'node:stream';

/** Why a stream is not readable as text. */
export interface LineProblem {
  readonly message: string;
}

/**
 * Delivers complete lines, and the last one even without a newline. Bytes that are not UTF-8 stop the reading:
 * in the real Ralph a single such byte ends the whole run.
 */
export function splitLines(
  stream: Readable,
  take: (line: string) => void,
  fail: (problem: LineProblem) => void,
): void {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let waiting: Buffer[] = [];
  let failed = false;

  const flush = () => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    if (failed) return;
    let line: string;
    try {
      line = decoder.decode(bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes);
    } catch {
      // The decoder throws for only one reason.
      failed = true;
      fail({ message: 'stream did not contain valid UTF-8' });
      stream.destroy();
      return;
    }
    take(line);
  };

  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      waiting.push(chunk.subarray(start, end));
      flush();
      start = end + 1;
    }
    if (start < chunk.length) waiting.push(chunk.subarray(start));
  });
  stream.on('end', () => {
    if (waiting.length > 0) flush();
  });
}
