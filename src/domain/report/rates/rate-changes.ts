import type { ComparedResult } from '../comparable.js';
import { type Interval, intervalOf, type Trials, testRates } from './rate.js';

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
  /** Of Fisher's exact test, two-sided. */
  readonly p: number;
  readonly verdict: RateVerdict;
}

/** The rates of all tests that were repeated in both runs. */
export interface RateComparison {
  /** Worse ones first, then better ones, then the rest by p. */
  readonly tests: readonly RateChange[];
}

/** Two results of a test. */
export type ResultPair = readonly [before: ComparedResult, after: ComparedResult];

/** A change counts if p is at most this. */
const P_LIMIT = 0.05;

/** Compares the rates of tests that were repeated in both runs; null if there are none. */
export function compareRates(pairs: readonly ResultPair[]): RateComparison | null {
  const changes = pairs.flatMap(([was, is]): RateChange[] => {
    const [before, after] = [trialsOf(was), trialsOf(is)];
    if (before === null || after === null) return [];
    const p = testRates(before, after);
    const direction = shareOf(after) < shareOf(before) ? 'worse' : 'better';
    return [
      {
        scenario_id: is.scenario_id,
        backend: is.backend,
        before: describeRate(before),
        after: describeRate(after),
        p,
        verdict: p <= P_LIMIT ? direction : 'no-evidence',
      },
    ];
  });
  if (changes.length === 0) return null;
  const rank = { worse: 0, better: 1, 'no-evidence': 2 } as const satisfies Record<RateVerdict, number>;
  return { tests: changes.toSorted((a, b) => rank[a.verdict] - rank[b.verdict] || a.p - b.p) };
}

function trialsOf({ repeats }: ComparedResult): Trials | null {
  if (repeats === null || repeats.counted === 0) return null;
  return { passed: repeats.passed, failed: repeats.counted - repeats.passed };
}

function describeRate(trials: Trials): Rate {
  return {
    passed: trials.passed,
    counted: trials.passed + trials.failed,
    interval: intervalOf(trials),
  };
}

function shareOf({ passed, failed }: Trials): number {
  return passed / (passed + failed);
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
