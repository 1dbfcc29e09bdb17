import { basename, dirname, join, resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import type { JournalEvent } from '../../domain/journal.js';
import { type AgentRecording, RECORDING_FILE } from '../../domain/recording/recording.js';
import type { RunCall } from '../../domain/run-call.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { keepForReport, readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { oneLine } from '../../report/text/safe-text.js';
import { countOf } from '../../report/words/words.js';
import { type RecordedRun, readRecording } from '../../run/recording/earlier-attempts.js';
import { type EarlierRun, isUnfinished, requireUnfinished } from '../../run/resume/resume-run.js';
import { requireWhole } from '../../run/resume/whole-journal.js';
import { listTestRuns, type RunDir } from '../../workspace/runs/runs.js';
import { findWorkspaceRoot } from '../../workspace/workspace-root.js';
import { listRunLines } from './list-runs.js';

/** Lists the runs in a folder, the latest last. */
export async function findRuns(output: string): Promise<RunDir[]> {
  const folder = resolve(output);
  const root = await findWorkspaceRoot(folder);
  const runs = root === null ? [] : await listTestRuns(root);
  if (runs.length > 0) return runs;
  throw new KnownError(`There are no runs in ${folder}.`, {
    hint: 'Run `ralph-e2e` first, or name the folder that contains the runs with --output <dir>.',
  });
}

/** Finds the run by its id or the beginning of it; without an id, the latest. */
export async function chooseRun(runs: readonly RunDir[], asked = 'latest'): Promise<RunDir> {
  const latest = runs.at(-1);
  if (asked === 'latest' && latest !== undefined) return latest;
  const found = runs.filter(({ id }) => id.startsWith(asked));
  const [run] = found;
  if (run !== undefined && found.length === 1) return run;
  const lines = await listRunLines(found.length === 0 ? runs : found);
  throw new KnownError(
    `Expected the id of a run, or the beginning of one; found "${asked}", which matches ${found.length === 0 ? 'no run' : `${found.length} runs`}.`,
    { hint: ['Choose one of:', ...lines.map((line) => `  ${line}`)].join('\n') },
  );
}

/** Finds the run to go on with: the one with this id, or the newest that was interrupted or killed. */
export async function findEarlierRun(output: string, asked: string | undefined): Promise<EarlierRun> {
  const runs = await findRuns(output);
  if (asked === undefined) return findNewest(runs);
  const run = await chooseRun(runs, asked);
  const journal = await readRecords(run);
  if (journal === null)
    throw new KnownError(
      `Run ${run.id} recorded nothing: expected a journal, found none. It was killed before its first record.`,
      { hint: 'It cannot be resumed. Start it again.' },
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

/** Reads the records of a run; null if it has none. */
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

/** Finds a run by its id, the beginning of it, `latest`, or the path of its folder. */
export async function findRecordedRun(asked: string, output: string): Promise<RecordedRun> {
  const named = await findFolder(asked);
  const run = named ?? (await chooseRun(await findRuns(output), asked));
  // Not reduced to what a report needs: the checks read all of the evidence.
  const { events } = await readJournal(journalPath(run));
  return {
    run,
    started: requireWhole(events, run.id),
    records: events,
    source: named === null ? run.id : run.path,
  };
}

/** Reads a recording if `asked` is the path of one, or of the folder of an attempt; null otherwise. */
export async function findRecordingFile(
  asked: string,
): Promise<{ readonly recording: AgentRecording; readonly path: string } | null> {
  const given = resolve(asked);
  const path = (await statOrNull(given))?.isFile() === true ? given : join(given, RECORDING_FILE);
  if (basename(path) === 'journal.jsonl' || !(await statOrNull(path))?.isFile()) return null;
  return { recording: await readRecording(path), path };
}

/** The path of a run's folder or of its journal. */
async function findFolder(asked: string): Promise<RunDir | null> {
  const path = resolve(asked);
  const folder = basename(path) === 'journal.jsonl' ? dirname(path) : path;
  const run = { id: basename(folder), path: folder };
  return (await statOrNull(journalPath(run)))?.isFile() ? run : null;
}
