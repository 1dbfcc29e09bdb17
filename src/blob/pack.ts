import { createReadStream } from 'node:fs';
import { appendFile, type FileHandle, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../domain/common/formats.js';
import { parseJson } from '../domain/common/json-lines.js';
import { KnownError } from '../domain/common/known-error.js';
import { joinParts } from '../domain/joined-parts.js';
import { type JournalEvent, parseRecord } from '../domain/journal.js';
import { describeUnreadable, hasErrorCode } from '../exec/error-code.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { keepForReport, readLines } from '../journal/reader.js';
import { createSealer } from '../journal/seal.js';
import { journalPath } from '../journal/writer.js';
import type { RunDir } from '../workspace/runs/runs.js';

/**
 * A blob is the folder of a run, packed: its journal, and the files of attempts that reports link to. It is gzipped lines.
 * The first has the format, and each other one the next piece of a file, a character for each byte. The checksum of gzip
 * covers all of it.
 */
const headerSchema = z.object({
  blob: z.literal('ralph-e2e'),
  format: z.literal(FORMATS.blob.format),
});
const pieceSchema = z.strictObject({ path: z.string(), bytes: z.string() });

const MEBIBYTE = 1024 * 1024;

/** What a writer leaves out and a reader refuses: more than this is no blob, but an attack on the disk. */
export const BLOB_LIMITS = {
  packedBytes: 512 * MEBIBYTE,
  unpackedBytes: 2048 * MEBIBYTE,
  pieces: 200_000,
} as const;
export type BlobLimits = { readonly [Name in keyof typeof BLOB_LIMITS]: number };

const PIECE_BYTES = MEBIBYTE;
/** A byte may take six characters in JSON, such as \u0000. */
const LONGEST_BYTE = 6;
const LONGEST_LINE = LONGEST_BYTE * PIECE_BYTES + 1_000;

const JOURNAL = 'journal.jsonl';

/**
 * The files of an attempt that reports link to and from which the harness removed credentials. What else is there was
 * written by others, and stays on its machine.
 */
const KEPT_FILE =
  /^(?:(?:turn-\d{1,6}|commands)\/)?(?:stdout\.txt|stderr\.txt|evidence\.json|unanswered-prompt\.txt|agent-script\.json|model-requests\.jsonl)$/;
const ATTEMPT_FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}\/(?:\d{1,6}|debug)\/([a-z0-9./-]{1,100})$/;

/** Whether a blob may have a file at this path, relative to the folder of the run. */
export function isKeptFile(path: string): boolean {
  return KEPT_FILE.test(ATTEMPT_FILE.exec(path)?.[1] ?? '');
}

/** The error for a file that is no blob, or is no longer as it was written. */
export function notABlob(path: string, found: string): KnownError {
  return new KnownError(`${path}: expected a blob as ralph-e2e wrote it, found ${found}.`, {
    hint: 'Get the file again from the machine that made it with --report blob, or run that shard again.',
  });
}

/** Packs the folder of a run that has ended. */
export async function packRun(
  path: string,
  run: RunDir,
  records: readonly JournalEvent[],
  limits: BlobLimits = BLOB_LIMITS,
): Promise<void> {
  const gzip = createGzip();
  // An error of the content also ends the gzip, where it is noticed.
  pipeline(Readable.from(listLines(run, records, limits)), gzip).catch(() => {});
  await writeFileAtomic(path, gzip);
}

async function* listLines(
  run: RunDir,
  records: readonly JournalEvent[],
  limits: BlobLimits,
): AsyncIterable<string> {
  const left = { bytes: limits.unpackedBytes, pieces: limits.pieces };
  const take = (line: string): string => {
    left.bytes -= Buffer.byteLength(line);
    left.pieces -= 1;
    if (left.bytes >= 0 && left.pieces >= 0) return line;
    throw new KnownError(
      `Expected a run that fits into a blob of ${limits.unpackedBytes} bytes and ${limits.pieces} pieces, found a larger one.`,
      { hint: 'Run it in more shards: --shard <i>/<n>.' },
    );
  };
  yield take(`${JSON.stringify({ blob: 'ralph-e2e', format: FORMATS.blob.format })}\n`);
  for await (const piece of cutPieces(sealRecords(run, records), PIECE_BYTES))
    yield take(packPiece(JOURNAL, piece));
  for (const path of await listFiles(run, records)) {
    // A file that is gone or no longer a plain file is left out, and so is one that does not fit.
    const file = await openPlainFile(join(run.path, path)).catch(() => null);
    if (file === null) continue;
    try {
      const { size } = await file.stat();
      if (Math.ceil(size / PIECE_BYTES) > left.pieces) continue;
      // How much a byte takes depends on the byte. What fits anyway is not read twice.
      if (size * LONGEST_BYTE + PIECE_BYTES > left.bytes && (await measure(path, file, size)) > left.bytes)
        continue;
      for await (const line of packFile(path, file, size)) yield take(line);
    } finally {
      await file.close();
    }
  }
}

/** Returns the lines of a file, up to its size: somebody may still write. */
async function* packFile(path: string, file: FileHandle, size: number): AsyncIterable<string> {
  if (size === 0) return;
  const range = { start: 0, end: size - 1, highWaterMark: PIECE_BYTES, autoClose: false };
  for await (const piece of file.createReadStream(range)) yield packPiece(path, piece);
}

async function measure(path: string, file: FileHandle, size: number): Promise<number> {
  let bytes = 0;
  for await (const line of packFile(path, file, size)) bytes += Buffer.byteLength(line);
  return bytes;
}

function packPiece(path: string, piece: Buffer): string {
  return `${JSON.stringify({ path, bytes: piece.toString('latin1') })}\n`;
}

