import { KnownError } from '../../domain/common/known-error.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RunCall } from '../../domain/run-call.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { keepForReport } from '../../journal/keep-for-report.js';
import { readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { oneLine } from '../../report/text/safe-text.js';
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
  const journal = await readRecords(run);
  if (journal === null)
    throw new KnownError(
      `Run ${run.id} recorded nothing: expected a journal, found none. It is a proof, or it was killed before its first record.`,
      { hint: 'Neither can be resumed. Start it again.' },
    );
  const { events, own } = journal;
  requireUnmerged(run, events);
  await requireUnfinished(run, events);
  return { run, started: requireWhole(events, run.id), own };
}

async function findNewest(runs: readonly RunDir[]): Promise<EarlierRun> {
  const unreadable: string[] = [];
  for (const run of runs.toReversed()) {
    const journal = await readRecords(run).catch(() => 'unreadable' as const);
    if (journal === 'unreadable') unreadable.push(run.id);
    else if (journal !== null && !isMerged(journal.events) && (await isUnfinished(run, journal.events)))
      return { run, started: requireWhole(journal.events, run.id), own: journal.own };
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
async function readRecords(run: RunDir) {
  const path = journalPath(run);
  if ((await statOrNull(path)) === null) return null;
  const journal = await readJournal(path, keepForReport);
  return journal.events.length === 0 ? null : journal;
}

/** Returns what the user chose for the run, or refuses a run about which nobody knows that. */
export function requireCall({ started }: EarlierRun): RunCall {
  const { runId, call } = started;
  if (call !== undefined) return call;
  throw new KnownError(
    `A program started run ${runId} with scenarios of its own: expected a run of the command line.`,
    { hint: 'Start it again with that program.' },
  );
}

/** Refuses a run that may be somebody else's: its journal would choose the modules and programs that start here. */
export function requireOwn({ own, started: { runId, target, files = [] } }: EarlierRun): void {
  if (own) return;
  const names = [...(target.kind === 'real' ? [target.path] : []), ...files.map(({ path }) => path)];
  const what = names.length === 0 ? '' : ` with ${oneLine(names.join(', '), 1_000)}`;
  throw new KnownError(
    `Run ${runId} may be somebody else's: expected one that you started on this machine, found one from elsewhere${what}.`,
    { hint: 'If you trust whoever made it, add --trust: that starts what it names. Or start a new run.' },
  );
}
