import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../error-code.js';
import { makeFolder } from '../files/make-folder.js';
import { openPlainFile } from '../files/plain-file.js';
import { statOrNull } from '../files/stat-or-null.js';
import { StreamRedactor } from '../redact.js';

/** What is known about an output stream when it has ended: the whole is on disk, its two ends are here. */
export interface CapturedStream {
  readonly path: string;
  /** Bytes that the process wrote, before redaction. */
  readonly bytes: number;
  /** The first 64 KiB, redacted; bytes that are not UTF-8 show as replacement characters. */
  readonly head: string;
  /** The last 64 KiB of what `head` does not hold; '' when `head` holds everything. */
  readonly tail: string;
  /** Bytes between `head` and `tail` that only the file holds. */
  readonly omittedBytes: number;
  /** Whether `head` and `tail` together are less than the file. */
  readonly truncated: boolean;
  /** Why the file is not what the process wrote, e.g. a full disk, or an agent that removed it. */
  readonly error?: string;
}

/** Head and tail as one text that says how much is missing between them. */
export function joinHeadAndTail(
  stream: Pick<CapturedStream, 'head' | 'tail' | 'omittedBytes' | 'path' | 'error'>,
): string {
  if (stream.omittedBytes === 0) return stream.head + stream.tail;
  const where = stream.error ?? `all of it in ${stream.path}`;
  return `${stream.head}\n… ${stream.omittedBytes} bytes omitted, ${where} …\n${stream.tail}`;
}

/** Several streams as one, in a file of its own: one after the other, as they were captured. */
export async function joinCaptures(parts: readonly CapturedStream[], path: string): Promise<CapturedStream> {
  const ends = new TextEnds();
  const losses = await Promise.all(parts.map(findLoss));
  const file = await openAnew(path);
  try {
    for (const part of parts) {
      for await (const chunk of readCapture(part)) {
        ends.add(chunk);
        await file.writeFile(chunk);
      }
    }
  } finally {
    await file.close();
  }
  const error = losses.find((loss) => loss !== undefined);
  return {
    path,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    ...ends.read(),
    ...(error === undefined ? {} : { error }),
  };
}

/** What a process wrote; where its file is no longer that, what we remember of it. */
export async function* readCapture(stream: CapturedStream): AsyncIterable<Buffer> {
  if ((await findLoss(stream)) === undefined) yield* (await openPlainFile(stream.path)).createReadStream();
  else yield Buffer.from(joinHeadAndTail(stream));
}

/** Why the file cannot be read. A later turn of a conversation can remove what was captured of an earlier one. */
async function findLoss({ path, error }: CapturedStream): Promise<string | undefined> {
  if (error !== undefined) return error;
  return (await statOrNull(path))?.isFile() ? undefined : `${path} was removed or replaced later`;
}

/** A new file. An agent may have put anything in its place: a folder, a link, a pipe that nobody reads. */
async function openAnew(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path));
  const found = await statOrNull(path);
  // A device such as /dev/null is no leftover.
  const isLeftover = found !== null && !found.isCharacterDevice() && !found.isBlockDevice();
  if (isLeftover) await rm(path, { recursive: true, force: true });
  // Appending: in a file that was cut short our next words would stand where they belong, and it would not show.
  return open(path, 'a');
}

const END_BYTES = 64 * 1024;
/** Drain looks at the pipe in steps of this length; steps, not the clock, so that a busy machine loses nothing. */
const STEP_MS = 10;
/** So many steps may an open pipe stay silent after the process has ended. */
const IDLE_STEPS = 20;

/** Streams what a process prints to a file, redacted, with back-pressure, and keeps both ends in memory. */
export class StreamCapture {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #redactor: StreamRedactor;
  readonly #ends = new TextEnds();
  #source: Readable | undefined;
  #bytes = 0;
  #written = 0;
  #finished: Promise<void> = Promise.resolve();
  #ended = true;
  #error: string | undefined;

  private constructor(path: string, file: FileHandle, secrets: readonly string[]) {
    this.#path = path;
    this.#file = file;
    this.#redactor = new StreamRedactor(secrets);
  }

