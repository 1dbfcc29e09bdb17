import type { Report, ReportResult } from '../../domain/report/report.js';
import type { Outcome } from '../../domain/vocabulary.js';
import { describeBroken, describeGone, isGoodNews } from '../words/failure-words.js';
import { countBroken, describeResultFault } from '../words/fault-words.js';

/** Outcomes for people, most urgent first: the order of tests, tiles and filters. */
export const OUTCOME_WORDS = {
  failed: 'Failed',
  error: 'Error',
  flaky: 'Flaky',
  'known-issue': 'Known issue',
  passed: 'Passed',
  skipped: 'Skipped',
} as const satisfies Record<Outcome, string>;

/** Names an outcome for a number of tests: `known issues`. */
export function nameCounted(outcome: Outcome, count: number): string {
  const word = OUTCOME_WORDS[outcome];
  return count !== 1 && (outcome === 'error' || outcome === 'known-issue') ? `${word}s` : word;
}

export const OUTCOME_MEANINGS = {
  failed: 'the target broke a promise, or inconclusive',
  error: 'the harness or the machine is to blame',
  flaky: 'passed, but not every time',
  'known-issue': 'broken as it is known to be',
  passed: 'every assertion held',
  skipped: 'did not run',
} as const satisfies Record<Outcome, string>;

/** Names what tests are grouped by. Tests of plugins have no tiers. */
export function groupWord(results: readonly ReportResult[]): 'Tier' | 'Group' {
  return results.some(({ placed }) => placed) ? 'Tier' : 'Group';
}

/** The outcomes in the order of `OUTCOME_WORDS`. */
export const OUTCOMES = [
  'failed',
  'error',
  'flaky',
  'known-issue',
  'passed',
  'skipped',
] as const satisfies readonly Outcome[];

/** Names the verdict in one word, and the outcome whose color it has. */
export function nameVerdict(report: Report): { word: string; tone: Outcome } {
  const { passed, summary, run_errors, interrupted, repeat } = report;
  if (passed) return { word: 'Passed', tone: 'passed' };
  if (countBroken(summary) > 0 || (repeat?.defects ?? 0) > 0) return { word: 'Failed', tone: 'failed' };
  if (summary.errors > 0 || run_errors.length > 0) return { word: 'Error', tone: 'error' };
  if (summary.inconclusive > 0) return { word: 'No verdict', tone: 'flaky' };
  if (interrupted) return { word: 'Interrupted', tone: 'flaky' };
  return { word: summary.total > 0 ? 'Incomplete' : 'Nothing tested', tone: 'flaky' };
}

/** Names the outcome of a test. An inconclusive one has failed, but not through the target. */
export function nameOutcome({
  outcome,
  inconclusive,
}: Pick<ReportResult, 'outcome' | 'inconclusive'>): string {
  return nameStanding(inconclusive ? 'inconclusive' : outcome);
}

/** Names a standing in a comparison. */
export function nameStanding(standing: Outcome | 'inconclusive'): string {
  return standing === 'inconclusive' ? 'Inconclusive' : OUTCOME_WORDS[standing];
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

/** Describes how the target's process ended. */
export function describeExitOnPage({ context, outcome }: ReportResult): string {
  if (!context) return 'unknown';
  if (context.timed_out) return 'timed out, ended by the harness';
  if (context.exit_signal !== null) return `killed by ${context.exit_signal}`;
  if (context.exit_code === null) return 'interrupted';
  const but = context.exit_code === 0 && outcome === 'failed' ? ', but assertions failed' : '';
  return `code ${context.exit_code}${but}`;
}

/** Formats a size: `1.5 KB`, `340 bytes`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats a time: `2026-01-20 14:30 UTC`; returns an invalid one unchanged. */
export function formatTime(timestamp: string): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return timestamp;
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
