import type { Readiness } from '../domain/evidence/readiness.js';
import { joinParts } from '../domain/joined-parts.js';
import type { JournalEvent } from '../domain/journal.js';
import { type BackendId, comparePlaces, LANE_TRAITS } from '../domain/vocabulary.js';
import type { prepareEnclosure } from '../isolation/enclosure.js';
import type { Enclosure } from '../isolation/launch.js';
import type { JournalWriter } from '../journal/writer.js';
import type { SuiteSettings } from '../lane/settings.js';
import { listLeftWorkspaces } from '../workspace/left-workspaces.js';
import { type RunDir, watchRuns } from '../workspace/runs/runs.js';
import { examineCauses, listPluginTests, runBaselines } from './extra-runs.js';
import { chooseBinary, type HeldFolder, type RunLimits } from './hold-folder.js';
import type { Meter } from './money/meter.js';
import { keyOfJob, type Selected } from './planned.js';
import type { TakenOver } from './resume/taken-over.js';
import { pauseFor } from './retries.js';
import type { RunOptions } from './run-options.js';
import { runSuite } from './run-suite.js';
import { shuffle } from './select/shuffle.js';
import { watchTarget } from './watch-target.js';

/** A run that is ready to start, or to go on. */
interface PreparedRun extends HeldFolder {
  readonly run: RunDir;
  readonly journal: JournalWriter;
  readonly enclose: Awaited<ReturnType<typeof prepareEnclosure>>;
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly limits: RunLimits;
  readonly meter: Meter;
  readonly firstRecords: readonly JournalEvent[];
  readonly takenOver?: TakenOver;
  /** How long the run was active before, in seconds. */
  readonly activeSeconds?: number;
}

/** Runs everything that is due, and what comes after the last test, and returns the records of the whole run. */
export async function carryOut(options: RunOptions, prepared: PreparedRun): Promise<readonly JournalEvent[]> {
  const { lane } = options;
  const { root, run, journal, target, env, containment, selected, readiness, limits, meter } = prepared;
  const emit = (event: JournalEvent) => {
    const record = meter.read(event);
    limits.onEvent(record);
    journal.append(record);
    options.onEvent(record);
  };
  const startedAt = performance.now();
  await options.onStart?.(root, run);
  const binary = await chooseBinary(target, run, lane);
  const changed = { target: await watchTarget(target, binary), 'earlier-runs': await watchRuns(root, run) };
  let enclosure: Enclosure | undefined;
  let isWhole = false;
  try {
    for (const record of prepared.firstRecords) emit(record);
    enclosure = await prepared.enclose({
      folder: root.path,
      run: run.path,
      journal: journal.path,
      program: binary,
    });
    const settings: SuiteSettings = {
      ...options,
      ...{ target, binary, root, run, base: options.env, env, containment, enclosure },
      findChangedTarget: changed.target,
    };
    await runSuite(
      {
        ...options,
        selected: orderSelected(selected, options.shuffleSeed),
        readiness,
        limits,
        isBudgetReached: meter.isReached,
        pause: options.pause ?? pauseFor,
        takenOver: prepared.takenOver,
        emit,
      },
      settings,
    );
    const { records } = journal;
    const after = { records, readiness, settings, meter, emit };
    if (options.withoutPlugin) await runBaselines(listPluginTests(selected, lane), after);
    if (options.nameCauses !== undefined && target.kind === 'real' && LANE_TRAITS[lane].hasScript)
      await examineCauses(options.nameCauses(records), selected, after);
    if (!joinParts(records).some(({ type }) => type === 'analysis-finished')) await options.review?.(after);
    isWhole = true;
  } finally {
    try {
      await enclosure?.close();
      for (const what of ['target', 'earlier-runs'] as const) {
        const found = await changed[what]();
        if (found !== null) emit({ type: 'journal-changed', at: new Date().toISOString(), what, found });
      }
      emit({
        type: 'run-finished',
        at: new Date().toISOString(),
        interrupted: options.signal.aborted || !isWhole,
        durationSeconds: (prepared.activeSeconds ?? 0) + (performance.now() - startedAt) / 1000,
        workspaces: await listLeftWorkspaces(root, run.id),
      });
    } finally {
      await journal.close();
    }
  }
  return journal.records;
}

/** Orders the tests for running: by tier, or shuffled. The plan and the reports keep the order of the catalog. */
function orderSelected(selected: readonly Selected[], seed: number | null): readonly Selected[] {
  if (seed === null) return selected.toSorted((a, b) => comparePlaces(a.scenario, b.scenario));
  return shuffle(selected, seed, keyOfJob);
}
