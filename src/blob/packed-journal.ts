import { createStringSharer } from '../domain/common/share-strings.js';
import { type JournalEvent, parseRecord } from '../domain/journal.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { keepForReport } from '../journal/keep-for-report.js';
import { readLines } from '../journal/reader.js';
import { createSealer } from '../journal/seal.js';
import { journalPath } from '../journal/writer.js';
import type { RunDir } from '../workspace/runs/runs.js';

/**
 * Returns the lines of the journal. The file has more than the records in memory, which are reduced to what reports need.
 * Where the file does not agree with what was recorded, the record in memory counts.
 */
export async function* sealRecords(run: RunDir, records: readonly JournalEvent[]): AsyncIterable<Buffer> {
  const share = createStringSharer();
  const seal = createSealer();
  const path = journalPath(run);
  const file = await openPlainFile(path).catch(() => null);
  try {
    const written = file === null ? null : readLines(file.fd, path)[Symbol.iterator]();
    for (const record of records) {
      const parsed = parseRecord(nextLine(written), share);
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
export async function* cutPieces(lines: AsyncIterable<Buffer>, bytes: number): AsyncIterable<Buffer> {
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
