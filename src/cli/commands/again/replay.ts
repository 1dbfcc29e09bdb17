import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Origin } from '../../../domain/recording/origin.js';
import type { RunCall } from '../../../domain/run-call.js';
import { EMBEDDED_RALPH } from '../../../domain/stand-ins.js';
import { BACKEND_IDS } from '../../../domain/vocabulary.js';
import { renderJson } from '../../../report/json.js';
import { describeChanges } from '../../../report/words/origin-words.js';
import { planReplay, planSingle, type ReplayPlan } from '../../../run/replay/plan-replay.js';
import { REPLAYS_FOLDER } from '../../../workspace/workspace-root.js';
import { createConductor, ownProgram } from '../../conduct-run.js';
import type { ExitCode } from '../../exit-codes.js';
import { findRecordedRun, findRecordingFile } from '../../input/find-recorded.js';
import { addKnownIssues } from '../../input/known-issues.js';
import { loadCatalogue } from '../../input/load-scenarios.js';
import { chooseVerbosity } from '../../input/run-choices.js';
import { readCount, readIsolation, readReportFormats } from '../../input/values.js';
import { openScreen } from '../../screen.js';

/** The flags of `replay` as commander passes them. */
export interface ReplayFlags {
  readonly ralph?: string;
  readonly scenarios?: string[];
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly keepWorkspace?: boolean;
  readonly report: string;
  readonly jobs?: string;
  readonly isolation: string;
  readonly json?: boolean;
  readonly output: string;
}

/** Runs `ralph-e2e replay <run> [test]`: plays the recorded agents of a live run again, offline, on any Ralph. */
export async function replayCommand(
  { run, test }: { readonly run: string; readonly test: string | undefined },
  flags: ReplayFlags,
): Promise<ExitCode> {
  const { json = false } = flags;
  const verbosity = chooseVerbosity(flags);
  z.config({ jitless: true });
  const plan = await planFor(run, test, flags);
  const { origin } = plan;
  const screen = openScreen({ json });
  const output = join(resolve(flags.output), REPLAYS_FOLDER);
  const conductor = createConductor({ screen, verbosity, follow: false, yes: true }, output);
  try {
    const ralph = flags.ralph ?? defaultRalph(origin);
    const { report, code } = await conductor.conduct({
      ...plan,
      call: replayCall(plan, { ...flags, output }, ralph),
      program: ownProgram(),
      repeatWith: ['--ralph', ralph, '--output', flags.output],
    });
    if (report?.origin) screen.people.write(`\n${describeChanges(report.origin).join('\n')}\n`);
    if (json && report !== null) screen.printAll(renderJson(report));
    return code;
  } finally {
    conductor.stop();
  }
}

async function planFor(asked: string, test: string | undefined, flags: ReplayFlags): Promise<ReplayPlan> {
  const recording = test === undefined ? await findRecordingFile(asked) : null;
  if (recording !== null) return planSingle(recording, await loadCatalogue(flags.scenarios));
  const found = await findRecordedRun(asked, flags.output);
  const { call } = found.started;
  const catalogue = await addKnownIssues(
    await loadCatalogue(flags.scenarios ?? call?.scenarios ?? undefined, call?.addScenarios ?? []),
    call?.knownIssues ?? undefined,
  );
  return planReplay(found, test, catalogue);
}

/** The place of the Ralph that the run tested. Whoever fixed it has probably built it there. */
function defaultRalph({ target }: Origin): string {
  return target.because === undefined ? target.path : EMBEDDED_RALPH;
}

/** Describes the replay as a run: nothing in it depends on an account, on money or on chance. */
function replayCall(plan: ReplayPlan, flags: ReplayFlags, ralph: string): RunCall {
  return {
    lane: 'sim',
    backends: [...BACKEND_IDS],
    named: [],
    suite: 'all',
    filters: [],
    tests: [...plan.tests],
    excludes: [],
    priorities: null,
    lastFailed: false,
    shuffleSeed: null,
    scenarios: null,
    addScenarios: [],
    knownIssues: null,
    ralph,
    jobs: flags.jobs === undefined ? null : readCount('--jobs', 1)(flags.jobs),
    retries: 0,
    repeat: null,
    bail: false,
    timeoutSeconds: null,
    model: null,
    passEnv: [],
    output: flags.output,
    keepWorkspace: flags.keepWorkspace ?? false,
    keepReports: false,
    strictKnownIssues: false,
    isolation: readIsolation({ isolation: flags.isolation }).isolation,
    container: null,
    maxUsd: null,
    analysis: null,
    examination: false,
    reports: readReportFormats(flags.report),
    allowInconclusive: false,
    failOn: [],
  };
}
