import { type AttemptFinished, isInconclusive, isTroubled } from '../attempt.js';
import { groupBy } from '../common/group-by.js';
import { MOST_REPEATS, type RepeatPlan } from '../options/repeat-plan.js';
import { median } from '../report/expectation.js';
import { intervalOf } from '../report/rates/rate.js';
import type { RepeatTotals, ReportRepeats, Spread } from '../report/rates/repeats.js';
import type { ReportResult } from '../report/result.js';
import type { Outcome } from '../vocabulary.js';

/** Lists the numbers of the repeats, whatever a damaged journal says. */
export function listRepeats({ times }: RepeatPlan): number[] {
  const length = Math.min(MOST_REPEATS, Math.max(1, Math.floor(times) || 1));
  return Array.from({ length }, (_, index) => index + 1);
}

/** Returns the attempts of each repeat, in order. A repeat has several attempts only if its service was in trouble. */
export function groupRepeats(attempts: readonly AttemptFinished[]): AttemptFinished[][] {
  return [...groupBy(attempts, ({ repeat = 1 }) => repeat).values()];
}

/** Returns how each repeat ended: its last attempt. */
export function endsOfRepeats(attempts: readonly AttemptFinished[]): AttemptFinished[] {
  return groupRepeats(attempts).flatMap((group) => group.at(-1) ?? []);
}

/** Whether a repeat counts for the rate: neither a service in trouble nor an error of the harness says anything about it. */
export function isCounted(end: Pick<AttemptFinished, 'outcome' | 'fault'>): boolean {
  return end.outcome !== 'error' && !isTroubled(end);
}

/** Whether too many repeats failed: fewer than the threshold asks for pass, even if all that are missing passed. */
function isBelowThreshold(ends: readonly AttemptFinished[], { times, threshold }: RepeatPlan): boolean {
  if (threshold === null) return false;
  const failed = ends.filter((end) => isCounted(end) && end.outcome === 'failed').length;
  // 7 / 100 is 0.07, but 0.07 * 100 is more than 7.
  return (times - failed) / times < threshold;
}

/** How a test that was repeated came out. */
interface Decided {
  readonly outcome: Outcome;
  /** The repeat that the report describes. */
  readonly decisive: AttemptFinished;
  /** The repeats that the diagnosis reads: the decisive one, and for a flaky test also one that failed. */
  readonly read: readonly AttemptFinished[];
}

/**
 * Decides the outcome of a test that was repeated. Without a threshold one failed repeat fails it: nothing is retried. With
 * one, the share of passes decides; in an offline lane it excuses nothing, because there every repeat does the same.
 */
export function decideRepeated(
  attempts: readonly AttemptFinished[],
  { plan, isOffline }: { readonly plan: RepeatPlan; readonly isOffline: boolean },
): Decided | null {
  const only = (outcome: Outcome, decisive: AttemptFinished): Decided => ({
    outcome,
    decisive,
    read: [decisive],
  });
  const ends = endsOfRepeats(attempts);
  const last = (holds: (end: AttemptFinished) => boolean) => ends.findLast(holds);
  const having = (outcome: AttemptFinished['outcome']) => last((end) => end.outcome === outcome);
  const failed =
    last((end) => end.outcome === 'failed' && !isInconclusive(end)) ??
    last((end) => end.outcome === 'failed' && !isTroubled(end));
  const [passed, known, error] = [having('passed'), having('known-issue'), having('error')];
  const isExcused = plan.threshold !== null && !isOffline && !isBelowThreshold(ends, plan);
  if (failed && passed && isExcused) return { outcome: 'flaky', decisive: passed, read: [failed, passed] };
  if (failed) return only('failed', failed);
  if (error) return only('error', error);
  if (known) return only('known-issue', known);
  if (passed) return only('passed', passed);
  const end = ends.at(-1);
  return end === undefined ? null : only(end.outcome, end);
}

/** What the repeats of a test are judged by. */
interface Repeated {
  readonly plan: RepeatPlan;
  /** In an offline lane every repeat does the same. */
  readonly isOffline: boolean;
  /** Why further repeats did not run, if the journal says so. */
  readonly leftReason: string | null;
}

