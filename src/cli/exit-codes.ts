import type { Report } from '../domain/report/report.js';
import type { Allow, FailOn } from '../domain/run-call.js';
import { countBroken } from '../report/words/outcomes.js';

/** Every exit code that a command may return, apart from `sim`. */
export const EXIT = {
  passed: 0,
  /** Ralph broke a promise, a rate is below `--threshold`, or `--fail-on` found what it names. */
  failed: 1,
  /**
   * No verdict: wrong usage, no Ralph, no workspace, an error in the harness, nothing ran, a named backend missing, a
   * result that is inconclusive.
   */
  untested: 2,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface ExitRules {
  /** Such results alone do not take the verdict away. */
  readonly allow?: readonly Allow[];
  /** Fail if there are such results. */
  readonly failOn?: readonly FailOn[];
}

/** Decides the exit code of a run. A run in which nothing was executed never passes, nor does an untested named backend. */
export function exitCodeOf(report: Report, { allow = [], failOn = [] }: ExitRules = {}): ExitCode {
  const { interrupted, summary, run_errors, backends_untested, spending, results, repeat } = report;
  if (interrupted) return EXIT.interrupted;
  if (countBroken(summary) > 0 || (repeat?.defects ?? 0) > 0) return EXIT.failed;
  if (failOn.some((what) => FOUND[what](report))) return EXIT.failed;
  if (summary.errors > 0 || run_errors.length > 0) return EXIT.untested;
  if (backends_untested.length > 0) return EXIT.untested;
  if (summary.total === 0) return hasNothingToJudge(report) ? EXIT.passed : EXIT.untested;
  if ((spending?.not_run ?? 0) > 0) return EXIT.untested;
  if (results.some(({ skip_cause }) => skip_cause?.kind === 'run-ended')) return EXIT.untested;
  if ((repeat?.incomplete ?? 0) > 0) return EXIT.untested;
  if (summary.inconclusive === 0) return EXIT.passed;
  // What was given up because a service failed is more than one inconclusive result: nobody accepted that.
  const givenUp = results.some(
    ({ skip_cause }) => skip_cause?.kind === 'service-lost' || skip_cause?.kind === 'gate-failed',
  );
  const showed = summary.passed + summary.flaky + summary.known_issues > 0;
  return allow.includes('inconclusive') && showed && !givenUp ? EXIT.passed : EXIT.untested;
}

/** Whether a run has what `--fail-on` names. */
const FOUND: Readonly<Record<FailOn, (report: Report) => boolean>> = {
  skipped: ({ summary }) => summary.skipped > 0,
  flaky: ({ summary }) => summary.flaky > 0,
  'fixed-issue': ({ results }) => results.some(({ known_issue_gone }) => known_issue_gone),
};

/** Whether the other shards have all tests. That is no failure of this one: the merged report judges the whole. */
function hasNothingToJudge({ shard, results }: Report): boolean {
  return shard !== null && shard.total > 1 && results.length === 0;
}

/** The exit codes of a command that runs or judges tests, for its help. */
export const VERDICT_CODES = ['0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted'];

/** Lists exit codes at the end of a command's help: on one line if they fit. */
export function exitCodesHelp(...codes: readonly string[]): string {
  const line = `Exit codes: ${codes.join(' · ')}`;
  return `\n${line.length <= 80 ? line : ['Exit codes:', ...codes].join('\n  ')}`;
}
