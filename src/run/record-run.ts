import { arch, platform, release } from 'node:os';
import { BACKENDS, LOGIN_FILES } from '../backends/index.js';
import type { Target } from '../domain/attempt.js';
import { describeIncompatible, FORMATS, IncompatibleFormat } from '../domain/common/format-version.js';
import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { JournalEvent, RunEnvironment } from '../domain/journal.js';
import type { Estimate } from '../domain/money/spending.js';
import { comparableRuns, expectTimes, historyEntrySchema } from '../domain/report/history.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { SuiteChoice } from '../domain/suites.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane, type Priority } from '../domain/vocabulary.js';
import { hashFile } from '../exec/files/hash-file.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { prepareEnclosure } from '../isolation/enclosure.js';
import type { Enclosure } from '../isolation/launch.js';
import { readRunSummaries } from '../journal/summaries.js';
import { openJournal } from '../journal/writer.js';
import { listInherited } from '../lane/inherited.js';
import { assessBackends } from '../lane/readiness.js';
import type { SuiteSettings } from '../lane/settings.js';
import { cleanWorkspaceRoot } from '../workspace/clean.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { rehearse } from './attempt/rehearse.js';
import { examineCauses } from './examine.js';
import {
  chooseBinary,
  type FolderOptions,
  type HeldFolder,
  holdFolder,
  limitsFor,
  startRun,
} from './hold-folder.js';
import { findKnownProof, type KnownProof } from './known-proof.js';
import type { Meter } from './money/meter.js';
import { Declined, planMoney, refuseUnpriced } from './money/plan.js';
import { createPace } from './pace.js';
import { type Pause, pauseFor } from './retries.js';
import { describePlanned, runSuite } from './run-suite.js';
import { withCompanions, withSecond } from './select/companions.js';
import { describeLastFailed, findLastFailed } from './select/last-failed.js';
import { selectScenarios } from './select/select.js';
import type { Selected } from './select/selected.js';
import { shuffle } from './select/shuffle.js';

/** All options of a run. */
export interface RunOptions extends FolderOptions {
  readonly catalogue: readonly Scenario[];
  readonly backends: readonly BackendId[];
  /** The backends that the user named: the report says which of these could not be tested. */
  readonly named?: readonly BackendId[];
  readonly filters: readonly string[];
  /** Exact names of tests to run in addition to what the filters match. */
  readonly tests?: readonly string[];
  /** Patterns of tests to leave out. */
  readonly excludes?: readonly string[];
  /** Default: all. */
  readonly priorities?: readonly Priority[] | undefined;
  /** Default: `all`. */
  readonly suite?: SuiteChoice;
  readonly lastFailed: boolean;
  /** Shuffles the tests with this seed. Default: tier by tier. */
  readonly shuffleSeed?: number | undefined;
  /** Default: four per backend (live), one per core (scripted), one more than there are cores (sim). */
  readonly jobs: number | undefined;
  readonly retries: number;
  readonly bail: boolean;
  /** Waits before a test runs again after trouble with its service. Default: with the clock. */
  readonly pause?: Pause;
  readonly timeoutSeconds: number | null;
  readonly model: string | null;
  readonly keepWorkspace: boolean;
  /** Fail if a known issue no longer occurs. */
  readonly strictKnownIssues?: boolean;
  /** What keeps attempts inside. Default: `host`. */
  readonly isolation?: Isolation;
  readonly container?: ContainerScope;
  /** The words that start ralph-e2e again from here. */
  readonly program: readonly string[];
  /** CLI flags that reproduce this run; reports print them. */
  readonly repeatWith: readonly string[];
  readonly harnessVersion: string;
  /** Start nothing new once this much is spent. Default: no limit. */
  readonly maxUsd?: number | undefined;
  /** Called with the estimate before a run that costs money leaves anything behind. False: do not run. */
  readonly approve?: (estimate: Estimate) => Promise<boolean>;
  readonly onEvent: (event: JournalEvent) => void;
  /** Gets what the target of a running test prints, redacted, as it arrives. */
  readonly onOutput?: SuiteSettings['onOutput'];
  /** Called after the last attempt and before the end of the run, so that what it emits belongs to the run. */
  readonly review?: (review: Review) => Promise<void>;
  /** Names the tests that show the causes of failures best. They run again with Ralph's debug log. */
  readonly nameCauses?: (records: readonly JournalEvent[]) => readonly string[];
}

