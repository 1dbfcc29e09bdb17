import { comparableReportSchema } from '../../domain/report/comparable.js';
import { compareReports, isWorse } from '../../domain/report/compare.js';
import { renderComparison } from '../../report/comparison.js';
import { printableJson } from '../../report/json.js';
import type { Ran } from '../conduct-run.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { openScreen } from '../screen.js';

/**
 * Runs the same tests on two Ralphs, one after the other, so that neither slows the other down, and compares them. Fails
 * if the second breaks a promise that the first keeps.
 */
export async function runSideBySide(
  [first, second]: readonly [string | undefined, string],
  run: (ralph: string | undefined) => Promise<Ran>,
  { json, screen }: { readonly json: boolean; readonly screen: ReturnType<typeof openScreen> },
): Promise<ExitCode> {
  const before = await run(first);
  if (before.report === null || before.code === EXIT.interrupted) return before.code;
  const after = await run(second);
  if (after.report === null || after.code === EXIT.interrupted) return after.code;
  const comparison = compareReports(
    comparableReportSchema.parse(before.report),
    comparableReportSchema.parse(after.report),
  );
  if (json) screen.print(printableJson(comparison));
  else
    screen.tell(`\n${renderComparison(comparison, { color: screen.color, columns: screen.people.columns })}`);
  if (isWorse(comparison)) return EXIT.failed;
  if (comparison.no_verdict.length > 0) return EXIT.untested;
  return before.code === EXIT.untested || after.code === EXIT.untested ? EXIT.untested : EXIT.passed;
}
