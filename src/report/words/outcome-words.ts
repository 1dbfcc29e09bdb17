import type { Report, ReportResult } from '../../domain/report/report.js';
import type { Outcome } from '../../domain/vocabulary.js';
import { describeBroken, describeGone, isGoodNews } from './failure-words.js';
import { countBroken, describeResultFault, INCONCLUSIVE_MARK } from './fault-words.js';

/** Words for how a run and its tests came out. Every report takes them from here. */

/** The outcomes, most urgent first: the order of tests, tiles and filters. */
export const OUTCOMES = [
  'failed',
  'error',
  'flaky',
  'known-issue',
  'passed',
  'skipped',
] as const satisfies readonly Outcome[];

const OUTCOME_WORDS = {
  failed: { word: 'Failed', mark: '❌', meaning: 'the target broke a promise, or inconclusive' },
  error: { word: 'Error', mark: '💥', meaning: 'the harness or the machine is to blame' },
  flaky: { word: 'Flaky', mark: '🔁', meaning: 'passed, but not every time' },
  'known-issue': { word: 'Known issue', mark: '🐞', meaning: 'broken as it is known to be' },
  passed: { word: 'Passed', mark: '✅', meaning: 'every check held' },
  skipped: { word: 'Skipped', mark: '⏭️', meaning: 'did not run' },
} as const satisfies Record<
  Outcome,
  { readonly word: string; readonly mark: string; readonly meaning: string }
>;

/** Says what an outcome means. */
export function meaningOf(outcome: Outcome): string {
  return OUTCOME_WORDS[outcome].meaning;
}

/** Names an outcome for a number of tests: `known issues`. */
export function nameCounted(outcome: Outcome, count: number): string {
  const { word } = OUTCOME_WORDS[outcome];
  return count !== 1 && (outcome === 'error' || outcome === 'known-issue') ? `${word}s` : word;
}

/** Names an outcome, or a standing in a comparison. */
export function nameStanding(standing: Outcome | 'inconclusive'): string {
  return standing === 'inconclusive' ? 'Inconclusive' : OUTCOME_WORDS[standing].word;
}

type Standing = Pick<ReportResult, 'outcome' | 'inconclusive'>;

/** Names the outcome of a test. An inconclusive one has failed, but not through the target. */
export function nameOutcome({ outcome, inconclusive }: Standing): string {
  return nameStanding(inconclusive ? 'inconclusive' : outcome);
}

/** The mark of a test. */
export function markOf({ outcome, inconclusive }: Standing): string {
  return inconclusive ? INCONCLUSIVE_MARK : OUTCOME_WORDS[outcome].mark;
}

/** The verdict in a word, with its mark and the outcome whose color it has. */
interface Verdict {
  readonly word: string;
  readonly mark: string;
  readonly tone: Outcome;
}

/** Names the verdict on a run. */
export function nameVerdict(
  report: Pick<Report, 'passed' | 'summary' | 'run_errors' | 'interrupted' | 'repeat'>,
): Verdict {
  const { passed, summary, run_errors, interrupted, repeat } = report;
  if (passed) return { word: 'Passed', mark: '🟢', tone: 'passed' };
  if (countBroken(summary) > 0 || (repeat?.defects ?? 0) > 0)
    return { word: 'Failed', mark: '🔴', tone: 'failed' };
  if (summary.errors > 0 || run_errors.length > 0) return { word: 'Error', mark: '💥', tone: 'error' };
  const open = { mark: '🟠', tone: 'flaky' } as const;
  if (summary.inconclusive > 0) return { word: 'No verdict', ...open };
  if (interrupted) return { word: 'Interrupted', ...open };
  return { word: summary.total > 0 ? 'Incomplete' : 'Nothing tested', ...open };
}

/** Renders the verdict as a heading: `🔴 FAILED`. */
export function titleOf(report: Report): string {
  const { word, mark } = nameVerdict(report);
  return `${mark} ${word.toUpperCase()}`;
}

/** Counts the failures of each type, the most frequent first. */
export function countFailureTypes(results: readonly ReportResult[]): (readonly [string, number])[] {
  const types = new Map<string, number>();
  for (const { outcome, diagnosis } of results) {
    if (diagnosis === null || (outcome !== 'failed' && outcome !== 'error')) continue;
    types.set(diagnosis.failure_type, (types.get(diagnosis.failure_type) ?? 0) + 1);
  }
  return [...types].sort(([, a], [, b]) => b - a);
}

/** Names what tests are grouped by. Tests of plugins have no tiers. */
export function groupWord(results: readonly ReportResult[]): 'Tier' | 'Group' {
  return results.some(({ placed }) => placed) ? 'Tier' : 'Group';
}

/** Splits a name such as `PromptIneffective` into words. */
export function spellOut(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Says why a test did not simply pass, in one line of at most `limit` characters; null if it did. */
export function reasonOf(result: ReportResult, limit: number): string | null {
  const { outcome, error, skip_reason, known_issue, attempts } = result;
  const first = attempts.find((attempt) => attempt.outcome !== 'passed');
  switch (outcome) {
    case 'passed':
      return isGoodNews(result) ? describeGone(result) : null;
    case 'skipped':
      return skip_reason;
    case 'known-issue':
      return known_issue?.reason ?? null;
    case 'flaky':
      return first === undefined ? null : (first.error ?? first.failed_assertions.join('; '));
    case 'error':
      return error;
    case 'failed':
      return result.inconclusive ? describeResultFault(result) : describeBroken(result, limit);
  }
}
