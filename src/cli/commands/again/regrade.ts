import { join, resolve } from 'node:path';
import type { ReportFormat } from '../../../domain/report/formats.js';
import { harnessVersion } from '../../../exec/files/package-root.js';
import { regradeHarness } from '../../../harness/harness.js';
import { repeatFlags } from '../../../run/repeat-flags.js';
import { REGRADES_FOLDER } from '../../../workspace/workspace-root.js';
import { type ExitCode, exitCodeOf } from '../../exit-codes.js';
import { findRecordedRun } from '../../input/find-runs.js';
import { loadNamed } from '../../input/load-scenarios.js';
import type { SharedFlags } from '../../input/run-flags.js';
import { ownProgram } from '../../program-name.js';
import { createRetelling, openView, showEnd } from '../../view.js';

/** The flags of `regrade` as commander passes them. */
export interface RegradeFlags
  extends SharedFlags<'scenarios' | 'addScenarios' | 'knownIssues' | 'verbose' | 'quiet' | 'json'> {
  readonly report: readonly ReportFormat[];
}

/** Runs `ralph-e2e regrade <run> [test]`: judges kept evidence with today's checks. Nothing runs. */
export async function regradeCommand(
  { run, test }: { readonly run: string; readonly test: string | undefined },
  flags: RegradeFlags,
): Promise<ExitCode> {
  const view = openView(flags);
  const earlier = await findRecordedRun(run, flags.output);
  const { call } = earlier.started;
  const catalogue = await loadNamed(flags);
  const reporter = createRetelling(view);
  const { report, paths, folder } = await regradeHarness(
    earlier,
    {
      ...{ test, catalogue, harnessVersion: harnessVersion(), program: ownProgram() },
      output: join(resolve(flags.output), REGRADES_FOLDER),
      repeatWith: repeatFlags(flags),
      onEvent: reporter.onEvent,
    },
    flags.report,
  );
  reporter.finish(report, paths, folder);
  showEnd(report, view);
  return exitCodeOf(report, call ?? {});
}
