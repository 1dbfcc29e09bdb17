import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from '../domain/journal.js';
import type { RunDir } from '../workspace/runs.js';

/** Appends events to the journal of a run. What an attempt found is on disk before the next one starts. */
export interface JournalWriter {
  readonly path: string;
  append(event: JournalEvent): void;
  close(): void;
}

/** Where a run keeps its journal. */
export function journalPath(run: RunDir): string {
  return join(run.path, 'journal.jsonl');
}

/** Opens the journal of a new run. */
export function openJournal(run: RunDir): JournalWriter {
  const path = journalPath(run);
  const file = openSync(path, 'ax');
  return {
    path,
    append(event) {
      writeSync(file, `${JSON.stringify(event)}\n`);
      if (event.type !== 'attempt-started') fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
