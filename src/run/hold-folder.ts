import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BACKENDS } from '../backends/index.js';
import type { Target } from '../domain/attempt.js';
import { LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { chooseContainment } from '../exec/process/containment/choose.js';
import { startWatchdog } from '../exec/process/containment/watchdog.js';
import { endMarked } from '../exec/process/end-marked.js';
import { FOLDER_MARKER } from '../exec/process/markers.js';
import { locateRalph } from '../kinds/ralph/locate.js';
import { shieldFromAgents } from '../kinds/ralph/shield.js';
import { laneEnvironment } from '../lane/environment.js';
import type { SuiteSettings } from '../lane/settings.js';
import { acquireLock } from '../workspace/lock.js';
import { createRunDir, pruneRuns, type RunDir } from '../workspace/runs/runs.js';
import { openWorkspaceRoot, type WorkspaceRoot } from '../workspace/workspace-root.js';
import type { Selected } from './planned.js';
import type { RunOptions } from './run-options.js';
import { createPace, type Pace, type ScheduleLimits } from './schedule.js';

/** What every run needs: the Ralph to test, the lane and a folder. */
export type FolderOptions = Pick<RunOptions, 'ralph' | 'lane' | 'passEnv' | 'output' | 'env' | 'signal'>;

/** A locked folder, and what runs in it. */
export interface HeldFolder extends Pick<SuiteSettings, 'root' | 'target' | 'env' | 'containment'> {
  /** Processes that a killed run had left, which have now been ended. */
  readonly orphans: readonly string[];
}

/** Finds Ralph if a scenario needs it, locks the folder, does the work and releases the folder. */
export async function holdFolder<Result>(
  options: FolderOptions,
  candidates: readonly Selected[],
  work: (held: HeldFolder) => Promise<Result>,
): Promise<Result> {
  const { lane, env: base, signal } = options;
  const [target, { containment }] = await Promise.all([
    locateRalph({
      asked: options.ralph ?? undefined,
      standInServes: LANE_TRAITS[lane].standIns,
      // A conversation only needs the agent: people who test a plugin need not have Ralph.
      needed: candidates.some(({ scenario }) => scenario.kind === 'ralph'),
      env: base,
      signal,
    }),
    chooseContainment({ env: base, asUser: LANE_TRAITS[lane].asUser }),
  ]);
  const env = laneEnvironment({ lane, base, pass: options.passEnv });
  const root = await openWorkspaceRoot(options.output);
  const lock = await acquireLock(root);
  const marker = { name: FOLDER_MARKER, value: root.path };
  // The other means end everything by themselves if we are killed.
  const dismiss = containment.kind === 'tracking' ? await startWatchdog(marker) : () => {};
  try {
    // We hold the lock, so whatever still runs for this folder was left by a killed run.
    const orphans = await endMarked(marker);
    return await work({
      root,
      target,
      env,
      containment,
      orphans: orphans.map(({ pid, command }) => `${pid}: ${command}`),
    });
  } finally {
    dismiss();
    lock.release();
  }
}

/** Creates the folder of a new run or proof and removes old ones. */
export async function startRun(root: WorkspaceRoot, kind: 'run' | 'proof' = 'run'): Promise<RunDir> {
  const run = await createRunDir(root, { kind });
  await pruneRuns(root, { current: run.id });
  return run;
}

/** Chooses the executable to start. In the sim lane, Ralph must find our agents even if there are others next to it. */
export function chooseBinary(target: Target, run: RunDir, lane: Lane): Promise<string> | string {
  if (!LANE_TRAITS[lane].standIns || target.kind === 'stand-in') return target.path;
  const commands = Object.values(BACKENDS).map(({ command }) => command);
  return shieldFromAgents(target.path, commands, join(run.path, 'bin'));
}

/** How much may run at the same time. `onEvent` takes the records of the run. */
export type RunLimits = ScheduleLimits & Pick<Pace, 'onEvent'>;

/** Limits how much runs at the same time. A live run keeps the pace of each backend, unless somebody asked for a number. */
export function limitsFor({ jobs: asked, lane }: Pick<RunOptions, 'jobs' | 'lane'>): RunLimits {
  const { limitOf, onEvent } = createPace();
  if (asked !== null) return { total: asked, perLane: () => asked, onEvent };
  if (LANE_TRAITS[lane].costsMoney) return { total: Number.POSITIVE_INFINITY, perLane: limitOf, onEvent };
  const jobs = offlineJobs(lane);
  return { total: jobs, perLane: () => jobs, waiting: jobs * WAITING_PER_JOB, onEvent };
}

/** How many runs that mostly wait may run in addition to each job: they cost little. */
export const WAITING_PER_JOB = 4;

/**
 * Returns one job per core, and one more in the sim lane: there a run is a chain of short processes, and a core would be
 * idle between two of them. A real CLI keeps a core busy by itself.
 */
export function offlineJobs(lane: Lane): number {
  return availableParallelism() + (LANE_TRAITS[lane].standIns ? 1 : 0);
}
