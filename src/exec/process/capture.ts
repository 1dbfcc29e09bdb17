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

/** A captured output stream: all of it is on disk, its beginning and end are in memory. */
export interface CapturedStream {
  readonly path: string;
  /** Bytes that the process wrote, before redaction. */
  readonly bytes: number;
  /** The first 64 KiB, redacted. Bytes that are not UTF-8 are replacement characters. */
  readonly head: string;
  /** The last 64 KiB of what is not in `head`; empty if `head` contains everything. */
  readonly tail: string;
  /** How many bytes between `head` and `tail` are only in the file. */
  readonly omittedBytes: number;
  /** Whether `head` and `tail` together are less than the file. */
  readonly truncated: boolean;
  /** Why the file is not what the process wrote, such as a full disk or an agent that removed it. */
  readonly error?: string;
}

/** Joins head and tail to one text that says how much is missing between them. */
export function joinHeadAndTail(
  stream: Pick<CapturedStream, 'head' | 'tail' | 'omittedBytes' | 'path' | 'error'>,
): string {
  if (stream.omittedBytes === 0) return stream.head + stream.tail;
  const where = stream.error ?? `all of it in ${stream.path}`;
  return `${stream.head}\n… ${stream.omittedBytes} bytes omitted, ${where} …\n${stream.tail}`;
}

/** Joins several captured streams, in their order, to one with its own file. */
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

/** Reads what a process wrote; if its file was changed, what is in memory. */
export async function* readCapture(stream: CapturedStream): AsyncIterable<Buffer> {
  if ((await findLoss(stream)) === undefined) yield* (await openPlainFile(stream.path)).createReadStream();
  else yield Buffer.from(joinHeadAndTail(stream));
}

/** Why the file cannot be used, if so. A later turn of a conversation can remove the output of an earlier one. */
async function findLoss({ path, error }: CapturedStream): Promise<string | undefined> {
  if (error !== undefined) return error;
  return (await statOrNull(path))?.isFile() ? undefined : `${path} was removed or replaced later`;
}

/** Opens a new file. An agent may have put anything at its path: a folder, a link, a pipe that nobody reads. */
async function openAnew(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path));
  const found = await statOrNull(path);
  // Keep a device such as /dev/null.
  const isLeftover = found !== null && !found.isCharacterDevice() && !found.isBlockDevice();
  if (isLeftover) await rm(path, { recursive: true, force: true });
  // Open for append: if the agent truncates the file, later writes land at the wrong offset and the tampering shows.
  return open(path, 'a');
}

const END_BYTES = 64 * 1024;
/** The interval for looking at the pipe. Steps are counted, not time, so that a busy machine loses nothing. */
const STEP_MS = 10;
/** How many steps an open pipe may stay silent after the process has ended. */
const IDLE_STEPS = 20;

export interface CaptureOptions {
  /** Values that must not reach disk, memory or a screen. */
  readonly secrets: readonly string[];
  /** Gets the redacted output as it arrives. */
  readonly onOutput?: ((data: Buffer) => void) | undefined;
}

/** Streams the output of a process to a file, redacted and with back-pressure, and keeps both ends in memory. */
export class StreamCapture {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #redactor: StreamRedactor;
  readonly #ends = new TextEnds();
  #source: Readable | undefined;
  #bytes = 0;
  #written = 0;
  #writing = false;
  #finished: Promise<void> = Promise.resolve();
  #ended = true;
  #error: string | undefined;
  readonly #onOutput: ((data: Buffer) => void) | undefined;

  private constructor(
    path: string,
    file: FileHandle,
    { secrets, onOutput }: Pick<CaptureOptions, 'secrets' | 'onOutput'>,
  ) {
    this.#path = path;
    this.#file = file;
    this.#redactor = new StreamRedactor(secrets);
    this.#onOutput = onOutput;
  }

  /** Opens the file and its folder. Call it before the process starts, so that a failure costs nothing. */
  static async open(path: string, options: CaptureOptions): Promise<StreamCapture> {
    return new StreamCapture(path, await openAnew(path), options);
  }

  /** Starts reading. */
  attach(source: Readable): void {
    this.#source = source;
    this.#ended = false;
    this.#finished = this.#consume(source).finally(() => {
      this.#ended = true;
    });
  }

  /** Reads what is still in the pipe and closes the file. Does not wait for processes that keep the pipe open. */
  async finish(limitMs: number): Promise<CapturedStream> {
    let seen = this.#bytes;
    for (let step = 0, idle = 0; !this.#ended && step < limitMs / STEP_MS && idle < IDLE_STEPS; step += 1) {
      await Promise.race([this.#finished, sleep(STEP_MS)]);
      // Nobody reads the pipe while the disk is slow: that it is silent then says nothing.
      idle = this.#bytes === seen && !this.#writing ? idle + 1 : 0;
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

  /** Detects changes by the agent, which runs as the same user: they must not count as output. */
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
      // Our own destroy() ends the loop with this code. What was read until then is everything.
      if (!hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) this.#error ??= messageOf(error);
    }
  }

  async #write(data: Buffer): Promise<void> {
    if (data.length === 0) return;
    this.#ends.add(data);
    this.#onOutput?.(data);
    if (this.#error !== undefined) return;
    this.#writing = true;
    try {
      await this.#file.writeFile(data);
      this.#written += data.length;
    } catch (error) {
      // Go on reading: a process whose pipe nobody reads would hang, and we would also lose the end of its output.
      this.#error = messageOf(error);
    } finally {
      this.#writing = false;
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
    // A copy, because a slice keeps the whole buffer alive.
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
    // Keep the list short if there are many tiny writes.
    if (this.#tail.length > 256) this.#tail = [Buffer.concat(this.#tail)];
  }

  read(): Pick<CapturedStream, 'head' | 'tail' | 'omittedBytes' | 'truncated'> {
    const all = Buffer.concat(this.#tail);
    const tail = all.subarray(Math.max(0, all.length - END_BYTES));
    const omittedBytes = this.#total - this.#head.length - tail.length;
    // Without a gap, decode both as one text: a character may lie across the border.
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
