import { FORMATS } from '../domain/common/formats.js';
import { groupBy } from '../domain/common/group-by.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import { sumActiveSeconds } from '../domain/joined-parts.js';
import type { JournalEvent, RunEnvironment } from '../domain/journal.js';
import { addSpending, type Budget } from '../domain/money/spending.js';
import type { LastFailed } from '../domain/report/last-failed.js';
import type { MergedShard } from '../domain/shard.js';
import { executionKey } from '../domain/vocabulary.js';
import type { RunStarted } from '../run/resume/whole-journal.js';
import { planOf } from './describe.js';
import type { ReadShard } from './read-shard.js';

/** Facts about the merged run that no shard knows. */
type MergedRun = Pick<RunStarted, 'runId' | 'program' | 'repeatWith'> & {
  readonly workspace: string;
  readonly startedIn: string;
};

/** Makes the first record of the merged run. `shards` are those of one run, in their order. */
export function mergeStarted(shards: readonly ReadShard[], run: MergedRun): RunStarted {
  const all = shards.map(({ started }) => started);
  const [first] = all;
  if (first === undefined) throw new Error('Expected at least one shard, found none.');
  const { shard: _part, call: _call, files: _files, budget: _budget, lastFailed: _failed, ...common } = first;
  const { companions: _companions, shuffleSeed, ...same } = common;
  const budgets = all.flatMap(({ budget }) => budget ?? []);
  const failed = all.flatMap(({ lastFailed }) => lastFailed ?? []);
  const backends = uniqueBackends(all.flatMap((started) => started.backends));
  const companions = uniqueBackends(all.flatMap((started) => started.companions));
  const isAsked = ({ backend }: Readiness) => backends.some((asked) => asked.backend === backend);
  const order = first.call?.backends ?? [];
  return {
    ...same,
    format: FORMATS.journal.format,
    at: earliest(all.map(({ at }) => at)),
    runId: run.runId,
    program: run.program,
    repeatWith: run.repeatWith,
    backends: backends.toSorted((a, b) => order.indexOf(a.backend) - order.indexOf(b.backend)),
    companions: companions.filter((one) => !isAsked(one)),
    ...(first.named === undefined ? {} : { named: mergeNamed(first) }),
    environment: mergeEnvironments(
      all.map(({ environment }) => environment),
      run,
    ),
    endedOrphans: [],
    planned: orderPlanned(all),
    ...(shuffleSeed !== undefined && all.every((one) => one.shuffleSeed === shuffleSeed)
      ? { shuffleSeed }
      : {}),
    ...(budgets.length === 0 ? {} : { budget: addBudgets(budgets) }),
    ...(failed.length === 0 ? {} : { lastFailed: addLastFailed(failed) }),
    merged: shards.map(describeMerged),
  };
}

/** Makes the last record. The run took as long as its longest shard: clocks of several machines cannot be compared. */
export function mergeFinished(shards: readonly ReadShard[]): JournalEvent {
  const merged = shards.map(describeMerged);
  return {
    type: 'run-finished',
    at: latest(shards.map(({ records }) => records.at(-1)?.at ?? '')),
    interrupted: merged.some(({ interrupted }) => interrupted),
    durationSeconds: Math.max(0, ...merged.map(({ durationSeconds }) => durationSeconds)),
  };
}

/** Returns the record of a shard as the merged run has it; null if the merged run has its own, or none. */
export function takeRecord(event: JournalEvent, { choice }: ReadShard): JournalEvent | null {
  switch (event.type) {
    case 'run-started':
    case 'run-resumed':
    case 'run-finished':
    case 'history-known':
    case 'proof-known':
      return null;
    case 'journal-changed':
      return { ...event, found: `${event.found} (shard ${choice.index} of ${choice.total})` };
    case 'gate-probed':
      return { ...event, shard: choice.index };
    case 'scenario-skipped':
    case 'attempt-started':
    case 'attempt-finished':
    case 'analysis-started':
    case 'analysis-finished':
    case 'cause-examined':
    case 'baseline-finished':
      return event;
    default:
      return event satisfies never;
  }
}

/** Lists the backends that the user named. With --last-failed, one without open tests is fine. */
function mergeNamed(started: RunStarted): RunStarted['named'] {
  const { named = started.named ?? [], lastFailed = false } = started.call ?? {};
  const due = new Set(planOf(started).map(({ backend }) => backend));
  return named.filter((id) => !lastFailed || due.has(id));
}

/** Takes the tests of all shards in the order of the whole plan. */
function orderPlanned(all: readonly RunStarted[]): RunStarted['planned'] {
  const planned = new Map(
    all.flatMap((started) =>
      started.planned.map((test) => [executionKey(test.scenarioId, test.backend), test]),
    ),
  );
  const [first] = all;
  const plan = first === undefined ? [] : planOf(first);
  return plan.flatMap(({ scenarioId, backend }) => planned.get(executionKey(scenarioId, backend)) ?? []);
}

function describeMerged({ choice, started, records, counted }: ReadShard): MergedShard {
  const finished = records.findLast((event) => event.type === 'run-finished');
  const cutOff = records.flatMap((event, index) =>
    event.type === 'attempt-finished' && !counted.has(index) && event.spending ? [event.spending] : [],
  );
  return {
    index: choice.index,
    runId: started.runId,
    at: started.at,
    tests: started.planned.length,
    durationSeconds: finished?.durationSeconds ?? sumActiveSeconds(records),
    interrupted: finished === undefined || finished.interrupted,
    resumed: records.filter(({ type }) => type === 'run-resumed').length,
    ...(cutOff.length === 0 ? {} : { cutOff: addSpending(cutOff) }),
  };
}

function mergeEnvironments(
  all: readonly RunEnvironment[],
  { workspace, startedIn }: Pick<MergedRun, 'workspace' | 'startedIn'>,
): RunEnvironment {
  const join = (texts: readonly string[]) => [...new Set(texts)].join(', ');
  const [first] = all;
  const means = new Set(all.map(({ containment }) => containment));
  const names = [...new Set(all.flatMap(({ credentialVariables }) => Object.keys(credentialVariables)))];
  return {
    os: join(all.map(({ os }) => os)),
    node: join(all.map(({ node }) => node)),
    workspace,
    startedIn,
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

function earliest(times: readonly string[]): string {
  return times.toSorted()[0] ?? '';
}

function latest(times: readonly string[]): string {
  return times.toSorted().at(-1) ?? '';
}
