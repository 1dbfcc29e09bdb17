import type { Report } from '../domain/report/report.js';
import { decideVerdict, isComplete } from '../domain/report/verdict.js';
import type { Allow, FailOn } from '../domain/run-call.js';

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
  if (report.interrupted) return EXIT.interrupted;
  const verdict = decideVerdict(report);
  if (verdict === 'failed' || failOn.some((what) => FOUND[what](report))) return EXIT.failed;
  const isFine =
    verdict === 'passed' ||
    (verdict === 'nothing-tested' && hasNothingToJudge(report)) ||
    (verdict === 'inconclusive' && allow.includes('inconclusive') && showsEnough(report));
  return isFine ? EXIT.passed : EXIT.untested;
}

/** Whether a run shows something beside its inconclusive results. What was given up because a service failed is more than them. */
function showsEnough(report: Report): boolean {
  const { summary, results } = report;
  const givenUp = results.some(
    ({ skip_cause }) => skip_cause?.kind === 'service-lost' || skip_cause?.kind === 'gate-failed',
  );
  return isComplete(report) && !givenUp && summary.passed + summary.flaky + summary.known_issues > 0;
}

/** The exit code of a comparison. */
export const COMPARED = { worse: EXIT.failed, open: EXIT.untested, sound: EXIT.passed } as const;

/** Whether a run has what `--fail-on` names. */
const FOUND: Readonly<Record<FailOn, (report: Report) => boolean>> = {
  skipped: ({ summary }) => summary.skipped > 0,
  flaky: ({ summary }) => summary.flaky > 0,
  'fixed-issue': ({ results }) => results.some(({ known_issue_gone }) => known_issue_gone),
};

/** Whether the other shards have all tests. That is no failure of this one: the merged report judges the whole. */
function hasNothingToJudge({ shard, results, backends_untested }: Report): boolean {
  return shard !== null && shard.total > 1 && results.length === 0 && backends_untested.length === 0;
}

/** The exit codes of a command that runs or judges tests, for its help. */
export const VERDICT_CODES = ['0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted'];

/** Lists exit codes at the end of a command's help: on one line if they fit. */
export function exitCodesHelp(...codes: readonly string[]): string {
  const line = `Exit codes: ${codes.join(' · ')}`;
  return `\n${line.length <= 80 ? line : ['Exit codes:', ...codes].join('\n  ')}`;
}

/** Scenarios run in our process and might end it with any code. Until we reach the end, that means: no verdict. */
let verdict: number = EXIT.untested;

const insist = (): void => {
  process.exitCode = verdict;
};

/**
 * Makes sure that only `endWith` and `exitNow` decide the exit code. It also wraps `reallyExit`, which `process.exit`
 * calls even if somebody removed our listener; whoever sets it again changes nothing.
 */
export function guardExitCode(): void {
  process.on('exit', insist);
  const reallyExit: unknown = Reflect.get(process, 'reallyExit');
  if (typeof reallyExit === 'function')
    Reflect.defineProperty(process, 'reallyExit', {
      get: () => () => Reflect.apply(reallyExit, process, [verdict]),
      // Libraries that want to know when a program ends set it, and fail if they cannot.
      set: () => {},
      configurable: false,
    });
}

/** Sets the exit code for when the program ends by itself. */
export function endWith(code: number): void {
  verdict = code;
  // Move our listener to the end, so that one added later cannot override it.
  process.off('exit', insist);
  process.on('exit', insist);
  process.exitCode = code;
}

/** Ends the program immediately. */
export function exitNow(code: number): never {
  endWith(code);
  process.exit(code);
}
