import { groupBy } from '../../domain/common/group-by.js';
import type { ArmFigures, Baseline } from '../../domain/report/rates/baseline.js';
import type { Interval } from '../../domain/report/rates/rate.js';
import type { RepeatTotals, ReportRepeats } from '../../domain/report/rates/repeats.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import {
  cut,
  joined,
  type Line,
  own,
  paragraph,
  type ReportBlock,
  table,
  testName,
  words,
} from '../content/content.js';
import {
  countOf,
  describeBlame,
  formatDuration,
  formatNumber,
  formatShare,
  formatUsd,
} from '../words/words.js';

/** What a run shows that ran each test several times, or also without its plugins. */

/** Says what the repeats of each test show: the tests that vary first. */
export function repeatBlocks({ repeat, results }: Report, most: number): ReportBlock[] {
  if (repeat === null) return [];
  const tests = results
    .filter(({ repeats }) => repeats !== null)
    .toSorted((a, b) => (a.repeats?.rate ?? 0) - (b.repeats?.rate ?? 0));
  return [
    paragraph(own(`${describeTotals(repeat)}.`)),
    ...table(
      ['Test', 'Rate', 'Not passed', 'Spread'],
      tests.map((result) => describeRepeated(result, repeat.threshold)),
      { most },
    ),
  ];
}

function describeRepeated(result: ReportResult, threshold: number | null): Line[] {
  const { repeats } = result;
  if (repeats === null) return [];
  const some = (parts: readonly string[]) => own(parts.filter((part) => part !== '').join('; '));
  const notPassed = [describeFailedRepeats(repeats), repeats.defect ? `Defect: ${DEFECT}` : '']
    .filter((part) => part !== '')
    .map(own);
  return [
    testName(labelOf(result)),
    some([describeRate(repeats), describeThreshold(repeats, threshold)]),
    joined(repeats.left_reason === null ? notPassed : [...notPassed, cut(repeats.left_reason, 160)], '; '),
    some(listSpread(repeats)),
  ];
}

/** Puts each test next to itself without the plugins. */
export function baselineBlocks(report: Report, most: number): ReportBlock[] {
  const compared = listCompared(report);
  if (compared.length === 0) return [];
  return [
    paragraph(
      own(
        `The same tests without their plugins: ${describeArm(compared)}. A check that holds without the plugin too proves nothing about it. This arm does not count for the verdict.`,
      ),
    ),
    ...table(
      ['Test', ...CHECK_GROUPS.map(([, title]) => title), 'Figures'],
      compared.map((result) => [
        words`${testName(labelOf(result))} ${cut(describeWithout(result), 300)}`,
        ...CHECK_GROUPS.map(([key]) => cut(result.baseline[key].join('; ') || 'none', 400)),
        own(describeFigures(result, report)),
      ]),
      { most },
    ),
  ];
}

/** Says how often a test passed: `7 of 10 passed, 70 % (95 % interval: 39 to 91 %)`. */
function describeRate({ passed, counted, rate, interval, ran }: ReportRepeats): string {
  if (rate === null || interval === null) return `none of ${countOf(ran, 'repeat')} counts`;
  const apart = ran - counted;
  const left = apart === 0 ? '' : `, ${countOf(apart, 'repeat')} not counted`;
  return `${passed} of ${counted} passed, ${formatShare(rate)} (95 % interval: ${formatInterval(interval)})${left}`;
}

/** Formats an interval: `39 to 91 %`. */
export function formatInterval({ low, high }: Interval): string {
  return `${Math.floor(low * 100)} to ${Math.ceil(high * 100)} %`;
}

const SHOWN_REPEATS = 8;

/** Says which repeats did not pass and through whom: `repeats 3, 7 (the agent); repeat 5 (the target)`. Empty if all passed. */
function describeFailedRepeats({ failures }: ReportRepeats): string {
  return [...groupBy(failures, ({ whose }) => whose)]
    .map(([whose, group]) => {
      const more = group.length - SHOWN_REPEATS;
      const numbers = group.slice(0, SHOWN_REPEATS).map(({ repeat }) => repeat);
      return `${group.length === 1 ? 'repeat' : 'repeats'} ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''} (${describeBlame(whose)})`;
    })
    .join('; ');
}

/** Says whether enough repeats passed: `below 0.9`. Empty without a threshold, or while repeats are missing. */
function describeThreshold(
  { below_threshold, left_reason, rate }: ReportRepeats,
  threshold: number | null,
): string {
  if (threshold === null) return '';
  if (below_threshold) return `below ${threshold}`;
  return left_reason === null && (rate ?? 0) >= threshold ? `at least ${threshold}` : '';
}

/** What a flip in an offline lane means. */
const DEFECT = 'the repeats differ although the agent is a script: a defect of the target or of ralph-e2e';