/** Facts available after the last attempt. */
export interface Review {
  readonly records: readonly JournalEvent[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly settings: SuiteSettings;
  readonly meter: Meter;
  readonly emit: (event: JournalEvent) => void;
}

export interface FinishedRun {
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  /** Every record of the run, from memory and not read back from the file. */
  readonly records: readonly JournalEvent[];
}

/** Runs the selected scenarios from start to end and records everything in a journal. */
export async function recordRun<Result>(
  options: RunOptions,
  /** Called at the end, before the folder is released. */
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { lane } = options;
  // First do what needs no folder, so that wrong usage does not leave one behind.
  const candidates = selectScenarios(options.catalogue, options);
  rehearse(candidates, lane);
  refuseModel(candidates, options.model);
  refuseUnpriced(candidates, options);
  const isNew = (await statOrNull(options.output)) === null;
  try {
    return await recordApproved(options, candidates, finish);
  } catch (error) {
    if (error instanceof Declined && isNew) await cleanWorkspaceRoot(options.output);
    throw error;
  }
}

async function recordApproved<Result>(
  options: RunOptions,
  candidates: readonly Selected[],
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { lane } = options;
  const enclose = await prepareEnclosure({ ...options, logins: LOGIN_FILES });
  return holdFolder(options, candidates, async ({ root, target, env, containment, orphans }) => {
    const last = options.lastFailed
      ? await findLastFailed(root, { lane, target, candidates: everyCandidate(options) })
      : undefined;
    const chosen = selectScenarios(options.catalogue, {
      ...options,
      ...(last === undefined ? {} : { only: new Set(last.open.keys()) }),
    });
    const asked = options.backends.filter((id) => chosen.some(({ backend }) => backend === id));
    const readiness = await assessBackends(withCompanions(chosen, lane), lane, env, options.signal);
    const selected = withSecond(chosen, readiness);
    const pace = createPace();
    const limits = limitsFor(options.jobs, lane, pace);
    const analysis = options.review !== undefined;
    const money = await planMoney(root, { ...options, target, env, selected, readiness, limits, analysis });
    const run = await startRun(root);
    const proof = await findKnownProof(root, options);
    const history = await recallHistory(root, { lane, target, proof });
    const journal = openJournal(run);
    const emit = (event: JournalEvent) => {
      const record = money.meter.read(event);
      pace.onEvent(record);
      journal.append(record);
      options.onEvent(record);
    };
    const startedAt = performance.now();
    let enclosure: Enclosure | undefined;
    try {
      emit({
        type: 'run-started',
        version: FORMATS.journal.major,
        minor: FORMATS.journal.minor,
        at: new Date().toISOString(),
        runId: run.id,
        harnessVersion: options.harnessVersion,
        lane,
        target: target.kind === 'real' ? { ...target, sha256: await hashFile(target.path) } : target,
        backends: [...readiness.values()].filter(({ backend }) => asked.includes(backend)),
        ...describeNamed(options, asked),
        environment: describeEnvironment(options, { root, asked, containment }),
        endedOrphans: [...orphans],
        program: [...options.program],
        repeatWith: [...options.repeatWith],
        planned: selected.map((job) => describePlanned(job, { ...options, target })),
        ...(options.shuffleSeed === undefined ? {} : { shuffleSeed: options.shuffleSeed }),
        ...(last === undefined ? {} : { lastFailed: describeLastFailed(last, selected) }),
        ...(money.budget === null ? {} : { budget: money.budget }),
      });
      emit(history);
      if (proof !== null && !(proof instanceof IncompatibleFormat))
        emit({ type: 'proof-known', at: new Date().toISOString(), proof });
      const binary = await chooseBinary(target, run, lane);
      enclosure = await enclose({ folder: root.path, run: run.path, journal: journal.path, program: binary });
      const settings: SuiteSettings = {
        ...options,
        ...{ target, binary, root, run, base: options.env, env, containment, enclosure },
      };
      await runSuite(
        {
          selected: orderSelected(selected, options.shuffleSeed),
          readiness,
          limits,
          isBudgetReached: money.meter.isReached,
          retries: options.retries,
          bail: options.bail,
          pause: options.pause ?? pauseFor,
          emit,
        },
        settings,
      );
      if (options.nameCauses !== undefined && target.kind === 'real' && LANE_TRAITS[lane].hasScript)
        await examineCauses(options.nameCauses(journal.records), { selected, settings, emit });
      await options.review?.({ records: journal.records, readiness, settings, meter: money.meter, emit });
    } finally {
      try {
        await enclosure?.close();
        emit({
          type: 'run-finished',
          at: new Date().toISOString(),
          interrupted: options.signal.aborted,
          durationSeconds: (performance.now() - startedAt) / 1000,
        });
      } finally {
        await journal.close();
      }
    }
    return await finish({ root, run, records: journal.records });
  });
}

/** Refuses `--model` for a CLI that has no option for it: it would run another model. */
function refuseModel(candidates: readonly Selected[], model: string | null): void {
  if (model !== null) for (const { backend } of candidates) BACKENDS[backend].modelArgs(model);
}

/** Lists the named backends. With --last-failed, one on which nothing failed has nothing to run, which is fine. */
function describeNamed(
  { named = [], lastFailed }: RunOptions,
  asked: readonly BackendId[],
): { readonly named?: BackendId[] } {
  return named.length === 0 ? {} : { named: named.filter((id) => !lastFailed || asked.includes(id)) };
}

/** Lists everything that this call could run without its filters. */
function everyCandidate({ catalogue, backends, lane }: RunOptions): Selected[] {
  return selectScenarios(catalogue, { backends, lane, filters: [] });
}

/** Orders the tests for running: by tier, or shuffled. The plan and the reports keep the order of the catalog. */
function orderSelected(selected: readonly Selected[], seed: number | undefined): readonly Selected[] {
  if (seed === undefined) return selected.toSorted((a, b) => a.scenario.tier - b.scenario.tier);
  return shuffle(selected, seed, ({ scenario, backend }) => executionKey(scenario.id, backend));
}

/** Reads earlier runs in this lane on this kind of target into the journal, so that reports need nothing else. */
async function recallHistory(
  root: WorkspaceRoot,
  { lane, target, proof }: { readonly lane: Lane; readonly target: Target; readonly proof: KnownProof },
): Promise<JournalEvent> {
  const { summaries, incompatible } = await readRunSummaries(root);
  const unread = [...incompatible, ...(proof instanceof IncompatibleFormat ? [proof] : [])];
  const earlier = comparableRuns(summaries, { lane, target_kind: target.kind });
  return {
    type: 'history-known',
    at: new Date().toISOString(),
    runs: earlier.map((summary) => historyEntrySchema.parse(summary)),
    expected: expectTimes(earlier),
    ...(unread.length === 0 ? {} : { unread: describeIncompatible(unread) }),
  };
}

function describeEnvironment(
  { env, lane, isolation }: RunOptions,
  {
    root,
    asked,
    containment,
  }: Pick<HeldFolder, 'root' | 'containment'> & { readonly asked: readonly BackendId[] },
): RunEnvironment {
  const names = asked.flatMap((id) => BACKENDS[id].credentialVariables);
  return {
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    workspace: root.path,
    startedIn: process.cwd(),
    credentialVariables: Object.fromEntries(names.map((name) => [name, (env[name] ?? '') !== ''])),
    inherited: LANE_TRAITS[lane].asUser ? listInherited(asked, env) : [],
    ...(isolation === undefined ? {} : { isolation }),
    // A sandbox has its own processes.
    ...((isolation ?? 'host') === 'host' ? { containment: containment.kind } : {}),
  };
}
