import { arch, availableParallelism, platform, release } from 'node:os';
import { join } from 'node:path';
import { BACKENDS } from '../backends/index.js';
import type { JournalEvent, RunEnvironment, Target } from '../domain/journal.js';
import type { Readiness } from '../domain/readiness.js';
import type { Scenario } from '../domain/scenario.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';
import { endMarked } from '../exec/end-marked.js';
import { locateRalph } from '../ralph/locate.js';
import { FOLDER_MARKER } from '../ralph/run-ralph.js';
import { shieldFromAgents } from '../ralph/shield.js';
import { acquireLock } from '../workspace/lock.js';
import { createRunDir, pruneRuns, type RunDir } from '../workspace/runs.js';
import { openWorkspaceRoot, type WorkspaceRoot } from '../workspace/workspace-root.js';
import { listInherited } from './inherited.js';
import { openJournal } from './journal-writer.js';
import { laneEnvironment } from './lane-environment.js';
import { findLastFailed } from './last-failed.js';
import { assessBackends } from './readiness.js';
import { describePlanned, runSuite } from './run-suite.js';
import type { ScheduleLimits } from './schedule.js';
import { selectScenarios } from './select.js';
import type { SuiteSettings } from './settings.js';

/** Everything that a run can be asked for. */
export interface SessionOptions {
  readonly catalogue: readonly Scenario[];
  readonly backends: readonly BackendId[];
  readonly lane: Lane;
  readonly filters: readonly string[];
  readonly lastFailed: boolean;
  /** A path, `embedded`, or undefined for wherever ralph is found. */
  readonly ralph: string | undefined;
  /** Undefined: one at a time for each backend in the live lane, as many as there are cores elsewhere. */
  readonly jobs: number | undefined;
  readonly retries: number;
  readonly bail: boolean;
  readonly timeoutSeconds: number | null;
  readonly model: string | null;
  readonly passEnv: readonly string[];
  /** The folder for workspaces, runs and reports, absolute. */
  readonly output: string;
  readonly keepWorkspace: boolean;
  /** How to call ralph-e2e again from here. */
  readonly program: readonly string[];
  /** Arguments that make another call choose as this one did; reports print them. */
  readonly repeatWith: readonly string[];
  readonly harnessVersion: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: JournalEvent) => void;
  /** Called when all has run and before the run is over: what it emits belongs to the run. */
  readonly review?: (review: Review) => Promise<void>;
}

/** What is known when everything has run. */
export interface Review {
  readonly events: readonly JournalEvent[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly settings: SuiteSettings;
  readonly emit: (event: JournalEvent) => void;
}

export interface FinishedSession {
  readonly root: WorkspaceRoot;
  readonly journal: string;
}

/** A run from beginning to end, recorded in its journal. */
export async function runSession<Result>(
  options: SessionOptions,
  /** Called at the end, while the folder is still ours. */
  finish: (session: FinishedSession) => Promise<Result>,
): Promise<Result> {
  const { lane } = options;
  // What needs no folder comes first: a mistake in the call should not leave one behind.
  if (!options.lastFailed) selectScenarios(options.catalogue, options);
  const target = await locateRalph({
    asked: options.ralph,
    standInServes: lane === 'sim',
    env: options.env,
    signal: options.signal,
  });
  const env = laneEnvironment({ lane, base: options.env, pass: options.passEnv });
  const root = await openWorkspaceRoot(options.output);
  const lock = await acquireLock(root);
  try {
    // We hold the folder: what still runs for it was left by a run that was killed.
    const orphans = await endMarked({ name: FOLDER_MARKER, value: root.path });
    const only = options.lastFailed ? await findLastFailed(root) : undefined;
    const selected = selectScenarios(options.catalogue, {
      ...options,
      ...(only === undefined ? {} : { only }),
    });
    const asked = options.backends.filter((id) => selected.some(({ backend }) => backend === id));
    const readiness = await assessBackends(asked, lane, env, options.signal);
    const run = await createRunDir(root);
    await pruneRuns(root, { current: run.id });
    const journal = openJournal(run);
    const events: JournalEvent[] = [];
    const emit = (event: JournalEvent) => {
      events.push(event);
      journal.append(event);
      options.onEvent(event);
    };
    const startedAt = performance.now();
    try {
      emit({
        type: 'run-started',
        version: 1,
        at: new Date().toISOString(),
        runId: run.id,
        harnessVersion: options.harnessVersion,
        lane,
        target,
        backends: [...readiness.values()],
        environment: describeEnvironment(options, root, asked),
        endedOrphans: orphans.map(({ pid, command }) => `${pid}: ${command}`),
        program: [...options.program],
        repeatWith: [...options.repeatWith],
        planned: selected.map((job) => describePlanned(job, { ...options, target })),
      });
      const binary = await chooseBinary(target, run, options);
      const settings: SuiteSettings = { ...options, target, binary, root, run, base: options.env, env };
      await runSuite(
        {
          selected,
          readiness,
          limits: limitsFor(options),
          retries: options.retries,
          bail: options.bail,
          emit,
        },
        settings,
      );
      await options.review?.({ events, readiness, settings, emit });
    } finally {
      emit({
        type: 'run-finished',
        at: new Date().toISOString(),
        interrupted: options.signal.aborted,
        durationSeconds: (performance.now() - startedAt) / 1000,
      });
      journal.close();
    }
    return await finish({ root, journal: journal.path });
  } finally {
    lock.release();
  }
}

/** In offline lanes the agents that ralph finds must be ours, whatever lies beside it. */
function chooseBinary(target: Target, run: RunDir, { lane }: SessionOptions): Promise<string> | string {
  if (lane !== 'sim' || target.kind === 'stand-in') return target.path;
  const commands = Object.values(BACKENDS).map(({ command }) => command);
  return shieldFromAgents(target.path, commands, join(run.path, 'bin'));
}

/** Live runs cost money and can disturb each other: one scenario at a time for each backend, unless asked. */
function limitsFor({ jobs, lane }: SessionOptions): ScheduleLimits {
  if (jobs !== undefined) return { total: jobs, perLane: jobs };
  if (lane === 'live') return { total: Number.POSITIVE_INFINITY, perLane: 1 };
  return { total: availableParallelism(), perLane: availableParallelism() };
}

function describeEnvironment(
  { env, lane }: SessionOptions,
  root: WorkspaceRoot,
  asked: readonly BackendId[],
): RunEnvironment {
  const names = asked.flatMap((id) => BACKENDS[id].credentialVariables);
  return {
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    workspace: root.path,
    credentialVariables: Object.fromEntries(names.map((name) => [name, (env[name] ?? '') !== ''])),
    inherited: lane === 'live' ? listInherited(asked, env) : [],
  };
}
