import { join, resolve } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Isolation } from '../../../domain/evidence/isolation.js';
import type { ReportFormat } from '../../../domain/report/formats.js';
import { completeCall, type RunCall } from '../../../domain/run-call.js';
import { BACKEND_IDS } from '../../../domain/vocabulary.js';
import { probeBwrap } from '../../../isolation/bwrap/bwrap.js';
import { repeatFlags } from '../../../run/repeat-flags.js';
import { planReplay, planSingle, type ReplayPlan } from '../../../run/replay/plan-replay.js';
import { REPLAYS_FOLDER } from '../../../workspace/workspace-root.js';
import { conductOnce } from '../../conduct-run.js';
import type { ExitCode } from '../../exit-codes.js';
import { findRecordedRun, findRecordingFile } from '../../input/find-runs.js';
import { loadNamed } from '../../input/load-scenarios.js';
import type { SharedFlags } from '../../input/run-flags.js';
import { ownProgram } from '../../program-name.js';
import { openView } from '../../view.js';

/** The flags of `replay` as commander passes them. */
export interface ReplayFlags
  extends SharedFlags<
    CatalogueKeys | 'ralph' | 'verbose' | 'quiet' | 'keepWorkspace' | 'jobs' | 'isolation' | 'json'
  > {
  readonly report: readonly ReportFormat[];
}
type CatalogueKeys = 'scenarios' | 'addScenarios' | 'knownIssues';

/** Runs `ralph-e2e replay <run> [test]`: plays the recorded agents of a live run again, offline, on any Ralph. */
export async function replayCommand(
  { run, test }: { readonly run: string; readonly test: string | undefined },
  flags: ReplayFlags,
): Promise<ExitCode> {
  const view = { ...openView(flags), yes: true };
  const isolation = await chooseSandbox(flags.isolation);
  const plan = await planFor(run, test, flags);
  const output = join(resolve(flags.output), REPLAYS_FOLDER);
  return conductOnce(view, output, {
    ...plan,
    call: replayCall(plan, { ...flags, output }, isolation),
    program: ownProgram(),
    repeatWith: repeatFlags({ ...flags, ralph: flags.ralph?.at(-1) ?? null }),
  });
}

/** Plans the replay of the run with an id or in a folder, or of a single recording. */
async function planFor(asked: string, test: string | undefined, flags: ReplayFlags): Promise<ReplayPlan> {
  const single = test === undefined ? await findRecordingFile(asked) : null;
  const run = single === null ? await findRecordedRun(asked, flags.output) : null;
  const catalogue = await loadNamed(flags);
  if (run !== null) return planReplay(run, test, catalogue);
  if (single !== null) return planSingle(single.recording, single.path, catalogue);
  throw new Error('neither a run nor a recording');
}

/** Chooses the sandbox, which decides what recorded commands can do: nothing in a recording shows reliably whose it is. */
async function chooseSandbox(isolation: Isolation | undefined): Promise<Isolation> {
  if (isolation === 'host')
    throw new KnownError('--isolation host: expected a sandbox, because a replay runs recorded commands.', {
      hint: 'Use --isolation bwrap (the default) or --isolation docker.',
    });
  if (isolation !== undefined) return isolation;
  const health = await probeBwrap(process.env.PATH);
  if (health.ok) return 'bwrap';
  throw new KnownError(`Expected a sandbox for the recorded agents, found none: ${health.detail}.`, {
    hint: `${health.fix} With docker, use --isolation docker.`,
  });
}

/** Describes the replay as a run: nothing in it depends on an account, on money or on chance. */
function replayCall(plan: ReplayPlan, flags: ReplayFlags, isolation: Isolation): RunCall {
  return completeCall({
    lane: 'sim',
    backends: BACKEND_IDS,
    suite: 'all',
    tests: plan.tests,
    ralph: flags.ralph?.at(-1),
    isolation,
    jobs: flags.jobs,
    output: flags.output,
    keepWorkspace: flags.keepWorkspace,
    examination: false,
    reports: flags.report,
  });
}
