import type { Report } from '../domain/report/report.js';

/** The only exit codes there are. */
export const EXIT = {
  passed: 0,
  failed: 1,
  /** The harness could not test: a mistake in the call, no ralph, no workspace, nothing ran, a named backend missing. */
  untested: 2,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a run. Neither a run nor a backend that was named is green when nothing of it was executed. */
export function exitCodeOf({ interrupted, summary, run_errors, backends_untested }: Report): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (summary.failed > 0) return EXIT.failed;
  if (summary.errors > 0 || run_errors.length > 0) return EXIT.untested;
  if (summary.total === 0 || backends_untested.length > 0) return EXIT.untested;
  return EXIT.passed;
}
