import { groupBy } from '../../domain/common/group-by.js';
import type { Interval } from '../../domain/report/rates/rate.js';
import type { RepeatTotals, ReportRepeats, Spread } from '../../domain/report/rates/repeats.js';
import { formatUsd } from './money-words.js';
import { countOf, formatDuration, formatNumber, formatShare } from './words.js';

/** Words about repeats. Every report takes them from here. */

/** Says how often a test passed: `7 of 10 passed, 70 % (95 % interval: 39 to 91 %)`. */
export function describeRate({ passed, counted, rate, interval, ran }: ReportRepeats): string {
  if (rate === null || interval === null) return `none of ${countOf(ran, 'repeat')} counts`;
  const apart = ran - counted;
  const left = apart === 0 ? '' : `, ${countOf(apart, 'repeat')} not counted`;
  return `${passed} of ${counted} passed, ${formatShare(rate)} (95 % interval: ${formatInterval(interval)})${left}`;
}

/** Formats an interval: `39 to 91 %`. */
export function formatInterval({ low, high }: Interval): string {
  return `${Math.floor(low * 100)} to ${Math.ceil(high * 100)} %`;
}

const PARTIES = {
  target: 'the target',
  agent: 'the agent',
  infrastructure: 'the service',
  harness: 'the harness',
  recording: 'the recording',
} as const satisfies Record<ReportRepeats['failures'][number]['whose'], string>;

const SHOWN_REPEATS = 8;

/** Says which repeats did not pass and through whom: `repeats 3, 7 (the agent); repeat 5 (the target)`. Empty if all passed. */
export function describeFailedRepeats({ failures }: ReportRepeats): string {
  return [...groupBy(failures, ({ whose }) => whose)]
    .map(([whose, group]) => {
      const numbers = group.map(({ repeat }) => String(repeat));
      const more = numbers.length - SHOWN_REPEATS;
      const listed = numbers.slice(0, SHOWN_REPEATS).join(', ');
      return `${numbers.length === 1 ? 'repeat' : 'repeats'} ${listed}${more > 0 ? ` and ${more} more` : ''} (${PARTIES[whose]})`;
    })
    .join('; ');
}

/** Says whether enough repeats passed: `below 0.9`. Empty without a threshold, or while repeats are missing. */
export function describeThreshold(
  { below_threshold, left_reason, rate }: ReportRepeats,
  threshold: number | null,
): string {
  if (threshold === null) return '';
  if (below_threshold) return `below ${threshold}`;
  return left_reason === null && (rate ?? 0) >= threshold ? `at least ${threshold}` : '';
}

/** What a flip in an offline lane means. */
export const DEFECT =
  'the repeats differ although the agent is a script: a defect of the target or of ralph-e2e';

const FIGURES = [
  ['iterations', 'iterations', formatNumber],
  ['seconds', 'time', formatDuration],
  ['tokens', 'tokens', formatNumber],
  ['cost_usd', 'cost', formatUsd],
] as const satisfies readonly (readonly [keyof ReportRepeats['spread'], string, (value: number) => string])[];

/** Lists how far the figures of the repeats vary: `time 0.41s to 0.52s (median 0.44s)`. */
export function listSpread({ spread }: ReportRepeats): { readonly name: string; readonly text: string }[] {
  return FIGURES.flatMap(([key, name, format]) => {
    const figure = spread[key];
    return figure === null ? [] : [{ name, text: describeSpread(figure, format) }];
  });
}

function describeSpread({ least, median, most }: Spread, format: (value: number) => string): string {
  if (least === most) return `always ${format(least)}`;
  return `${format(least)} to ${format(most)} (median ${format(median)})`;
}

/** Sums up the repeats of a run: `10 repeats of each test; 3 tests vary`. */
export function describeTotals(totals: RepeatTotals): string {
  const { times, ran, planned, flipped } = totals;
  const vary =
    flipped === 0 ? 'no test varies' : `${countOf(flipped, 'test')} ${flipped === 1 ? 'varies' : 'vary'}`;
  return `Repeats: ${times} of each test, ${ran} of ${planned} ran; ${vary}`;
}
