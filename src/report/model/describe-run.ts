import { join } from 'node:path';
import { groupBy } from '../../domain/common/group-by.js';
import type { JournalEvent } from '../../domain/journal.js';
import { addSpending, listSpending, type Spending } from '../../domain/money/spending.js';
import type { Counts, Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import type { BackendId, Outcome } from '../../domain/vocabulary.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Counts results. `total` is what ran; skipped ones are counted separately. */
export function countOutcomes(results: readonly ReportResult[]): Counts {
  const having = (outcome: ReportResult['outcome']) => results.filter((r) => r.outcome === outcome).length;
  const skipped = having('skipped');
  return {
    total: results.length - skipped,
    passed: having('passed'),
    failed: having('failed'),
    inconclusive: results.filter(({ inconclusive }) => inconclusive).length,
    skipped,
    errors: having('error'),
    flaky: having('flaky'),
    known_issues: having('known-issue'),
  };
}

/** Counts results per tier or per backend. */
export function countBy(results: readonly ReportResult[], key: 'tier' | 'backend'): Record<string, Counts> {
  const groups = [...groupBy(results, (result): string => result[key])].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([name, group]) => [name, countOutcomes(group)]));
}

/** Counts passed tests per quality. */
export function countQuality(results: readonly ReportResult[]): Report['summary']['quality_breakdown'] {
  const having = (score: string) => results.filter((r) => r.analysis?.quality_score === score).length;
  return {
    optimal: having('Optimal'),
    good: having('Good'),
    acceptable: having('Acceptable'),
    suboptimal: having('Suboptimal'),
  };
}

type Untested = Report['backends_untested'];

/** Finds named backends on which nothing ran, each with the reason. */
export function findUntested(
  { named = [], backends, shard }: Pick<RunStarted, 'named' | 'backends' | 'shard'>,
  results: readonly ReportResult[],
  { interrupted }: { readonly interrupted: boolean },
): Untested {
  return named.flatMap((id) => {
    const own = results.filter(({ backend }) => backend === id);
    if (own.some(({ outcome }) => outcome !== 'skipped')) return [];
    const unready = backends.find(({ backend }) => backend === id)?.reason ?? null;
    // Nobody expects an interrupted run or a shard to have tested everything.
    if ((interrupted || shard !== undefined) && unready === null) return [];
    const reason = unready ?? own[0]?.skip_reason ?? 'no scenario that was selected runs on it';
    return [{ backend: id, reason }];
  });
}

/** Describes each in one sentence. */
export function describeUntested(untested: Untested): string[] {
  return untested.map(({ backend, reason }) => `${backend} was named and could not be tested: ${reason}`);
}

