import { join, resolve } from 'node:path';
import type { ReportFormat } from '../../../domain/report/formats.js';
import { harnessVersion } from '../../../exec/files/package-root.js';
import { regradeHarness } from '../../../harness/harness.js';
import { renderJson } from '../../../report/json.js';
import { describeChanges } from '../../../report/words/words.js';
import { repeatFlags } from '../../../run/repeat-flags.js';
import { REGRADES_FOLDER } from '../../../workspace/workspace-root.js';
import { ownProgram } from '../../conduct-run.js';
import { type ExitCode, exitCodeOf } from '../../exit-codes.js';
import { loadNamed } from '../../input/load-scenarios.js';
import { chooseVerbosity } from '../../input/run-call.js';
import type { SharedFlags } from '../../input/run-flags.js';
import { createRetelling } from '../../retell.js';
import { openScreen } from '../../screen.js';
import { findRecordedRun } from './find-recorded.js';

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
  const { json = false } = flags;
  const verbosity = chooseVerbosity(flags);
  const earlier = await findRecordedRun(run, flags.output);
  const { call } = earlier.started;
  const catalogue = await loadNamed(flags);
  const screen = openScreen({ json });
  const reporter = createRetelling(screen, verbosity);
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
  if (report.origin !== null) screen.tell(`\n${describeChanges(report.origin).join('\n')}`);
  if (json) screen.printAll(renderJson(report));
  return exitCodeOf(report, call ?? {});
}