  /** Opens the file (and its folder); do it before the process starts, so that a failure costs nothing. */
  static async open(path: string, secrets: readonly string[]): Promise<StreamCapture> {
    return new StreamCapture(path, await openAnew(path), secrets);
  }

  /** Starts to read. */
  attach(source: Readable): void {
    this.#source = source;
    this.#ended = false;
    this.#finished = this.#consume(source).finally(() => {
      this.#ended = true;
    });
  }

  /** Reads what is still in the pipe, but waits for nobody who keeps it open, and closes the file. */
  async finish(limitMs: number): Promise<CapturedStream> {
    let seen = this.#bytes;
    for (let step = 0, idle = 0; !this.#ended && step < limitMs / STEP_MS && idle < IDLE_STEPS; step += 1) {
      await Promise.race([this.#finished, sleep(STEP_MS)]);
      idle = this.#bytes === seen ? idle + 1 : 0;
      seen = this.#bytes;
    }
    this.#source?.destroy();
    await this.#finished;
    await this.#write(this.#redactor.end());
    this.#error ??= await this.#findTampering();
    await this.#file.close();
    return {
      path: this.#path,
      bytes: this.#bytes,
      ...this.#ends.read(),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }

  /** An agent runs as we do and can reach the file: what it made of it must not be taken for output. */
  async #findTampering(): Promise<string | undefined> {
    const own = await this.#file.stat();
    if (!own.isFile()) return undefined;
    const found = await statOrNull(this.#path);
    if (found === null) return `${this.#path} was removed while it was written`;
    if (found.ino !== own.ino || found.dev !== own.dev)
      return `${this.#path} was replaced while it was written`;
    return own.size === this.#written ? undefined : `${this.#path} was changed while it was written`;
  }

  async #consume(source: Readable): Promise<void> {
    try {
      for await (const chunk of source) {
        if (!Buffer.isBuffer(chunk)) throw new TypeError('expected a stream of bytes');
        this.#bytes += chunk.length;
        await this.#write(this.#redactor.push(chunk));
      }
    } catch (error) {
      // Our own destroy() ends the loop with this code: what was read until then is all there is.
      if (!hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) this.#error ??= messageOf(error);
    }
  }

  async #write(data: Buffer): Promise<void> {
    if (data.length === 0) return;
    this.#ends.add(data);
    if (this.#error !== undefined) return;
    try {
      await this.#file.writeFile(data);
      this.#written += data.length;
    } catch (error) {
      // Go on reading: a process whose pipe nobody reads would hang, and its end would be lost too.
      this.#error = messageOf(error);
    }
  }
}

/** The first and the last 64 KiB of a sequence of buffers. */
class TextEnds {
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  add(data: Buffer): void {
    this.#total += data.length;
    const room = END_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, data.subarray(0, room)]);
    const rest = data.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    // A copy, because a slice keeps the whole buffer under it alive.
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - END_BYTES))));
    this.#tailBytes += Math.min(rest.length, END_BYTES);
    for (
      let first = this.#tail[0];
      first && this.#tailBytes - first.length >= END_BYTES;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
    // Many tiny writes: keep the list short.
    if (this.#tail.length > 256) this.#tail = [Buffer.concat(this.#tail)];
  }

  read(): Pick<CapturedStream, 'head' | 'tail' | 'omittedBytes' | 'truncated'> {
    const all = Buffer.concat(this.#tail);
    const tail = all.subarray(Math.max(0, all.length - END_BYTES));
    const omittedBytes = this.#total - this.#head.length - tail.length;
    // Without a gap the two are one text: decode it whole, a character may sit across the border.
    if (omittedBytes === 0) {
      return {
        head: Buffer.concat([this.#head, tail]).toString('utf8'),
        tail: '',
        omittedBytes,
        truncated: false,
      };
    }
    return { head: this.#head.toString('utf8'), tail: tail.toString('utf8'), omittedBytes, truncated: true };
  }
}