/** Lists the files to take along, relative to the folder of the run. */
async function listFiles(run: RunDir, records: readonly JournalEvent[]): Promise<string[]> {
  const folders = joinParts(records).flatMap((event) =>
    event.type === 'attempt-finished' || event.type === 'cause-examined' ? [event.artifacts] : [],
  );
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => {
      // Fails if the attempt never got to its folder, or somebody removed it.
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(run.path, join(entry.parentPath, entry.name)).split(sep).join('/'));
    }),
  );
  return found.flat().filter(isKeptFile).sort();
}

/** Unpacks a blob into an empty folder, and returns the path of the journal in it. */
export async function unpackBlob(
  path: string,
  folder: string,
  { signal, ...limits }: BlobLimits & { readonly signal?: AbortSignal | undefined } = BLOB_LIMITS,
): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    throw notABlob(path, describeUnreadable(error));
  });
  const found = await stat(real);
  if (!found.isFile()) throw notABlob(path, found.isDirectory() ? 'a folder' : 'no readable file');
  if (found.size > limits.packedBytes)
    throw notABlob(path, `${found.size} bytes, and a blob has at most ${limits.packedBytes}`);
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const source = createReadStream(real);
  // Its errors also end the gunzip, where they are noticed.
  const done = pipeline(source, gunzip).catch(() => {});
  try {
    await unpackLines(path, readPackedLines(path, gunzip, limits), { folder, limits, signal });
  } catch (error) {
    throw error instanceof KnownError ? error : notABlob(path, describeDamage(error));
  } finally {
    gunzip.destroy();
    await done;
  }
  return join(folder, JOURNAL);
}

function describeDamage(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A name that is a file and a folder.
  if (hasErrorCode(error, 'ENOTDIR', 'EISDIR', 'EEXIST')) return 'a file where a folder should be';
  if (!code.startsWith('Z_')) throw error;
  return 'something else, or a file that was damaged or cut';
}

async function unpackLines(
  blob: string,
  lines: AsyncIterable<string>,
  {
    folder,
    limits,
    signal,
  }: { readonly folder: string; readonly limits: BlobLimits; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const known = new Map<string, string>();
  let count = 0;
  for await (const line of lines) {
    signal?.throwIfAborted();
    const data = parseJson(line);
    count += 1;
    if (count === 1) {
      requireReadable(data, FORMATS.blob, blob);
      if (!headerSchema.safeParse(data).success) throw notABlob(blob, 'something else where its format is');
      continue;
    }
    const piece = pieceSchema.safeParse(data);
    if (!piece.success) throw notABlob(blob, `something else in line ${count}`);
    if (count > limits.pieces) throw notABlob(blob, `more than ${limits.pieces} pieces`);
    const { path, bytes } = piece.data;
    const name = JSON.stringify(path.slice(0, 200));
    if (path !== JOURNAL && !isKeptFile(path)) throw notABlob(blob, `the file ${name}, which no run leaves`);
    // Two names that some file systems take for one.
    const other = known.get(path.toLowerCase()) ?? path;
    if (other !== path) throw notABlob(blob, `the file ${name} twice`);
    const target = join(folder, path);
    if (!known.has(path.toLowerCase())) await makeFolder(dirname(target));
    known.set(path.toLowerCase(), path);
    await appendFile(target, Buffer.from(bytes, 'latin1'));
  }
  if (!known.has(JOURNAL)) throw notABlob(blob, 'no journal');
}

async function* readPackedLines(
  blob: string,
  stream: AsyncIterable<Buffer>,
  { unpackedBytes }: BlobLimits,
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let total = 0;
  for await (const piece of stream) {
    total += piece.length;
    if (total > unpackedBytes) throw notABlob(blob, `more than ${unpackedBytes} bytes when unpacked`);
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw notABlob(blob, `a line of more than ${LONGEST_LINE} characters`);
    yield* lines;
  }
  if (rest !== '') throw notABlob(blob, 'a line without its end');
}

/**
 * Returns the lines of the journal. The file has more than the records in memory, which are reduced to what reports need.
 * Where the file does not agree with what was recorded, the record in memory counts.
 */
async function* sealRecords(run: RunDir, records: readonly JournalEvent[]): AsyncIterable<Buffer> {
  const seal = createSealer();
  const path = journalPath(run);
  const file = await openPlainFile(path).catch(() => null);
  try {
    const written = file === null ? null : readLines(file.fd, path)[Symbol.iterator]();
    for (const record of records) {
      const parsed = parseRecord(nextLine(written));
      const agrees = parsed.ok && JSON.stringify(keepForReport(parsed.event)) === JSON.stringify(record);
      yield Buffer.from(`${seal(JSON.stringify(agrees ? parsed.event : record))}\n`);
    }
  } finally {
    await file?.close();
  }
}

/** Returns the next line; nothing if there is none, or none that a run writes. */
function nextLine(lines: Iterator<Buffer> | null): string {
  try {
    const next = lines?.next();
    return next === undefined || next.done ? '' : next.value.toString();
  } catch {
    return '';
  }
}

/** Joins and cuts lines into pieces of this many bytes. The last one is shorter. */
async function* cutPieces(lines: AsyncIterable<Buffer>, bytes: number): AsyncIterable<Buffer> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const line of lines) {
    begun.push(line);
    size += line.length;
    if (size < bytes) continue;
    let rest = Buffer.concat(begun);
    for (; rest.length >= bytes; rest = rest.subarray(bytes)) yield rest.subarray(0, bytes);
    begun = [rest];
    size = rest.length;
  }
  if (size > 0) yield Buffer.concat(begun);
}
