import { KnownError } from '../../domain/common/known-error.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RunCall } from '../../domain/run-call.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { keepForReport } from '../../journal/keep-for-report.js';
import { readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { countOf } from '../../report/words/words.js';
import { type EarlierRun, isUnfinished, requireUnfinished } from '../../run/resume/resume-run.js';
import { requireWhole } from '../../run/resume/whole-journal.js';
import type { RunDir } from '../../workspace/runs/runs.js';
import { chooseRun, findRuns } from './find-runs.js';

/** Finds the run to go on with: the one with this id, or the newest that was interrupted or killed. */
export async function findEarlierRun(output: string, asked: string | undefined): Promise<EarlierRun> {
  const runs = await findRuns(output);
  if (asked === undefined) return findNewest(runs);
  const run = chooseRun(runs, asked);
  const records = await readRecords(run);
  if (records === null)
    throw new KnownError(
      `Run ${run.id} recorded nothing: expected a journal, found none. It is a proof, or it was killed before its first record.`,
      { hint: 'Neither can be resumed. Start it again.' },
    );
  requireUnmerged(run, records);
  await requireUnfinished(run, records);
  return { run, started: requireWhole(records, run.id) };
}

async function findNewest(runs: readonly RunDir[]): Promise<EarlierRun> {
  const unreadable: string[] = [];
  for (const run of runs.toReversed()) {
    const records = await readRecords(run).catch(() => 'unreadable' as const);
    if (records === 'unreadable') unreadable.push(run.id);
    else if (records !== null && !isMerged(records) && (await isUnfinished(run, records)))
      return { run, started: requireWhole(records, run.id) };
  }
  const cannot = unreadable.length === 0 ? '' : ` These cannot be read: ${unreadable.join(', ')}.`;
  throw new KnownError(
    `Expected a run that was interrupted or killed, found none in ${countOf(runs.length, 'run')}.${cannot}`,
    { hint: '`ralph-e2e show --list` lists the runs. `ralph-e2e --last-failed` runs again what failed.' },
  );
}

function isMerged([started]: readonly JournalEvent[]): boolean {
  return started?.type === 'run-started' && started.merged !== undefined;
}

/** Refuses a run that was merged: its tests ran elsewhere. */
function requireUnmerged({ id }: RunDir, records: readonly JournalEvent[]): void {
  const [started] = records;
  if (started?.type !== 'run-started' || started.merged === undefined) return;
  const open = started.merged.filter(({ interrupted }) => interrupted);
  const names = (open.length === 0 ? started.merged : open).map(
    ({ index, runId }) => `${runId} (shard ${index})`,
  );
  throw new KnownError(`Run ${id} was merged from shards: expected a run that started here.`, {
    hint: `Resume ${names.join(', ')} where it ran, and merge again.`,
  });
}

/** Reads the records of a run; null if it has none. A proof has a folder but no journal. */
async function readRecords(run: RunDir): Promise<readonly JournalEvent[] | null> {
  const path = journalPath(run);
  if ((await statOrNull(path)) === null) return null;
  const { events } = await readJournal(path, keepForReport);
  return events.length === 0 ? null : events;
}

/** The first format of journals that records what the user chose. */
const FIRST_MINOR = 6;

/** Returns what the user chose for the run, or refuses a run about which nobody knows that. */
export function requireCall({ started }: EarlierRun): RunCall {
  const { runId, call, version, minor = 0 } = started;
  if (call !== undefined) return call;
  if (minor < FIRST_MINOR)
    throw new KnownError(
      `The journal of run ${runId} has format ${version}.${minor}: expected ${version}.${FIRST_MINOR} or newer, which records the options of a run.`,
      { hint: 'An older ralph-e2e started it. Start a new run.' },
    );
  throw new KnownError(
    `A program started run ${runId} with scenarios of its own: expected a run of the command line.`,
    { hint: 'Start it again with that program.' },
  );
}
