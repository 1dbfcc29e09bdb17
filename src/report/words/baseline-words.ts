import type { ArmFigures, Baseline } from '../../domain/report/rates/baseline.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { formatUsd } from './money-words.js';
import { countOf, formatDuration, formatNumber } from './words.js';

/** Words about the arm without plugins. Every report takes them from here. */

/** A test that also ran without its plugins. */
export type ArmedResult = ReportResult & { readonly baseline: Baseline };

/** Lists the tests that also ran without their plugins, those that show nothing first. */
export function listCompared({ results }: Pick<Report, 'results'>): ArmedResult[] {
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
  return [
    ...(empty === 0
      ? []
      : [
          `${empty} of ${tests} ${empty === 1 ? 'passes without the plugin too, and shows' : 'pass without the plugin too, and show'} nothing about it`,
        ]),
    ...(better === 0
      ? []
      : [`${better} of ${tests} ${better === 1 ? 'passes' : 'pass'} only without the plugin`]),
    ...(empty + better > 0 || compared.length === 0
      ? []
      : [`no test passes without the plugin (${tests} compared)`]),
    ...(broken === 0 ? [] : [`${countOf(broken, 'test')} could not be carried out without the plugin`]),
  ].join('; ');
}

/** Says how one test ended without its plugins. */
export function describeWithout(result: ArmedResult): string {
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
export function describeFigures({ baseline }: ArmedResult, { lane }: Pick<Report, 'lane'>): string {
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
export const CHECK_GROUPS = [
  ['also_without', 'Hold without it too'],
  ['only_with', 'Hold only with it'],
  ['only_without', 'Hold only without it'],
] as const satisfies readonly (readonly [keyof Baseline, string])[];
