import type { Report } from '../domain/report.js';

/** The only exit codes there are. */
export const EXIT = {
  passed: 0,
  failed: 1,
  /** The harness could not test: a mistake in the call, no ralph, no workspace, nothing ran. */
  untested: 2,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a run. A run in which nothing was executed is never green. */
export function exitCodeOf({ interrupted, summary, run_errors }: Report): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (summary.failed > 0) return EXIT.failed;
  if (summary.errors > 0 || summary.total === 0 || run_errors.length > 0) return EXIT.untested;
  return EXIT.passed;
}
