import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs';
import type { JournalEvent } from '../domain/journal.js';
import { openToContinue } from '../exec/files/plain-file.js';
import type { RunDir } from '../workspace/runs/runs.js';
import { keepForReport } from './keep-for-report.js';
import { createJournalChecker, LINE_FEED, readLines } from './reader.js';
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
