import type { AttemptFinished, Planned, Target } from '../domain/attempt.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { JournalEvent } from '../domain/journal.js';
import { isKnownFor } from '../domain/scenario/known-issue.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import { timeLimitOf } from '../lane/time-limit.js';
import { runAttempt } from './attempt/attempt.js';
import { type Skip, watchServices } from './lost-service.js';
import type { TakenOver } from './resume/taken-over.js';
import { decideRetry, type Pause, type RetryRules } from './retries.js';
import { hashScenario } from './scenario-hash.js';
import { runScheduled, type ScheduleLimits } from './schedule.js';
import type { Selected } from './select/selected.js';
import { whySkipped } from './select/why-skipped.js';

export interface SuiteOptions {
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly limits: ScheduleLimits;
  readonly retries: number;
  readonly bail: boolean;
  /** Waits before a test runs again. */
  readonly pause: Pause;
  /** Whether the budget is used up: then nothing new starts. */
  readonly isBudgetReached: (ended?: AttemptFinished) => boolean;
  /** What an earlier part of this run has done. Default: nothing. */
  readonly takenOver?: TakenOver | undefined;
  readonly emit: (event: JournalEvent) => void;
}

/** Runs the selected tests and reports everything as events. Callers decide how to show them. */
export async function runSuite(options: SuiteOptions, settings: SuiteSettings): Promise<void> {
  const { selected, emit } = options;
  const { costsMoney } = LANE_TRAITS[settings.lane];
  const unreachable = new Map<BackendId, Skip>();
  const services = watchServices();
  const inTurn = createTurns();
  let failures = 0;

  const note = ({ scenario, backend }: Selected, last: AttemptFinished): void => {
    const lost = services.take(last);
    if (last.outcome === 'passed' || last.outcome === 'known-issue') return;
    failures += 1;
    // Every other scenario would fail the same way, and cost time and money.
    if (lost !== null) unreachable.set(backend, lost);
    else if (costsMoney && scenario.gate)
      unreachable.set(backend, {
        reason: `${scenario.id} failed, so no other scenario ran on ${backend}`,
        cause: { kind: 'gate-failed', gate: scenario.id },
      });
  };

  const runSelected = async (job: Selected): Promise<void> => {
    const skip = unreachable.get(job.backend) ?? findSkip(job, options.readiness, settings);
    if (skip !== null) return emit(skipped(job, skip));
    note(job, await runWithRetries(job, options, settings, inTurn));
  };

  const { settled, begun, skipped: gone } = options.takenOver ?? NOTHING_TAKEN_OVER;
  const known = new Map(selected.map((job) => [keyOf(job), job]));
  for (const [key, last] of settled) {
    const job = known.get(key);
    if (job !== undefined) note(job, last);
  }
  const due = selected.filter((job) => !settled.has(keyOf(job)) && !gone.has(keyOf(job)));
  const queue = due.map((job) => ({ job, lane: job.backend, first: costsMoney && job.scenario.gate }));
  // Gates come first, whatever the order of the rest: an unreachable backend then costs only its gate.
  const jobs = [...queue.filter(({ first }) => first), ...queue.filter(({ first }) => !first)];
  const bailed = () => options.bail && failures > 0;
  const ended = () => settings.signal.aborted || options.isBudgetReached();
  // A failure does not stop what runs already, so it does not stop what ran before the run was cut off, either.
  const running = jobs.filter(({ job }) => begun.has(keyOf(job)));
  const waiting = jobs.filter(({ job }) => !begun.has(keyOf(job)));
  const left = [
    ...(await runScheduled(running, options.limits, runSelected, ended)),
    ...(await runScheduled(waiting, options.limits, runSelected, () => ended() || bailed())),
  ].filter((job) => (begun.get(keyOf(job)) ?? []).length === 0);
  const skip = whyLeft({ interrupted: settings.signal.aborted, bailed: bailed() });
  for (const job of left)
    emit(skipped(job, unreachable.get(job.backend) ?? findSkip(job, options.readiness, settings) ?? skip));
}

const NOTHING_TAKEN_OVER: TakenOver = { settled: new Map(), begun: new Map(), skipped: new Set() };

function keyOf({ scenario, backend }: Selected): string {
  return executionKey(scenario.id, backend);
}

