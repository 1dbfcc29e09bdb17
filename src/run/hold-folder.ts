import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BACKENDS, type Environment } from '../backends/index.js';
import type { Target } from '../domain/attempt.js';
import { LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { endMarked } from '../exec/process/end-marked.js';
import { FOLDER_MARKER } from '../exec/process/markers.js';
import { locateRalph } from '../kinds/ralph/locate.js';
import { shieldFromAgents } from '../kinds/ralph/shield.js';
import { laneEnvironment } from '../lane/environment.js';
import { acquireLock } from '../workspace/lock.js';
import { createRunDir, pruneRuns, type RunDir } from '../workspace/runs/runs.js';
import { openWorkspaceRoot, type WorkspaceRoot } from '../workspace/workspace-root.js';
import type { ScheduleLimits } from './schedule.js';
import type { Selected } from './select/selected.js';

/** What it takes to run anything: the ralph to test, the lane, and a folder. */
export interface FolderOptions {
  /** A path, `embedded`, or undefined for wherever ralph is found; in the sim lane the stand-in serves where it is not. */
  readonly ralph: string | undefined;
  readonly lane: Lane;
  readonly passEnv: readonly string[];
  /** The folder for workspaces, runs and reports, absolute. */
  readonly output: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The folder while it is ours, and what runs in it. */
export interface HeldFolder {
  readonly root: WorkspaceRoot;
  readonly target: Target;
  /** The environment of the lane. */
  readonly env: Environment;
  /** Processes that an earlier run, killed in the middle, had left; they are ended. */
  readonly orphans: readonly string[];
}

/** Finds ralph where a scenario has a part for it, takes the folder, does the work and gives the folder back. */
export async function holdFolder<Result>(
  options: FolderOptions,
  candidates: readonly Selected[],
  work: (held: HeldFolder) => Promise<Result>,
): Promise<Result> {
  const { lane, env: base, signal } = options;
  const target = await locateRalph({
    asked: options.ralph,
    standInServes: LANE_TRAITS[lane].standIns,
    // A conversation is held with the agent alone: who tests a plugin need not have ralph.
    needed: candidates.some(({ scenario }) => scenario.kind === 'ralph'),
    env: base,
    signal,
  });
  const env = laneEnvironment({ lane, base, pass: options.passEnv });
  const root = await openWorkspaceRoot(options.output);
  const lock = await acquireLock(root);
  try {
    // We hold the folder: what still runs for it was left by a run that was killed.
    const orphans = await endMarked({ name: FOLDER_MARKER, value: root.path });
    return await work({
      root,
      target,
      env,
      orphans: orphans.map(({ pid, command }) => `${pid}: ${command}`),
    });
  } finally {
    lock.release();
  }
}

/** Makes the folder of a new run, and room for it. */
export async function startRun(root: WorkspaceRoot): Promise<RunDir> {
  const run = await createRunDir(root);
  await pruneRuns(root, { current: run.id });
  return run;
}

/** The executable to start. Where stand-ins play, the agents that ralph finds must be ours, whatever lies beside it. */
export function chooseBinary(target: Target, run: RunDir, lane: Lane): Promise<string> | string {
  if (!LANE_TRAITS[lane].standIns || target.kind === 'stand-in') return target.path;
  const commands = Object.values(BACKENDS).map(({ command }) => command);
  return shieldFromAgents(target.path, commands, join(run.path, 'bin'));
}

/** Live runs cost money and can disturb each other: one scenario at a time for each backend, unless asked. */
export function limitsFor(asked: number | undefined, lane: Lane): ScheduleLimits {
  if (asked !== undefined) return { total: asked, perLane: asked };
  if (LANE_TRAITS[lane].costsMoney) return { total: Number.POSITIVE_INFINITY, perLane: 1 };
  const jobs = offlineJobs(lane);
  return { total: jobs, perLane: jobs };
}

/**
 * As many as there are cores, and one more in the sim lane: there a run is a chain of short processes, and between two of
 * them a core would idle. Real CLIs keep a core busy alone.
 */
export function offlineJobs(lane: Lane): number {
  return availableParallelism() + (LANE_TRAITS[lane].standIns ? 1 : 0);
}