/** Describes what the repeats of a test show. */
export function describeRepeats(
  attempts: readonly AttemptFinished[],
  { plan, isOffline, leftReason }: Repeated,
): ReportRepeats {
  const ends = endsOfRepeats(attempts);
  const counted = ends.filter(isCounted);
  const passed = counted.filter(({ outcome }) => outcome === 'passed').length;
  // A repeat that does not count shows nothing, as if it had not run.
  const missing = Math.max(0, plan.times - counted.length);
  return {
    planned: plan.times,
    ran: ends.length,
    counted: counted.length,
    passed,
    rate: counted.length === 0 ? null : passed / counted.length,
    interval: counted.length === 0 ? null : intervalOf({ passed, failed: counted.length - passed }),
    below_threshold: isBelowThreshold(ends, plan),
    left_reason: missing === 0 ? null : (leftReason ?? whyMissing(ends, plan)),
    flips: countFlips(counted),
    defect: isOffline && new Set(ends.map(({ outcome }) => outcome)).size > 1,
    failures: ends.filter(({ outcome }) => outcome !== 'passed').map(describeFailure),
    spread: describeSpread(counted),
  };
}

function whyMissing(ends: readonly AttemptFinished[], { times }: RepeatPlan): string {
  return ends.length < times
    ? 'the run ended before'
    : 'the service or the harness failed, so not all repeats count';
}

/** Counts how often the outcome changed from one to the next. */
export function countFlips(ends: readonly { readonly outcome: Outcome }[]): number {
  return ends.filter(({ outcome }, index) => index > 0 && outcome !== ends[index - 1]?.outcome).length;
}

function describeFailure(end: AttemptFinished): RepeatFailure {
  const { repeat = 1, attempt, fault, error, checks } = end;
  return {
    repeat,
    attempt,
    whose: end.outcome === 'error' ? 'harness' : (fault?.whose ?? 'target'),
    trouble: isTroubled(end) ? (fault?.trouble ?? null) : null,
    what: error ?? `${checks.find((check) => !check.passed)?.name ?? ''}`,
  };
}
type RepeatFailure = ReportRepeats['failures'][number];

function describeSpread(ends: readonly AttemptFinished[]): ReportRepeats['spread'] {
  const usages = ends.map(({ evidence }) => evidence?.usage ?? null);
  return {
    iterations: spreadOf(ends.map(({ evidence }) => evidence?.iterations.length)),
    seconds: spreadOf(ends.map(({ durationSeconds }) => durationSeconds)),
    tokens: spreadOf(ends.map(({ spending }, index) => spending?.tokens ?? tokensOf(usages[index]))),
    cost_usd: spreadOf(ends.map(({ spending }) => spending?.usd)),
  };
}

function tokensOf(usage: NonNullable<AttemptFinished['evidence']>['usage'] | undefined): number | undefined {
  return usage ? usage.inputTokens + usage.outputTokens : undefined;
}

function spreadOf(figures: readonly (number | null | undefined)[]): Spread | null {
  const known = figures.filter((figure) => figure !== null && figure !== undefined);
  if (known.length === 0) return null;
  return {
    least: Math.min(...known),
    median: median(known),
    most: Math.max(...known),
    count: known.length,
  };
}

/** Sums up the repeats of all tests; null if the run was not repeated. */
export function sumRepeats(
  results: readonly Pick<ReportResult, 'repeats'>[],
  plan: RepeatPlan | undefined,
): RepeatTotals | null {
  if (plan === undefined) return null;
  const tests = results.flatMap(({ repeats }) => repeats ?? []);
  const count = (holds: (repeats: ReportRepeats) => boolean) => tests.filter(holds).length;
  const sum = (figure: (repeats: ReportRepeats) => number) =>
    tests.reduce((total, repeats) => total + figure(repeats), 0);
  return {
    times: plan.times,
    threshold: plan.threshold,
    planned: sum(({ planned }) => planned),
    ran: sum(({ ran }) => ran),
    incomplete: count(({ left_reason }) => left_reason !== null),
    flipped: count(({ flips }) => flips > 0),
    defects: count(({ defect }) => defect),
  };
}
