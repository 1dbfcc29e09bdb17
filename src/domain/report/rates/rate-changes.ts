import { decideFamily, type FisherTest, testRates, trialsToShow } from '../../statistics/compare-rates.js';
import { fixedInterval, type Interval, type Trials } from '../../statistics/rate.js';
import { sequentialInterval } from '../../statistics/sequence.js';
import type { ComparableReport, ComparedResult } from '../comparable.js';

/** What is shown about the rate of a test. */
export type RateVerdict = 'worse' | 'better' | 'no-evidence';

/** The rate of a test in one of the runs. */
interface Rate {
  readonly passed: number;
  readonly counted: number;
  readonly interval: Interval;
}

/** How the rate of a test that was repeated in both runs changed. */
export interface RateChange {
  readonly scenario_id: string;
  readonly backend: string;
  readonly before: Rate;
  readonly after: Rate;
  /** Of Fisher's exact test, two-sided, without correction. */
  readonly p: number;
  readonly verdict: RateVerdict;
  /** About how many repeats more each run needs to show this difference; null if there is none, or if it is shown. */
  readonly more_repeats: number | null;
}

/** The rates of all tests that were repeated in both runs. */
export interface RateComparison {
  /** What p must not exceed after the correction for many comparisons. */
  readonly limit: number;
  /** Worse ones first, then better ones, then the rest by p. */
  readonly tests: readonly RateChange[];
}

/** Two results of a test. */
export type ResultPair = readonly [before: ComparedResult, after: ComparedResult];

/** Compares the rates of tests that were repeated in both runs; null if there are none. */
export function compareRates(
  pairs: readonly ResultPair[],
  [before, after]: readonly [ComparableReport, ComparableReport],
): RateComparison | null {
  const tests = pairs.flatMap(([was, is]) => {
    const [one, other] = [trialsOf(was), trialsOf(is)];
    return one === null || other === null ? [] : [{ is, one, other, ...testRates(one, other) }];
  });
  if (tests.length === 0) return null;
  const { found, limit } = decideFamily<FisherTest & (typeof tests)[number]>(tests);
  const changes = tests.map((test): RateChange => {
    const { is, one, other, p } = test;
    const isShown = found.has(test);
    const needed = isShown ? null : trialsToShow(one, other, limit);
    return {
      scenario_id: is.scenario_id,
      backend: is.backend,
      before: describeRate(one, before),
      after: describeRate(other, after),
      p,
      verdict: isShown ? (shareOf(other) < shareOf(one) ? 'worse' : 'better') : 'no-evidence',
      more_repeats: needed === null ? null : Math.max(1, needed - Math.min(sizeOf(one), sizeOf(other))),
    };
  });
  const rank = { worse: 0, better: 1, 'no-evidence': 2 } as const satisfies Record<RateVerdict, number>;
  return { limit, tests: changes.toSorted((a, b) => rank[a.verdict] - rank[b.verdict] || a.p - b.p) };
}

/** Says why the p-values may be too small; null if nothing stopped early. */
export function findEarlyStop(reports: readonly ComparableReport[]): string | null {
  const stopped = reports.some(({ results }) => results.some(({ repeats }) => (repeats?.saved ?? 0) > 0));
  return stopped
    ? 'repeats stopped when a threshold was decided, so that rates are a little extreme and the comparison is only approximate'
    : null;
}

function trialsOf({ repeats }: ComparedResult): Trials | null {
  if (repeats === null || repeats.counted === 0) return null;
  return { passed: repeats.passed, failed: repeats.counted - repeats.passed };
}

function describeRate(trials: Trials, { repeat }: ComparableReport): Rate {
  const interval = repeat?.threshold == null ? fixedInterval(trials) : sequentialInterval(trials);
  return { passed: trials.passed, counted: sizeOf(trials), interval };
}

function sizeOf({ passed, failed }: Trials): number {
  return passed + failed;
}

function shareOf(trials: Trials): number {
  return trials.passed / sizeOf(trials);
}

/** Whether a kind of change (as in CHANGE_KINDS) holds for a test whose rate was compared. Without a rate, its outcome decides. */
export function isShownByRate(kind: string, verdict: RateVerdict | undefined): boolean {
  if (verdict === undefined) return true;
  if (kind === 'new_failures') return verdict === 'worse';
  if (kind === 'fixed') return verdict === 'better';
  return kind !== 'newly_flaky';
}

/** A test that fails now and did not before, but too rarely to tell: nobody knows whether it is worse. */
export function describeUnshown(results: readonly ComparedResult[]): string[] {
  const names = results.map(({ scenario_id, backend }) => `${scenario_id} on ${backend}`);
  if (names.length === 0) return [];
  const shown = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [`too few repeats show whether ${shown}${more} became worse`];
}
