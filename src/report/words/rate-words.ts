import type { Comparison } from '../../domain/report/compare.js';
import type { RateChange, RateVerdict } from '../../domain/report/rates/rate-changes.js';
import type { TestHistory } from '../../domain/report/rates/test-history.js';
import { formatInterval } from './repeat-words.js';
import { countOf, formatShare } from './words.js';

/** Words about compared rates. */

export const RATE_VERDICTS = {
  worse: { mark: '🔴', word: 'worse' },
  better: { mark: '🟢', word: 'better' },
  'no-evidence': { mark: '⚪', word: 'no evidence' },
} as const satisfies Record<RateVerdict, { readonly mark: string; readonly word: string }>;

/** Says what the comparison of rates shows as a whole: `rates of 12 tests: 1 worse, 0 better, 11 without evidence`. */
export function summariseRates({ rates }: Comparison): string {
  if (rates === null) return '';
  const count = (verdict: RateVerdict) => rates.tests.filter((test) => test.verdict === verdict).length;
  return `rates of ${countOf(rates.tests.length, 'repeated test')}: ${count('worse')} worse, ${count('better')} better, ${count('no-evidence')} without evidence of a change`;
}

/** Describes one rate: `38 of 40 (84 to 99 %)`. */
export function describeOneRate({ passed, counted, interval }: RateChange['before']): string {
  return `${passed} of ${counted} (${formatShare(passed / counted)}, interval ${formatInterval(interval)})`;
}

/** Says what is shown about a test. */
export function describeRateVerdict({ verdict, p }: RateChange): string {
  return `${RATE_VERDICTS[verdict].word} (p = ${formatP(p)})`;
}

/** Lists the tests whose rates differ; the others have nothing to show. */
export function listRateChanges({ rates }: Comparison): readonly RateChange[] {
  return (rates?.tests ?? []).filter(
    ({ before, after }) => before.passed / before.counted !== after.passed / after.counted,
  );
}

function formatP(p: number): string {
  return p < 0.0001 ? 'less than 0.0001' : p.toFixed(p < 0.01 ? 4 : 2);
}

/** Says why a test has no rate. */
export function nameUncounted({ points }: TestHistory): string {
  return points.at(-1)?.outcome === 'known-issue' ? 'known issue' : 'none counts';
}