/** Tests of one backend that were skipped for the same reason. */
interface SkipGroup {
  readonly backend: BackendId;
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Groups skipped tests by backend and reason. */
export function groupSkips(results: readonly ReportResult[]): SkipGroup[] {
  const skipped = results
    .filter(({ outcome }) => outcome === 'skipped')
    .map(({ backend, skip_reason, scenario_id: id }) => {
      return { backend, reason: skip_reason ?? 'no reason was recorded', id };
    });
  const groups = groupBy(skipped, ({ backend, reason }) => `${backend}\u0000${reason}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, ids: [first, ...others].map(({ id }) => id) }],
  );
}

type ReportOrigin = NonNullable<Report['origin']>;

/** Describes the run that this one plays or judges again, and what became of its tests; null if there is none. */
export function describeOrigin({ origin }: RunStarted, results: readonly ReportResult[]): Report['origin'] {
  if (origin === undefined) return null;
  const { kind, runId, lane, target, changed, outcomes } = origin;
  return {
    kind,
    run_id: runId,
    lane,
    ralph_version: target.version,
    ralph_sha256: target.sha256 ?? null,
    changed_scenarios: changed,
    tests: results.map((result) => ({
      test: labelOf(result),
      before:
        outcomes.find(
          ({ scenarioId, backend }) => scenarioId === result.scenario_id && backend === result.backend,
        )?.outcome ?? null,
      now: outcomeNow(result),
      because: result.fault?.whose === 'recording' ? (result.fault.because[0] ?? null) : result.skip_reason,
    })),
  };
}

function outcomeNow({ outcome, fault, inconclusive }: ReportResult): ReportOrigin['tests'][number]['now'] {
  if (fault?.whose === 'recording') return 'diverged';
  if (inconclusive) return 'inconclusive';
  return outcome === 'flaky' ? 'failed' : outcome;
}

/** Describes which part of a run this is; null if it is the whole. */
export function describePart({ shard, planned }: Pick<RunStarted, 'shard' | 'planned'>): Report['shard'] {
  if (shard === undefined) return null;
  return { index: shard.index, total: shard.total, tests: planned.length, all_tests: shard.plan.length };
}

/** Describes the shards of a merged run; null if it was not merged. */
export function describeMergedShards({ merged }: Pick<RunStarted, 'merged'>): Report['shards'] {
  return (
    merged?.map(({ index, runId, at, tests, durationSeconds, interrupted, resumed }) => ({
      ...{ index, run_id: runId, timestamp: at, tests, duration_seconds: durationSeconds },
      ...{ interrupted, resumed },
    })) ?? null
  );
}

/** Sums up what everything that ran cost, next to what was estimated and allowed. Null in the offline lanes. */
export function describeSpending(
  events: readonly JournalEvent[],
  results: readonly Pick<ReportResult, 'skip_cause'>[],
): Report['spending'] {
  const started = events.find((event) => event.type === 'run-started');
  const budget = started?.budget;
  if (budget === undefined) return null;
  const analyses = events.filter(({ type }) => type === 'analysis-finished');
  const uncounted = started?.merged?.flatMap((shard) => shard.uncounted ?? []) ?? [];
  const { unpriced, ...estimate } = budget.estimate;
  return {
    ...rename(addSpending([...listSpending(events), ...uncounted])),
    analysis_usd: addSpending(listSpending(analyses)).usd,
    max_usd: budget.maxUsd,
    not_run: results.filter(({ skip_cause }) => skip_cause?.kind === 'budget-reached').length,
    estimate: { ...estimate, unpriced_backends: unpriced },
  };
}

/** Sums up what the attempts of one test cost; null if nobody counted. */
export function sumAttempts(attempts: Parameters<typeof listSpending>[0]): ReportResult['spending'] {
  const known = listSpending(attempts);
  return known.length === 0 ? null : rename(addSpending(known));
}

function rename({ calls, tokens, usd, estimatedUsd }: Spending) {
  return { calls, tokens, cost_usd: usd, estimated_usd: estimatedUsd };
}

type RunFinished = Extract<JournalEvent, { type: 'run-finished' }>;

/** Returns the paths of the workspaces that were in the folder at the end of a run. */
export function placeWorkspaces(
  finished: RunFinished | undefined,
  folder: string,
): Report['kept_workspaces'] {
  const { own = [], earlier = [] } = finished?.workspaces ?? {};
  const place = (name: string) => join(folder, name);
  return { own: own.map(place), earlier: earlier.map(place) };
}

/** Forgets the workspaces that another run removed before this one was resumed. */
export function forgetRemoved(
  results: readonly ReportResult[],
  finished: RunFinished | undefined,
  folder: string,
): ReportResult[] {
  if (finished?.workspaces === undefined) return [...results];
  const { own } = placeWorkspaces(finished, folder);
  return results.map((result) =>
    result.workspace === null || own.includes(result.workspace) ? result : { ...result, workspace: null },
  );
}

/** Lists the folders that a run left behind, according to its journal, without removed ones. */
export function listArtifacts(results: readonly ReportResult[]): Report['artifacts'] {
  return results.flatMap((result) => {
    const label = labelOf(result);
    const outputs = result.attempts.map(({ attempt, artifacts, outcome }) => ({
      path: artifacts,
      description: `Output and evidence of ${label}, attempt ${attempt}${markOf(outcome)}`,
    }));
    const workspace = result.workspace
      ? [{ path: result.workspace, description: `Workspace of ${label}${markOf(result.outcome)}` }]
      : [];
    return [...outputs, ...workspace];
  });
}

function markOf(outcome: Outcome): string {
  return outcome === 'passed' ? '' : ` (${outcome.toUpperCase()})`;
}
