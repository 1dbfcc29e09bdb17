import { lstat, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOGIN_FILES } from '../../backends/index.js';
import { KnownError } from '../../domain/common/known-error.js';
import { joinParts, keepFinished, sumActiveSeconds } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { listSpending } from '../../domain/money/spending.js';
import { endsOfRepeats } from '../../domain/results/repeats.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import { EMBEDDED_RALPH } from '../../domain/stand-ins.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { prepareEnclosure } from '../../isolation/enclosure.js';
import { readRunSummary, removeRunSummary } from '../../journal/summaries.js';
import { reopenJournal } from '../../journal/writer.js';
import { assessBackends } from '../../lane/readiness.js';
import { FolderInUse } from '../../workspace/lock.js';
import { nameAttemptDir, type RunDir } from '../../workspace/runs/runs.js';
import { ANALYSIS_ID } from '../analyst/meta-ralph.js';
import { rehearse } from '../attempt/rehearse.js';
import { carryOut } from '../carry-out.js';
import { type HeldFolder, holdFolder, limitsFor } from '../hold-folder.js';
import { planMoney } from '../money/plan.js';
import { keyOfJob, type Selected } from '../planned.js';
import type { FinishedRun, RunOptions } from '../run-options.js';
import { retryRules } from '../run-suite.js';
import { withSecond } from '../select/why-skipped.js';
import {
  requireSameBackends,
  requireSameBinary,
  requireSamePlace,
  requireSamePlan,
  requireSameTarget,
} from './same-run.js';
import { takeOver } from './taken-over.js';
import { type RunStarted, requireWhole } from './whole-journal.js';

/** A run that ended early. */
export interface EarlierRun {
  readonly run: RunDir;
  /** Its first record, from which its options were read. */
  readonly started: RunStarted;
  /** Whether this user started it on this machine. */
  readonly own: boolean;
}

/**
 * Goes on with a run that was interrupted or killed, in its folder and its journal. If nothing but its reports is
 * missing, nothing runs.
 */
export async function resumeRun<Result>(
  options: RunOptions,
  { run, started }: EarlierRun,
  /** Called at the end, before the folder is released. */
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  await requireSameBinary(started);
  const planned = requireSamePlan(started, options.catalogue);
  rehearse(planned, options.lane);
  const enclose = await prepareEnclosure({ ...options, logins: LOGIN_FILES });
  const { target } = started;
  const ralph = target.because === undefined ? target.path : EMBEDDED_RALPH;
  /** Checks what only the holder of the folder can check. Returns null if nothing is left to run. */
  const readyToGoOn = async (held: HeldFolder, records: readonly JournalEvent[]) => {
    requireSamePlace(requireWhole(records, run.id), held.root.path);
    requireSameTarget(started, held.target);
    await requireUnfinished(run, records);
    if (hasEnded(records)) return null;
    const left = await prepare(options, { started, planned, held, records });
    await removeUnfinished(run, records);
    await removeRunSummary(run.path);
    return left;
  };
  const work = async (held: HeldFolder): Promise<Result> => {
    const { root } = held;
    const reopened = reopenJournal(run);
    const { records } = reopened;
    const left = await readyToGoOn(held, records).catch((error) => {
      reopened.leave();
      throw error;
    });
    for (const event of keepFinished(records)) options.onRecall?.(event);
    if (left === null) {
      reopened.leave();
      return finish({ root, run, records });
    }
    const journal = reopened.goOn();
    const all = await carryOut(options, { ...held, run, enclose, journal, ...left });
    return finish({ root, run, records: all });
  };
  // The stand-in stays as broken as it was, in any shell.
  const env = { [FAULT_VARIABLE]: target.faults?.join(), ...options.env };
  return holdFolder({ ...options, ralph, env }, [], work).catch((error) => {
    throw error instanceof FolderInUse ? explainInUse(error, run) : error;
  });
}

/** Whether the run came to its end by itself. */
function hasEnded(records: readonly JournalEvent[]): boolean {
  return joinParts(records).some((event) => event.type === 'run-finished' && !event.interrupted);
}

