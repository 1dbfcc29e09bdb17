import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { ReportFormat } from '../../../domain/report/formats.js';
import { harnessVersion } from '../../../exec/files/package-root.js';
import { regradeHarness } from '../../../harness/harness.js';
import { renderJson } from '../../../report/json.js';
import { createTerminalReporter } from '../../../report/terminal/terminal.js';
import { describeChanges } from '../../../report/words/words.js';
import { REGRADES_FOLDER } from '../../../workspace/workspace-root.js';
import { ownProgram } from '../../conduct-run.js';
import { type ExitCode, exitCodeOf } from '../../exit-codes.js';
import { chooseVerbosity } from '../../input/run-call.js';
import { openScreen } from '../../screen.js';
import { findRecordedRun } from './find-recorded.js';
import { catalogueFlags, loadNamed } from './load-named.js';

/** The flags of `regrade` as commander passes them. */
export interface RegradeFlags {
  readonly scenarios?: string[];
  readonly addScenarios?: string[];
  readonly knownIssues?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly report: readonly ReportFormat[];
  readonly json?: boolean;
  readonly output: string;
}

/** Runs `ralph-e2e regrade <run> [test]`: judges kept evidence with today's checks. Nothing runs. */
export async function regradeCommand(
  { run, test }: { readonly run: string; readonly test: string | undefined },
  flags: RegradeFlags,
): Promise<ExitCode> {
  const { json = false } = flags;
  const verbosity = chooseVerbosity(flags);
  z.config({ jitless: true });
  const earlier = await findRecordedRun(run, flags.output);
  const { call } = earlier.started;
  const catalogue = await loadNamed(flags);
  const screen = openScreen({ json });
  const reporter = createTerminalReporter({
    stream: screen.people,
    verbosity,
    color: screen.color,
    now: () => 0,
  });
  const { report, paths, folder } = await regradeHarness(
    earlier,
    {
      ...{ test, catalogue, harnessVersion: harnessVersion(), program: ownProgram() },
      output: join(resolve(flags.output), REGRADES_FOLDER),
      repeatWith: ['--output', flags.output, ...catalogueFlags(flags)],
      // Nothing runs, so leave out the starts: they show a spinner.
      onEvent: (event) => {
        if (event.type !== 'attempt-started') reporter.onEvent(event);
      },
    },
    flags.report,
  );
  reporter.finish(report, paths, folder);
  if (report.origin !== null) screen.tell(`\n${describeChanges(report.origin).join('\n')}`);
  if (json) screen.printAll(renderJson(report));
  return exitCodeOf(report, call ?? {});
}
