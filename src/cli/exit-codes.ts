import type { Report } from '../domain/report/report.js';

/** Every exit code that a command may return, apart from `sim`. */
export const EXIT = {
  passed: 0,
  failed: 1,
  /** No verdict: wrong usage, no Ralph, no workspace, an error in the harness, nothing ran, a named backend missing. */
  untested: 2,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Decides the exit code of a run. A run in which nothing was executed never passes, nor does an untested named backend. */
export function exitCodeOf(report: Report): ExitCode {
  const { interrupted, summary, run_errors, backends_untested, spending } = report;
  if (interrupted) return EXIT.interrupted;
  if (summary.failed > 0) return EXIT.failed;
  if (summary.errors > 0 || run_errors.length > 0) return EXIT.untested;
  if (summary.total === 0 || backends_untested.length > 0) return EXIT.untested;
  if ((spending?.not_run ?? 0) > 0) return EXIT.untested;
  return EXIT.passed;
}

/** Lists exit codes at the end of a command's help: on one line if they fit. */
export function exitCodesHelp(...codes: readonly string[]): string {
  const line = `Exit codes: ${codes.join(' · ')}`;
  return `\n${line.length <= 80 ? line : ['Exit codes:', ...codes].join('\n  ')}`;
}
