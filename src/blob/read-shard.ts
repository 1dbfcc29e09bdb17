import { isDeepStrictEqual } from 'node:util';
import { joinParts } from '../domain/joined-parts.js';
import type { JournalEvent } from '../domain/journal.js';
import type { ShardChoice } from '../domain/shard.js';
import { createContradictionFinder } from '../journal/contradictions.js';
import { keepForReport } from '../journal/keep-for-report.js';
import { type RunStarted, requireWhole } from '../run/resume/whole-journal.js';
import { choiceOf, describeBlob } from './describe.js';
import { type BlobFile, type BlobHeader, type BlobLimits, splitBlobPath } from './format.js';
import { findOwnFolder } from './move-paths.js';
import { notABlob, readBlob } from './read.js';

/** A blob that was read completely and is what it says. */
export interface ReadShard {
  readonly path: string;
  /** Of the whole file. */
  readonly sha256: string;
  readonly choice: ShardChoice;
  readonly started: RunStarted;
  /** All records, reduced to what reports need. */
  readonly records: readonly JournalEvent[];
  /** The places of the records that count: what was cut off and ran again later does not. */
  readonly counted: ReadonlySet<number>;
}

/** Reads a blob without writing anything. */
export async function readShardBlob(path: string, limits?: BlobLimits): Promise<ReadShard> {
  const records: JournalEvent[] = [];
  const files: BlobFile[] = [];
  const contradictions = createContradictionFinder();
  const visitor = {
    record: (event: JournalEvent) => void records.push(keepForReport(contradictions.add(event))),
    file: (file: BlobFile) => void files.push(file),
  };
  const { header, sha256 } = await readBlob(path, visitor, limits);
  const contradiction = contradictions.end();
  if (contradiction !== null) throw notABlob(path, `a contradiction: ${contradiction}`);
  const started = requireRun(path, header, records);
  const joined = new Set(joinParts(records));
  const counted = new Set(records.flatMap((event, index) => (joined.has(event) ? [index] : [])));
  requireOwnFolders(path, started, records);
  requireOwnFiles(path, files, records);
  return { path, sha256, choice: choiceOf(started), started, records, counted };
}

/** Refuses records that no run writes, and those of another run than the header says. */
function requireRun(path: string, header: BlobHeader, records: readonly JournalEvent[]): RunStarted {
  if (records[0]?.type !== 'run-started') throw notABlob(path, 'records without a beginning');
  if (!isDeepStrictEqual(header, { ...header, ...describeBlob(records) }))
    throw notABlob(path, 'a header that is about another run than the records');
  // What a run noted about tampering belongs into the merged report.
  const own = records.filter(({ type }) => type !== 'journal-changed');
  const started = requireWhole(own, header.runId);
  if (started.merged !== undefined) throw notABlob(path, 'a run that was merged already');
  return started;
}

/** Refuses records that name folders elsewhere: nothing may make a report link to them. */
function requireOwnFolders(path: string, started: RunStarted, records: readonly JournalEvent[]): void {
  for (const event of records)
    if (
      (event.type === 'attempt-finished' || event.type === 'cause-examined') &&
      findOwnFolder(started, event) === null
    )
      throw notABlob(path, `the folder ${JSON.stringify(event.artifacts.slice(0, 200))} in a record`);
}

/** Refuses files that belong to no attempt of the run, and two files with the same name on some file systems. */
function requireOwnFiles(path: string, files: readonly BlobFile[], records: readonly JournalEvent[]): void {
  const folders = new Set(
    records.flatMap((event) =>
      event.type === 'attempt-finished' || event.type === 'cause-examined'
        ? [event.artifacts.split('/').slice(-2).join('/')]
        : [],
    ),
  );
  const seen = new Set<string>();
  for (const file of files) {
    const parts = splitBlobPath(file.path);
    const name = JSON.stringify(file.path.slice(0, 200));
    if (parts === null || !folders.has(`${parts.test}/${parts.attempt}`))
      throw notABlob(path, `the file ${name}, which no run leaves`);
    if (seen.has(file.path.toLowerCase())) throw notABlob(path, `the file ${name} twice`);
    seen.add(file.path.toLowerCase());
  }
}
