import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createStringSharer } from '../domain/common/share-strings.js';
import { joinParts } from '../domain/joined-parts.js';
import { type JournalEvent, parseRecord } from '../domain/journal.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { keepForReport } from '../journal/keep-for-report.js';
import { createSealer } from '../journal/seal.js';
import { journalPath } from '../journal/writer.js';
import type { RunDir } from '../workspace/runs/runs.js';
import { describeBlob } from './describe.js';
import { BLOB_LIMITS, type BlobLimits, splitBlobPath } from './format.js';

/** Writes a run into one file: its records, and the files that its reports link to. */
export async function writeBlob(
  path: string,
  run: RunDir,
  records: readonly JournalEvent[],
  limits: BlobLimits = BLOB_LIMITS,
): Promise<void> {
  await writeFileAtomic(path, pack(listContent(run, records, limits)));
}

/** Compresses the content, and appends the hash of all bytes. */
async function* pack(content: AsyncIterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  const gzip = createGzip();
  // An error of the content also ends the gzip, where it is noticed.
  pipeline(Readable.from(content), gzip).catch(() => {});
  for await (const piece of gzip) {
    hash.update(piece);
    yield piece;
  }
  yield Buffer.from(`${hash.digest('hex')}\n`);
}

async function* listContent(
  run: RunDir,
  records: readonly JournalEvent[],
  limits: BlobLimits,
): AsyncIterable<string | Uint8Array> {
  yield `${JSON.stringify(describeBlob(records))}\n`;
  let bytes = 0;
  for await (const line of listLines(run, records)) {
    bytes += Buffer.byteLength(line) + 1;
    yield `${line}\n`;
  }
  yield '\n';
  let [files, leftOut] = [0, 0];
  for (const path of await listFiles(run, records)) {
    const content = await readFile(join(run.path, path), limits.fileBytes);
    if (content === null) continue;
    // The path, the hash and the end need room, too.
    const needed = content === 'large' ? Number.POSITIVE_INFINITY : content.length + limits.headerBytes;
    if (content === 'large' || bytes + needed > limits.unpackedBytes || files >= limits.files) {
      leftOut += 1;
      continue;
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    const line = `${JSON.stringify({ path, size: content.length, sha256 })}\n`;
    bytes += line.length + content.length + 1;
    files += 1;
    yield line;
    yield content;
    yield '\n';
  }
  yield `${JSON.stringify({ end: true, files, leftOut })}\n`;
}

/**
 * Lists the lines of the journal. The file has more than the records in memory, which are reduced to what reports need.
 * Where the file does not agree with what was recorded, the record in memory counts.
 */
async function* listLines(run: RunDir, records: readonly JournalEvent[]): AsyncIterable<string> {
  const share = createStringSharer();
  const seal = createSealer();
  const written = readLines(journalPath(run));
  for (const record of records) {
    const line = await written.next().catch(() => null);
    const parsed = line === null || line.done ? null : parseRecord(line.value, share);
    const agrees =
      parsed?.ok === true && JSON.stringify(keepForReport(parsed.event)) === JSON.stringify(record);
    yield seal(JSON.stringify(agrees ? parsed.event : record));
  }
  await written.return(undefined);
}

async function* readLines(path: string): AsyncGenerator<string, undefined> {
  const file = await openPlainFile(path);
  yield* file.readLines();
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
  return found
    .flat()
    .filter((path) => splitBlobPath(path) !== null)
    .sort();
}

/** Reads a file; null if it is gone or no longer a plain file. */
async function readFile(path: string, maxBytes: number): Promise<Buffer | 'large' | null> {
  const file = await openPlainFile(path).catch(() => null);
  if (file === null) return null;
  try {
    return (await file.stat()).size > maxBytes ? 'large' : await file.readFile();
  } finally {
    await file.close();
  }
}
