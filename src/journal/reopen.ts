import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { createStringSharer } from '../domain/common/share-strings.js';
import { createJournalReader, type JournalEvent, parseRecord } from '../domain/journal.js';
import { openToContinue } from '../exec/files/plain-file.js';
import type { RunDir } from '../workspace/runs/runs.js';
import { createContradictionFinder } from './contradictions.js';
import { keepForReport } from './keep-for-report.js';
import { createSealChecker } from './seal.js';
import { createJournalWriter, type JournalWriter, journalPath } from './writer.js';

/** The journal of a run that ended early. Nothing is changed until it goes on. */
export interface ReopenedJournal {
  /** Reduced to what reports need. */
  readonly records: readonly JournalEvent[];
  /** Cuts a last line that a crash tore, and appends from there. */
  readonly goOn: () => JournalWriter;
  /** Closes the file if the run does not go on. */
  readonly leave: () => void;
}

const NEW_LINE = '\n'.charCodeAt(0);

/**
 * Opens the journal of an earlier run to append to it. The file stays open, so that what was checked is what is continued.
 * Throws if a line is bad, except for a last one without its end.
 */
export function reopenJournal(run: RunDir): ReopenedJournal {
  const file = openToContinue(journalPath(run));
  try {
    const { records, written, bytes, tail, seals, contradictions } = readLines(file);
    // A line that lacks nothing but its end is a whole record.
    const last = parseRecord(tail.toString('utf8'), createStringSharer());
    if (last.ok) {
      records.push(keepForReport(last.event));
      written.update(tail).update('\n');
      seals.add(tail.toString('utf8'));
    }
    const found = seals.end({ torn: false }) ?? contradictions.end();
    if (found !== null) records.push({ type: 'journal-changed', at: '', what: 'journal-later', found });
    const goOn = () => {
      if (last.ok) writeSync(file, '\n');
      else if (tail.length > 0) ftruncateSync(file, bytes);
      fsyncSync(file);
      const kept = last.ok ? tail.length + 1 : 0;
      return createJournalWriter(run, { file, written, seal: seals.next(), bytes: bytes + kept, records });
    };
    return { records, goOn, leave: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reads all lines that have an end; `tail` is what comes after the last one. */
function readLines(file: number) {
  const contradictions = createContradictionFinder();
  const reader = createJournalReader((event) => keepForReport(contradictions.add(event)));
  const seals = createSealChecker();
  const written = createHash('sha256');
  const piece = Buffer.alloc(1024 * 1024);
  let begun: Buffer[] = [];
  let bytes = 0;
  for (let position = 0; ; ) {
    const count = readSync(file, piece, 0, piece.length, position);
    if (count === 0) break;
    position += count;
    // The piece is used again for the next bytes.
    let rest = Buffer.from(piece.subarray(0, count));
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      const line = Buffer.concat([...begun, rest.subarray(0, end + 1)]);
      begun = [];
      rest = rest.subarray(end + 1);
      const text = line.toString('utf8').slice(0, -1);
      seals.add(text);
      reader.add(text);
      written.update(line);
      bytes += line.length;
    }
    if (rest.length > 0) begun.push(rest);
  }
  const { events: records } = reader.end({ complete: true });
  return { records, contradictions, written, bytes, tail: Buffer.concat(begun), seals };
}
