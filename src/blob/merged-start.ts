import { FORMATS } from '../domain/common/formats.js';
import { groupBy } from '../domain/common/group-by.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { RunEnvironment } from '../domain/journal.js';
import type { Budget } from '../domain/money/spending.js';
import type { LastFailed } from '../domain/report/last-failed.js';
import type { MergedShard } from '../domain/shard.js';
import { keyOfTest } from '../domain/vocabulary.js';
import { safeRepeatFlags } from '../run/repeat-flags.js';
import type { RunStarted } from '../run/resume/whole-journal.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { planOf, type ReadShard } from './one-run.js';

/** Which blobs to merge, and where the merged run goes. */
export interface Merge {
  /** Files, or folders that contain them. */
  readonly blobs: readonly string[];
  /** The folder of runs as the user named it. */
  readonly output: string;
  readonly program: readonly string[];
  readonly startedIn: string;
  /** Ends the merge. What it wrote is removed. */
  readonly signal?: AbortSignal;
}

/** Where the merged run goes, and what was asked for. */
export interface MergePlace {
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  readonly merge: Merge;
}

/** Makes the first record of the merged run. */
export function mergeStarted(
  shards: readonly ReadShard[],
  merged: readonly MergedShard[],
  { root, run, merge }: MergePlace,
): RunStarted {
  const all = shards.map(({ started }) => started);
  const [first] = all;
  if (first === undefined) throw new Error('Expected at least one shard, found none.');
  const { shard: _part, call: _call, files: _files, budget: _budget, lastFailed: _failed, ...common } = first;
  const { shuffleSeed, ...same } = common;
  const budgets = all.flatMap(({ budget }) => budget ?? []);
  const failed = all.flatMap(({ lastFailed }) => lastFailed ?? []);
  const backends = uniqueBackends(all.flatMap((started) => started.backends));
  const companions = uniqueBackends(all.flatMap((started) => started.companions));
  const planned = new Map(all.flatMap((one) => one.planned.map((test) => [keyOfTest(test), test])));
  const order = first.call?.backends ?? [];
  return {
    ...same,
    format: FORMATS.journal.format,
    at: all.map(({ at }) => at).toSorted()[0] ?? '',
    runId: run.id,
    program: [...merge.program],
    repeatWith: safeRepeatFlags(first, merge.output),
    backends: backends.toSorted((a, b) => order.indexOf(a.backend) - order.indexOf(b.backend)),
    companions: companions.filter(({ backend }) => !backends.some((asked) => asked.backend === backend)),
    ...(first.named === undefined ? {} : { named: mergeNamed(first) }),
    environment: mergeEnvironments(
      all.map(({ environment }) => environment),
      { workspace: root.path, startedIn: merge.startedIn },
    ),
    endedOrphans: [],
    planned: planOf(first).flatMap((test) => planned.get(keyOfTest(test)) ?? []),
    ...(shuffleSeed !== undefined && all.every((one) => one.shuffleSeed === shuffleSeed)
      ? { shuffleSeed }
      : {}),
    ...(budgets.length === 0 ? {} : { budget: addBudgets(budgets) }),
    ...(failed.length === 0 ? {} : { lastFailed: addLastFailed(failed) }),
    merged: [...merged],
  };
}

/** Lists the backends that the user named. With --last-failed, one without open tests is fine. */
function mergeNamed(started: RunStarted): RunStarted['named'] {
  const { named = started.named ?? [], lastFailed = false } = started.call ?? {};
  const due = new Set(planOf(started).map(({ backend }) => backend));
  return named.filter((id) => !lastFailed || due.has(id));
}

function mergeEnvironments(
  all: readonly RunEnvironment[],
  own: Pick<RunEnvironment, 'workspace' | 'startedIn'>,
): RunEnvironment {
  const join = (texts: readonly string[]) => [...new Set(texts)].join(', ');
  const [first] = all;
  const means = new Set(all.map(({ containment }) => containment));
  const names = [...new Set(all.flatMap(({ credentialVariables }) => Object.keys(credentialVariables)))];
  return {
    ...own,
    os: join(all.map(({ os }) => os)),
    node: join(all.map(({ node }) => node)),
    credentialVariables: Object.fromEntries(
      names.map((name) => [name, all.some(({ credentialVariables }) => credentialVariables[name] === true)]),
    ),
    inherited: [...new Set(all.flatMap(({ inherited }) => inherited))],
    ...(first?.isolation === undefined ? {} : { isolation: first.isolation }),
    ...(means.size === 1 && first?.containment !== undefined ? { containment: first.containment } : {}),
  };
}

function uniqueBackends(all: readonly Readiness[]): Readiness[] {
  return [...groupBy(all, ({ backend }) => backend).values()].flatMap(([first]) => first ?? []);
}

/** Adds the budgets: the limit counts for each shard, and the shards run at the same time. */
function addBudgets(all: readonly Budget[]): Budget {
  const sum = (of: (estimate: Budget['estimate']) => number) =>
    all.reduce((total, { estimate }) => total + of(estimate), 0);
  const limits = all.flatMap(({ maxUsd }) => maxUsd ?? []);
  return {
    estimate: {
      tests: sum(({ tests }) => tests),
      calls: sum(({ calls }) => calls),
      tokens: sum(({ tokens }) => tokens),
      usd: sum(({ usd }) => usd),
      seconds: Math.max(...all.map(({ estimate }) => estimate.seconds)),
      measured: sum(({ measured }) => measured),
      unpriced: [...new Set(all.flatMap(({ estimate }) => estimate.unpriced))],
    },
    maxUsd: limits.length === 0 ? null : limits.reduce((total, usd) => total + usd, 0),
  };
}

function addLastFailed(all: readonly LastFailed[]): LastFailed {
  const runs = groupBy(
    all.flatMap(({ runs }) => runs),
    ({ runId }) => runId,
  );
  return {
    runs: [...runs].map(([runId, parts]) => ({
      runId,
      failed: parts.reduce((sum, { failed }) => sum + failed, 0),
      inconclusive: parts.reduce((sum, { inconclusive }) => sum + inconclusive, 0),
      notRun: parts.reduce((sum, { notRun }) => sum + notRun, 0),
    })),
    unreadable: [...new Set(all.flatMap(({ unreadable }) => unreadable))],
  };
}
