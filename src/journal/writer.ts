import { createHash, type Hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../domain/common/message-of.js';
import { createStringSharer } from '../domain/common/share-strings.js';
import { type JournalEvent, parseRecord } from '../domain/journal.js';
import { hasErrorCode } from '../exec/error-code.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { openToContinue } from '../exec/files/plain-file.js';
import { type RunDir, restoreRunDir } from '../workspace/runs/runs.js';
import { rememberRun } from './own-runs.js';
import { createJournalChecker, keepForReport, LINE_FEED, readLines } from './reader.js';
import { createSealer } from './seal.js';

/** Appends records to the journal of a run. The result of an attempt is on disk before the next one starts. */
export interface JournalWriter {
  readonly path: string;
  /**
   * The records as a reader of the file would get them, reduced to what reports need. They are kept in memory because an
   * agent runs as the same user and can rewrite the file: no verdict depends on what is read back.
   */
  readonly records: readonly JournalEvent[];
  append(event: JournalEvent): void;
  /** Closes the file. If somebody changed it, writes the journal again and adds a record that says so. */
  close(): Promise<void>;
}

/** Returns the path of a run's journal. */
export function journalPath(run: RunDir): string {
  return join(run.path, 'journal.jsonl');
}

/** Opens the journal of a new run. */
export function openJournal(run: RunDir): JournalWriter {
  const file = openSync(journalPath(run), 'ax+');
  return createJournalWriter(run, {
    file,
    written: createHash('sha256'),
    seal: createSealer(),
    bytes: 0,
    records: [],
  });
}

/** A journal file that is open for appending, and what is in it. */
interface OpenedJournal {
  readonly file: number;
  /** The hash of its content so far. */
  readonly written: Hash;
  /** Seals the next line. */
  readonly seal: (json: string) => string;
  readonly bytes: number;
  readonly records: JournalEvent[];
}

/** Creates the writer that appends to an opened journal. */
function createJournalWriter(run: RunDir, opened: OpenedJournal): JournalWriter {
  const path = journalPath(run);
  const { file, written, seal, records } = opened;
  const share = createStringSharer();
  let { bytes } = opened;
  /** Why a record could not be written. The run goes on: its verdict rests on the records in memory. */
  let unwritten: string | null = null;
  /** Parses a line as a reader would, before it is written: one unreadable record would cost the whole report. */
  const readBack = (line: string): JournalEvent => {
    const parsed = parseRecord(line);
    if (!parsed.ok) throw new Error(`A record does not fit the journal: ${parsed.why}`);
    const record = keepForReport(parsed.event);
    share(record);
    return record;
  };
  return {
    path,
    records,
    append(event) {
      const json = JSON.stringify(event);
      const record = readBack(json);
      const data = Buffer.from(`${seal(json)}\n`);
      records.push(record);
      if (unwritten !== null) return;
      try {
        for (let done = 0; done < data.length; ) done += writeSync(file, data, done);
        if (event.type !== 'attempt-started') fsyncSync(file);
        written.update(data);
        bytes += data.length;
        if (event.type === 'run-started') rememberRun(data.toString());
      } catch (error) {
        // A full disk leaves half a line. That does not mean that somebody changed the file.
        unwritten = messageOf(error);
      }
    },
    async close() {
      const at = new Date().toISOString();
      const found =
        unwritten === null ? findChange(path, file, { bytes, digest: written.digest('hex') }) : null;
      closeSync(file);
      if (unwritten !== null)
        records.push({ type: 'journal-changed', at, what: 'journal-unwritten', found: unwritten });
      if (found === null) return;
      records.push({ type: 'journal-changed', at, found });
      try {
        await writeAgain(run, records);
      } catch (error) {
        records.push({ type: 'journal-changed', at, what: 'journal-unwritten', found: messageOf(error) });
      }
    },
  };
}

/** Describes how the file differs from what was appended, or null. Never opens the path: something else may be there. */
function findChange(
  path: string,
  file: number,
  written: { readonly bytes: number; readonly digest: string },
): string | null {
  const own = fstatSync(file);
  const there = statAt(path);
  if (there === null) return 'it was removed';
  if (there.ino !== own.ino || there.dev !== own.dev) return 'it was replaced';
  if (own.size !== written.bytes) return `it has ${own.size} bytes, but ${written.bytes} were written`;
  return digestOf(file, own.size) === written.digest ? null : 'its content was changed';
}

function statAt(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return null;
    throw error;
  }
}

function digestOf(file: number, size: number): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1024 * 1024);
  for (let position = 0; position < size; ) {
    const count = readSync(file, piece, 0, piece.length, position);
    if (count === 0) break;
    hash.update(piece.subarray(0, count));
    position += count;
  }
  return hash.digest('hex');
}

/** Writes the journal again. Keeps the changed file next to it: it may show who changed it. */
async function writeAgain(run: RunDir, records: readonly JournalEvent[]): Promise<void> {
  await restoreRunDir(run);
  const path = journalPath(run);
  await rename(path, join(run.path, `journal.changed-${randomUUID()}.jsonl`)).catch((error) => {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  });
  await writeFileAtomic(path, lines(records));
}

function* lines(records: readonly JournalEvent[]): Iterable<string> {
  const seal = createSealer();
  for (const record of records) yield `${seal(JSON.stringify(record))}\n`;
}

/** The journal of a run that ended early. Nothing is changed until it goes on. */
interface ReopenedJournal {
  /** Reduced to what reports need. */
  readonly records: readonly JournalEvent[];
  /** Cuts a last line that a crash tore, and appends from there. */
  readonly goOn: () => JournalWriter;
  /** Closes the file if the run does not go on. */
  readonly leave: () => void;
}

/**
 * Opens the journal of an earlier run to append to it. The file stays open, so that what was checked is what is continued.
 * Throws if a line is bad, except for a last one without its end.
 */
export function reopenJournal(run: RunDir): ReopenedJournal {
  const path = journalPath(run);
  const file = openToContinue(path);
  try {
    const checker = createJournalChecker(keepForReport);
    const written = createHash('sha256');
    let bytes = 0;
    const count = (line: Buffer) => {
      written.update(line);
      bytes += line.length;
    };
    let begun: Buffer | null = null;
    for (const line of readLines(file, path)) {
      checker.add(line);
      if (line.at(-1) === LINE_FEED) count(line);
      else begun = line;
    }
    const { events: records, torn } = checker.end();
    const goOn = () => {
      if (torn) ftruncateSync(file, bytes);
      else if (begun !== null) {
        // A line that lacks nothing but its end is a whole record.
        writeSync(file, '\n');
        count(Buffer.concat([begun, Buffer.from('\n')]));
      }
      fsyncSync(file);
      return createJournalWriter(run, { file, written, seal: checker.nextSeal(), bytes, records });
    };
    return { records, goOn, leave: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