/** Why the jobs in the queue did not start. */
function whyLeft({ interrupted, bailed }: { interrupted: boolean; bailed: boolean }): Skip {
  if (interrupted) return { reason: 'not run: the run was interrupted', cause: { kind: 'run-ended' } };
  return bailed
    ? { reason: 'not run: --bail ended the run after a failure', cause: { kind: 'run-ended' } }
    : { reason: 'not run: --max-cost was reached', cause: { kind: 'budget-reached' } };
}

function findSkip(
  job: Selected,
  readiness: SuiteOptions['readiness'],
  settings: Pick<SuiteSettings, 'lane' | 'env' | 'target' | 'replays'>,
): Skip | null {
  const replay = settings.replays?.get(keyOf(job));
  if (replay?.kind === 'cannot')
    return { reason: `cannot be replayed: ${replay.why}`, cause: { kind: 'not-ready' } };
  const reason = whySkipped(job, readiness, settings);
  return reason === null ? null : { reason, cause: { kind: 'not-ready' } };
}

/** Returns the areas of the promises that a scenario is about, the most frequent first. */
function areasOf({ promises }: Selected['scenario']): string[] {
  const areas = Object.values(promises)
    .flat()
    .map(({ area }) => area);
  const count = (area: string) => areas.filter((name) => name === area).length;
  return [...new Set(areas)].sort((a, b) => count(b) - count(a));
}

/** Describes a planned test for the journal. */
export function describePlanned(
  { scenario, backend }: Selected,
  run: { readonly timeoutSeconds: number | null; readonly target: Target; readonly lane: Lane },
): Planned {
  const { id, kind, tier, priority, phase, description, covers, expectedIterations, knownIssue } = scenario;
  const known =
    knownIssue !== null && isKnownFor(knownIssue, { version: run.target.version, lane: run.lane });
  return {
    scenarioId: id,
    backend,
    kind,
    tier,
    priority,
    phase,
    description,
    covers: [...covers],
    areas: areasOf(scenario),
    expectedIterations,
    knownIssue: known ? knownIssue : null,
    pressure: [...scenario.pressure],
    timeoutSeconds: run.timeoutSeconds ?? timeLimitOf(scenario, backend, run.lane),
    ...hashScenario(scenario, backend, run.lane),
  };
}

/** The rules for retries in a lane. */
export function retryRules(
  { retries }: Pick<SuiteOptions, 'retries'>,
  { lane }: Pick<SuiteSettings, 'lane'>,
): RetryRules {
  return { retries, hasService: LANE_TRAITS[lane].costsMoney };
}

async function runWithRetries(
  job: Selected,
  options: SuiteOptions,
  settings: SuiteSettings,
  inTurn: Turns,
): Promise<AttemptFinished> {
  const attempts = [...(options.takenOver?.begun.get(keyOf(job)) ?? [])];
  const rules = retryRules(options, settings);
  for (let attempt = attempts.length + 1; ; attempt += 1) {
    const run = () => {
      options.emit({
        type: 'attempt-started',
        at: new Date().toISOString(),
        scenarioId: job.scenario.id,
        backend: job.backend,
        attempt,
      });
      return runAttempt({ ...job, attempt }, settings);
    };
    // A service in trouble gets one retry at a time: all at once would overload it again.
    const afterTrouble = attempts.at(-1)?.fault?.whose === 'infrastructure';
    const finished = await (afterTrouble ? inTurn(job.backend, run) : run());
    const pause =
      settings.signal.aborted || options.isBudgetReached(finished)
        ? null
        : decideRetry([...attempts, finished], rules);
    const record = pause === null ? finished : { ...finished, retryInSeconds: pause };
    attempts.push(record);
    options.emit(record);
    if (pause === null) return record;
    await options.pause(pause, settings.signal);
    if (settings.signal.aborted || options.isBudgetReached()) return record;
  }
}

type Turns = (key: string, work: () => Promise<AttemptFinished>) => Promise<AttemptFinished>;

/** Lets work with the same key run one after the other. */
function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    return turn;
  };
}

function skipped({ scenario, backend }: Selected, skip: Skip): JournalEvent {
  return {
    type: 'scenario-skipped',
    at: new Date().toISOString(),
    scenarioId: scenario.id,
    backend,
    ...skip,
  };
}
