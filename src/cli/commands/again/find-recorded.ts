import { basename, dirname, join, resolve } from 'node:path';
import type { JournalEvent } from '../../../domain/journal.js';
import { type AgentRecording, RECORDING_FILE } from '../../../domain/recording/recording.js';
import { statOrNull } from '../../../exec/files/stat-or-null.js';
import { readJournal } from '../../../journal/reader.js';
import { journalPath } from '../../../journal/writer.js';
import { readRecording } from '../../../run/recording/earlier-attempts.js';
import { type RunStarted, requireWhole } from '../../../run/resume/whole-journal.js';
import type { RunDir } from '../../../workspace/runs/runs.js';
import { chooseRun, findRuns } from '../../input/find-runs.js';

/** An earlier run with everything that it recorded. */
export interface RecordedRun {
  readonly run: RunDir;
  readonly started: RunStarted;
  readonly records: readonly JournalEvent[];
  /** How to name it again. */
  readonly source: string;
}

/** Finds a run by its id, the beginning of it, `latest`, or the path of its folder. */
export async function findRecordedRun(asked: string, output: string): Promise<RecordedRun> {
  const named = await findFolder(asked);
  const run = named ?? chooseRun(await findRuns(output), asked);
  // Not reduced to what a report needs: the checks read all of the evidence.
  const { events } = await readJournal(journalPath(run));
  return {
    run,
    started: requireWhole(events, run.id),
    records: events,
    source: named === null ? run.id : run.path,
  };
}

/** A single recording. */
export interface FoundRecording {
  readonly recording: AgentRecording;
  readonly path: string;
}

/** Reads a recording if `asked` is the path of one, or of the folder of an attempt; null otherwise. */
export async function findRecordingFile(asked: string): Promise<FoundRecording | null> {
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
