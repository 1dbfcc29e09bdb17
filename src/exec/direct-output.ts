import { writeSync } from 'node:fs';

/** What a pipe holds for a reader who is not there yet, on every system. */
export const PIPE_HOLDS = 16 * 1024;

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
const room = { stdout: PIPE_HOLDS, stderr: PIPE_HOLDS };

/**
 * Writes to our own output, directly as long as that cannot block: loading Node's streams takes as long as everything
 * else that a short program does. After more than that, or a write that fails, the stream decides what happens.
 */
export function writeOutput(stream: keyof typeof DESCRIPTORS, text: string): void {
  const bytes = Buffer.from(text);
  room[stream] -= bytes.length;
  const written = room[stream] < 0 ? 0 : tryWrite(DESCRIPTORS[stream], bytes);
  if (written === bytes.length) return;
  room[stream] = 0;
  process[stream].write(bytes.subarray(written));
}

/** Returns how many bytes were written. */
function tryWrite(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch {
    return 0;
  }
}