/** Whether something is left to do: tests to run, or reports to write. The summary of a run is written after them. */
export async function isUnfinished(run: RunDir, records: readonly JournalEvent[]): Promise<boolean> {
  return !hasEnded(records) || (await readRunSummary(run.path)) === null;
}

/** Refuses a run that ended by itself and has its reports. */
export async function requireUnfinished(run: RunDir, records: readonly JournalEvent[]): Promise<void> {
  if (await isUnfinished(run, records)) return;
  throw new KnownError(
    `Run ${run.id} is finished: expected one that was interrupted or killed, found its end and its reports.`,
    {
      hint: `\`ralph-e2e show ${run.id}\` prints its report. \`ralph-e2e --last-failed\` runs again what failed.`,
    },
  );
}

function explainInUse(error: FolderInUse, run: RunDir): KnownError {
  return new KnownError(`Run ${run.id} cannot be resumed now: expected its folder unused. ${error.message}`, {
    hint: 'Wait until it ends, or stop it.',
  });
}

/** Prepares what is left of a run, and asks whether it may cost what it will. */
async function prepare(
  options: RunOptions,
  {
    started,
    planned,
    held,
    records,
  }: {
    readonly started: RunStarted;
    readonly planned: readonly Selected[];
    readonly held: HeldFolder;
    readonly records: readonly JournalEvent[];
  },
) {
  const { lane } = options;
  const { target, backends, companions } = started;
  const { root, env } = held;
  const ids = [...backends, ...companions].map(({ backend }) => backend);
  const now = await assessBackends(ids, lane, env, options.signal);
  const readiness = requireSameBackends(started, now);
  const selected = withSecond(planned, readiness, listPlannedBackends(started));
  const takenOver = takeOver(records, retryRules(options, options), options.repeat);
  const due = selected.filter((job) => {
    const key = keyOfJob(job);
    return !takenOver.settled.has(key) && !takenOver.skipped.has(key);
  });
  const limits = limitsFor(options);
  const { meter } = await planMoney(root, {
    ...{ ...options, target, env, readiness, limits },
    selected: due,
    already: listSpending(records),
    repeatsDone: (job) => endsOfRepeats(takenOver.attempts.get(keyOfJob(job)) ?? []).length,
  });
  const activeSeconds = sumActiveSeconds(records);
  const resumed: JournalEvent = {
    type: 'run-resumed',
    at: new Date().toISOString(),
    activeSeconds,
    takenOver: takenOver.settled.size,
    left: due.length,
    endedOrphans: [...held.orphans],
  };
  return { target, selected, readiness, takenOver, limits, meter, activeSeconds, firstRecords: [resumed] };
}

/** Lists the backends under test, in a shard those of the whole run. */
function listPlannedBackends({ shard, planned }: RunStarted): BackendId[] {
  return (shard?.plan ?? planned).map(({ backend }) => backend);
}

/**
 * Removes the folders of attempts that no finished record names. The same attempts run again, and logs that programs
 * append to would contain both.
 */
export async function removeUnfinished(run: RunDir, records: readonly JournalEvent[]): Promise<void> {
  const kept = new Set(
    keepFinished(records).flatMap((event) => ('artifacts' in event ? [event.artifacts] : [])),
  );
  const folders = new Set(records.flatMap((event) => nameFolders(run, event)));
  for (const folder of folders)
    for (const name of await listNames(folder))
      if (!kept.has(join(folder, name))) await removeTree(join(folder, name));
}

/** Names the folders with the attempts of what a record says may have started. */
function nameFolders(run: RunDir, event: JournalEvent): string[] {
  const folderOf = (id: string, backend: string) => dirname(nameAttemptDir(run, id, backend, 1));
  if (event.type === 'analysis-started') return [folderOf(ANALYSIS_ID, event.backend)];
  // A failed test may also have been running once more, with the debug log.
  return event.type === 'attempt-started' ? [folderOf(event.scenarioId, event.backend)] : [];
}

/** A link is removed, and nothing of what it leads to. */
async function listNames(folder: string): Promise<string[]> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isSymbolicLink() === true) await unlink(folder);
  return readdir(folder).catch((error) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
}
