import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type * as z from 'zod';
import { FORMATS, requireReadable } from '../domain/common/formats.js';
import { isTooDeep, parseJson } from '../domain/common/json-lines.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import { createStringSharer } from '../domain/common/share-strings.js';
import { type JournalEvent, parseRecord } from '../domain/journal.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { createSealChecker } from '../journal/seal.js';
import {
  BLOB_LIMITS,
  type BlobFile,
  type BlobHeader,
  type BlobLimits,
  blobEndSchema,
  blobFileSchema,
  blobHeaderSchema,
  DIGEST_BYTES,
} from './format.js';
import { createUnpacker, Excess, type Unpacker } from './unpack.js';

/** Gets what is in a blob, in its order. */
interface BlobVisitor {
  readonly record: (event: JournalEvent, index: number) => void;
  readonly file: (file: BlobFile, content: Buffer) => Promise<void> | void;
}

/** Reads a blob. Throws if it is not exactly what ralph-e2e wrote. What the visitor got before that must not count. */
export async function readBlob(
  path: string,
  visitor: BlobVisitor,
  limits: BlobLimits = BLOB_LIMITS,
): Promise<{ readonly header: BlobHeader; readonly sha256: string }> {
  const file = await openNamed(path);
  try {
    const { size } = await file.stat();
    if (size > limits.packedBytes)
      throw notABlob(path, `${size} bytes, and a blob has at most ${limits.packedBytes}`);
    const sha256 = await requireUndamaged(path, file, size);
    const gunzip = createGunzip();
    const source = file.createReadStream({ start: 0, end: size - DIGEST_BYTES - 1, autoClose: false });
    // Its errors also end the gunzip, where they are noticed.
    const done = pipeline(source, gunzip).catch(() => {});
    try {
      const unpacker = createUnpacker(gunzip, limits.unpackedBytes);
      return { header: await readContent(path, unpacker, visitor, limits), sha256 };
    } catch (error) {
      throw error instanceof KnownError ? error : explain(path, error);
    } finally {
      gunzip.destroy();
      await done;
    }
  } finally {
    await file.close();
  }
}

async function openNamed(path: string) {
  try {
    return await openPlainFile(await realpath(path));
  } catch (error) {
    throw notABlob(path, `no readable file: ${messageOf(error)}`);
  }
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof Excess) return notABlob(path, error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') ? notABlob(path, 'something that cannot be unpacked') : error;
}

/** Compares the hash at the end with the bytes before it, and returns it. */
async function requireUndamaged(
  path: string,
  file: Awaited<ReturnType<typeof openPlainFile>>,
  size: number,
): Promise<string> {
  const hash = createHash('sha256');
  let [first, tail] = [Buffer.alloc(0), Buffer.alloc(0)];
  for await (const piece of file.createReadStream({ start: 0, autoClose: false })) {
    if (first.length === 0) first = piece.subarray(0, 2);
    // The last bytes so far may be the hash, so they are held back.
    const joined = Buffer.concat([tail, piece]);
    const keep = Math.max(0, joined.length - DIGEST_BYTES);
    hash.update(joined.subarray(0, keep));
    tail = Buffer.from(joined.subarray(keep));
  }
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  if (size === 0) throw notABlob(path, 'an empty file');
  if (!isGzip) throw notABlob(path, 'something else');
  if (!/^[0-9a-f]{64}\n$/.test(tail.toString('latin1'))) throw notABlob(path, 'a file without its end');
  const sha256 = hash.digest('hex');
  if (tail.toString('latin1').trim() !== sha256) throw notABlob(path, 'a file that was damaged');
  return sha256;
}

async function readContent(
  path: string,
  unpacker: Unpacker,
  visitor: BlobVisitor,
  limits: BlobLimits,
): Promise<BlobHeader> {
  const first = await unpacker.line(limits.headerBytes);
  requireReadable(parseJson(first ?? ''), FORMATS.blob, path);
  const header = parseLine(path, first, blobHeaderSchema, 'its header');
  await readRecords(path, unpacker, visitor, limits);
  await readFiles(path, unpacker, visitor, limits);
  if ((await unpacker.line(limits.headerBytes)) !== null) throw notABlob(path, 'something after its end');
  return header;
}

async function readRecords(
  path: string,
  unpacker: Unpacker,
  visitor: BlobVisitor,
  limits: BlobLimits,
): Promise<void> {
  const share = createStringSharer();
  const seals = createSealChecker();
  for (let index = 0; ; index += 1) {
    const line = await unpacker.line(limits.recordBytes);
    if (line === null) throw notABlob(path, 'records without an end');
    if (line === '') break;
    seals.add(line);
    const parsed = isTooDeep(line) ? null : parseRecord(line, share);
    if (parsed?.ok !== true) throw notABlob(path, `record ${index + 1}, which is none`);
    visitor.record(parsed.event, index);
  }
  const broken = seals.end({ torn: false });
  if (broken !== null) throw notABlob(path, `records of which ${broken}`);
}

async function readFiles(
  path: string,
  unpacker: Unpacker,
  visitor: BlobVisitor,
  limits: BlobLimits,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const line = await unpacker.line(limits.headerBytes);
    const end = blobEndSchema.safeParse(parseJson(line ?? ''));
    if (end.success) {
      if (end.data.files !== count)
        throw notABlob(path, `${count} files, and its end says ${end.data.files}`);
      return;
    }
    const file = parseLine(path, line, blobFileSchema, `file ${count + 1}`);
    if (count >= limits.files) throw notABlob(path, `more than ${limits.files} files`);
    const name = JSON.stringify(file.path.slice(0, 200));
    if (file.size > limits.fileBytes) throw notABlob(path, `${name} with ${file.size} bytes`);
    const content = await unpacker.bytes(file.size);
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (sha256 !== file.sha256) throw notABlob(path, `${name} with other content than recorded`);
    if ((await unpacker.line(0)) !== '') throw notABlob(path, `${name} with another length than recorded`);
    await visitor.file(file, content);
  }
}

function parseLine<Content>(
  path: string,
  line: string | null,
  schema: z.ZodType<Content>,
  what: string,
): Content {
  const parsed = schema.safeParse(parseJson(line ?? ''));
  if (parsed.success) return parsed.data;
  throw notABlob(
    path,
    line === null ? `no end where ${what} should be` : `something else where ${what} should be`,
  );
}

/** The error for a file that is no blob, or is no longer as it was written. */
export function notABlob(path: string, found: string): KnownError {
  return new KnownError(`${path}: expected a blob as ralph-e2e wrote it, found ${found}.`, {
    hint: 'Get the file again from the machine that made it with --report blob, or run that shard again.',
  });
}
