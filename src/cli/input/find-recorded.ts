import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { JournalEvent } from '../../domain/journal.js';
import { type AgentRecording, RECORDING_FILE } from '../../domain/recording/recording.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { readRecording } from '../../run/recording/read-recording.js';
import { type RunStarted, requireWhole } from '../../run/resume/whole-journal.js';
import { nameAttemptDir, type RunDir } from '../../workspace/runs/runs.js';
import { findWorkspaceRoot, RUNS_FOLDER } from '../../workspace/workspace-root.js';
import { chooseRun, findRuns } from './find-runs.js';

/**
 * Whose a run or a recording is. `own`: a run that was made in the folder of `--output` here, with an intact journal.
 * Everything else is `foreign` and may want to do harm.
 */
export type Owner = 'own' | 'foreign';

/** An earlier run with everything that it recorded. */
export interface RecordedRun {
  readonly run: RunDir;
  readonly started: RunStarted;
  readonly records: readonly JournalEvent[];
  readonly owner: Owner;
  /** How to name it again. */
  readonly source: string;
}

/** Finds a run by its id, the beginning of it, `latest`, or the path of its folder. */
export async function findRecordedRun(asked: string, output: string): Promise<RecordedRun> {
  const named = await findFolder(asked);
  const run = named ?? chooseRun(await findRuns(output), asked);
  const found = await readRun(run);
  const owner = await ownerOf(found, output);
  return { ...found, owner, source: owner === 'own' ? run.id : run.path };
}

async function readRun(run: RunDir) {
  // Not reduced to what a report needs: the checks read all of the evidence.
  const { events } = await readJournal(journalPath(run));
  return { run, started: requireWhole(events, run.id), records: events };
}

/** A folder that was unpacked or moved here was made in another place, which its journal names. */
async function ownerOf(
  { run, started }: Pick<RecordedRun, 'run' | 'started'>,
  output: string,
): Promise<Owner> {
  const root = await findWorkspaceRoot(resolve(output));
  if (root === null || started.environment.workspace !== root.path) return 'foreign';
  const [place, expected] = await Promise.all(
    [run.path, join(root.path, RUNS_FOLDER, run.id)].map(realOrNull),
  );
  return place !== null && place === expected ? 'own' : 'foreign';
}

function realOrNull(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** A single recording, and the run that it belongs to if it is our own. */
export interface FoundRecording {
  readonly recording: AgentRecording;
  readonly path: string;
  readonly run: RecordedRun | null;
}

/** Reads a recording if `asked` is the path of one, or of the folder of an attempt; null otherwise. */
export async function findRecordingFile(asked: string, output: string): Promise<FoundRecording | null> {
  const given = resolve(asked);
  const path = (await statOrNull(given))?.isFile() === true ? given : join(given, RECORDING_FILE);
  if (basename(path) === 'journal.jsonl' || !(await statOrNull(path))?.isFile()) return null;
  const own = await findOwnRun(path, output);
  const unchanged = own === null ? null : await readRecording(path, own.sha256).catch(() => null);
  return unchanged === null
    ? { recording: await readRecording(path), path, run: null }
    : { recording: unchanged, path, run: own?.run ?? null };
}

/** Finds the own run whose journal has the hash of this recording; null if there is none. */
async function findOwnRun(
  path: string,
  output: string,
): Promise<{ run: RecordedRun; sha256: string } | null> {
  const place = await realpath(path);
  const folder = dirname(dirname(dirname(place)));
  const run = { id: basename(folder), path: folder };
  if (!(await statOrNull(journalPath(run)))?.isFile()) return null;
  const found = await readRun(run).catch(() => null);
  if (found === null || (await ownerOf(found, output)) !== 'own') return null;
  for (const event of found.records) {
    if (event.type !== 'attempt-finished' || event.recordingSha256 === undefined) continue;
    const { scenarioId, backend, attempt, recordingSha256: sha256 } = event;
    if (join(nameAttemptDir(run, scenarioId, backend, attempt), RECORDING_FILE) === place)
      return { run: { ...found, owner: 'own', source: run.id }, sha256 };
  }
  return null;
}

/** The path of a run's folder or of its journal. */
async function findFolder(asked: string): Promise<RunDir | null> {
  const path = resolve(asked);
  const folder = basename(path) === 'journal.jsonl' ? dirname(path) : path;
  const run = { id: basename(folder), path: folder };
  return (await statOrNull(journalPath(run)))?.isFile() ? run : null;
}