const SPREADS = [
  ['iterations', 'iterations', formatNumber],
  ['seconds', 'time', formatDuration],
  ['tokens', 'tokens', formatNumber],
  ['cost_usd', 'cost', formatUsd],
] as const satisfies readonly (readonly [keyof ReportRepeats['spread'], string, (value: number) => string])[];

/** Lists how far the figures of the repeats vary: `time 0.41s to 0.52s (median 0.44s)`. */
function listSpread({ spread }: ReportRepeats): string[] {
  return SPREADS.flatMap(([key, name, format]) => {
    if (spread[key] === null) return [];
    const { least, median, most } = spread[key];
    return least === most
      ? [`${name} always ${format(least)}`]
      : [`${name} ${format(least)} to ${format(most)} (median ${format(median)})`];
  });
}

/** Sums up the repeats of a run: `10 repeats of each test; 3 tests vary`. */
function describeTotals(totals: RepeatTotals): string {
  const { times, ran, planned, flipped } = totals;
  const vary =
    flipped === 0 ? 'no test varies' : `${countOf(flipped, 'test')} ${flipped === 1 ? 'varies' : 'vary'}`;
  return `Repeats: ${times} of each test, ${ran} of ${planned} ran; ${vary}`;
}

/** A test that also ran without its plugins. */
type ArmedResult = ReportResult & { readonly baseline: Baseline };

/** Lists the tests that also ran without their plugins, those that show nothing first. */
function listCompared({ results }: Pick<Report, 'results'>): ArmedResult[] {
  return results
    .filter((result): result is ArmedResult => result.baseline !== null)
    .toSorted((a, b) => Number(showsNothing(b)) - Number(showsNothing(a)));
}

/** Whether a test passes with the plugin and without it, so that it says nothing about the plugin. */
function showsNothing({ passed, baseline }: Pick<ArmedResult, 'passed' | 'baseline'>): boolean {
  return passed && baseline.outcome === 'passed';
}

/** Sums up the arm: `1 of 2 tests passes without the plugin too, and shows nothing about it`. */
export function describeArm(all: readonly Pick<ArmedResult, 'passed' | 'baseline'>[]): string {
  const compared = all.filter(({ baseline }) => baseline.outcome !== 'error');
  const tests = countOf(compared.length, 'test');
  const empty = compared.filter(showsNothing).length;
  const better = compared.filter(({ passed, baseline }) => !passed && baseline.outcome === 'passed').length;
  const broken = all.length - compared.length;
  const passes = (count: number) => `${count} of ${tests} ${count === 1 ? 'passes' : 'pass'}`;
  const parts = [
    empty > 0 &&
      `${passes(empty)} without the plugin too, and ${empty === 1 ? 'shows' : 'show'} nothing about it`,
    better > 0 && `${passes(better)} only without the plugin`,
    empty + better === 0 && compared.length > 0 && `no test passes without the plugin (${tests} compared)`,
    broken > 0 && `${countOf(broken, 'test')} could not be carried out without the plugin`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/** Says how one test ended without its plugins. */
function describeWithout(result: ArmedResult): string {
  const { outcome, error } = result.baseline;
  switch (outcome) {
    case 'passed':
      return result.passed ? 'passes without the plugin too' : 'passes only without the plugin';
    case 'failed':
      return result.passed ? 'fails without the plugin' : 'fails with the plugin and without it';
    case 'error':
      return `could not be carried out without the plugin: ${error ?? 'no reason was recorded'}`;
    default:
      return outcome satisfies never;
  }
}

const FIGURES = [
  ['turns', 'turns', formatNumber],
  ['tool_calls', 'tool calls', formatNumber],
  ['tokens', 'tokens', formatNumber],
  ['cost_usd', 'cost', formatUsd],
  ['duration_seconds', 'time', formatDuration],
] as const satisfies readonly (readonly [keyof ArmFigures, string, (value: number) => string])[];

/** Says what the plugin changed in figures: `turns 2 (without: 1), tokens 812 (without: 300)`. */
function describeFigures({ baseline }: ArmedResult, { lane }: Pick<Report, 'lane'>): string {
  return FIGURES.flatMap(([key, name, format]) => {
    // Offline, the script decides how many tokens there are.
    if (key === 'tokens' && lane !== 'live') return [];
    const [withIt, without] = [baseline.with_plugin[key], baseline.without_plugin[key]];
    return withIt === null || without === null
      ? []
      : [`${name} ${format(withIt)} (without: ${format(without)})`];
  }).join(', ');
}

/** The checks by what the plugin has to do with them, in the order of interest. */
const CHECK_GROUPS = [
  ['also_without', 'Hold without it too'],
  ['only_with', 'Hold only with it'],
  ['only_without', 'Hold only without it'],
] as const satisfies readonly (readonly [keyof Baseline, string])[];
