import { resolve } from 'node:path';
import { harnessVersion } from '../../exec/files/package-root.js';
import { requireSameFiles, requireSameHarness } from '../../run/resume/same-run.js';
import { conductOnce } from '../conduct-run.js';
import type { ExitCode } from '../exit-codes.js';
import { findEarlierRun, requireCall, requireOwn } from '../input/find-runs.js';
import { loadNamed } from '../input/load-scenarios.js';
import type { SharedFlags } from '../input/run-flags.js';
import { requireVariables } from '../input/values.js';
import { openView } from '../view.js';

/** The flags of `resume` as commander passes them. None of them can change a verdict. */
export interface ResumeFlags
  extends SharedFlags<'verbose' | 'quiet' | 'follow' | 'reports' | 'jobs' | 'yes' | 'json'> {
  readonly trust?: boolean;
}

/** Runs `ralph-e2e resume [run]`: goes on with a run that was interrupted or killed, as if nothing had happened. */
export async function resumeCommand(asked: string | undefined, flags: ResumeFlags): Promise<ExitCode> {
  const view = openView(flags);
  const output = resolve(flags.output);
  const resume = await findEarlierRun(output, asked);
  const { started } = resume;
  const call = requireCall(resume);
  if (flags.trust !== true) requireOwn(resume);
  requireSameHarness(started, harnessVersion());
  // Before they are loaded: what changed must not run.
  await requireSameFiles(started);
  requireVariables(call.passEnv);
  const catalogue = await loadNamed(call);
  return conductOnce(view, flags.output, {
    call: { ...call, output, jobs: flags.jobs ?? call.jobs, reports: flags.reports ?? call.reports },
    catalogue,
    program: started.program,
    repeatWith: started.repeatWith,
    resume,
  });
}
