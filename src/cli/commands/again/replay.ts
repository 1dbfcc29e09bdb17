import { join, resolve } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Isolation } from '../../../domain/evidence/isolation.js';
import type { Origin } from '../../../domain/recording/origin.js';
import type { RunCall } from '../../../domain/run-call.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { EMBEDDED_RALPH } from '../../../domain/stand-ins.js';
import { BACKEND_IDS } from '../../../domain/vocabulary.js';
import { probeBwrap } from '../../../isolation/bwrap/bwrap.js';
import { renderJson } from '../../../report/json.js';
import { quoteCommand } from '../../../report/text/shell.js';
import { describeChanges } from '../../../report/words/origin-words.js';
import { planReplay, planSingle, type ReplayPlan } from '../../../run/replay/plan-replay.js';
import { requireSameFiles } from '../../../run/resume/same-run.js';
import { REPLAYS_FOLDER } from '../../../workspace/workspace-root.js';
import { createConductor, ownProgram } from '../../conduct-run.js';
import type { ExitCode } from '../../exit-codes.js';
import {
  type FoundRecording,
  findRecordedRun,
  findRecordingFile,
  type Owner,
  type RecordedRun,
} from '../../input/find-recorded.js';
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
  readonly isolation?: string;
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
  const found = await findReplayed(run, test, flags.output);
  const trust = found.owner === 'own' ? trustOwn(flags) : await trustForeign(run, flags);
  const plan = await planFor(found, test, flags);
  const screen = openScreen({ json });
  const output = join(resolve(flags.output), REPLAYS_FOLDER);
  const conductor = createConductor({ screen, verbosity, follow: false, yes: true }, output);
  try {
    const ralph = flags.ralph ?? defaultRalph(plan.origin);
    if (trust.note !== null) screen.people.write(`${trust.note}\n`);
    const { report, code } = await conductor.conduct({
      ...plan,
      call: replayCall(plan, { ...flags, output }, { ralph, isolation: trust.isolation }),
      program: ownProgram(),
      repeatWith: [
        ...['--ralph', ralph, '--output', flags.output],
        ...(flags.scenarios ?? []).flatMap((file) => ['--scenarios', file]),
        ...(flags.isolation === undefined ? [] : ['--isolation', flags.isolation]),
      ],
    });
    if (report?.origin) screen.people.write(`\n${describeChanges(report.origin).join('\n')}\n`);
    if (json && report !== null) screen.printAll(renderJson(report));
    return code;
  } finally {
    conductor.stop();
  }
}

/** What is replayed: the run with an id or in a folder, or a single recording. */
type Replayed =
  | { readonly kind: 'run'; readonly owner: Owner; readonly run: RecordedRun }
  | { readonly kind: 'single'; readonly owner: Owner; readonly found: FoundRecording };

async function findReplayed(asked: string, test: string | undefined, output: string): Promise<Replayed> {
  const found = test === undefined ? await findRecordingFile(asked, output) : null;
  if (found !== null) return { kind: 'single', owner: found.run === null ? 'foreign' : 'own', found };
  const run = await findRecordedRun(asked, output);
  return { kind: 'run', owner: run.owner, run };
}

async function planFor(
  replayed: Replayed,
  test: string | undefined,
  flags: ReplayFlags,
): Promise<ReplayPlan> {
  const run = replayed.kind === 'run' ? replayed.run : replayed.found.run;
  const own = replayed.owner === 'own' ? run : null;
  const catalogue = await loadFor(own, flags.scenarios);
  return replayed.kind === 'run'
    ? planReplay(replayed.run, test, catalogue)
    : planSingle(replayed.found.recording, replayed.found.path, catalogue);
}

/** Loads what the user names, or what an own run was started with. A foreign run never says what to load. */
async function loadFor(
  run: RecordedRun | null,
  scenarios: readonly string[] | undefined,
): Promise<readonly Scenario[]> {
  const call = run?.started.call;
  if (run === null || scenarios !== undefined || call === undefined) return loadCatalogue(scenarios);
  // Before they are loaded: what changed must not run.
  await requireSameFiles(run.started, 'To use them as they are now, name them with --scenarios <file>.');
  return addKnownIssues(
    await loadCatalogue(call.scenarios ?? undefined, call.addScenarios),
    call.knownIssues ?? undefined,
  );
}

/** How a recording plays, and what the user should know about that. */
interface Trust {
  readonly isolation: Isolation;
  readonly note: string | null;
}

function trustOwn({ isolation = 'host' }: ReplayFlags): Trust {
  return { ...readIsolation({ isolation }), note: null };
}

/** A recording from elsewhere plays on a Ralph that the user names, and in a sandbox unless the user does without. */
async function trustForeign(asked: string, flags: ReplayFlags): Promise<Trust> {
  const from = `${asked} is not from a run in ${flags.output}`;
  const again = quoteCommand([...ownProgram(), 'replay', asked, '--ralph', '<path>']);
  if (flags.ralph === undefined)
    throw new KnownError(
      `${from}: expected --ralph, found none. The recording names a program, and a replay does not start what somebody else names.`,
      { hint: `Name the Ralph to test: ${again}, or --ralph embedded.` },
    );
  if (flags.isolation !== undefined) {
    const { isolation } = readIsolation({ isolation: flags.isolation });
    const note =
      isolation === 'host' ? `${from}. It plays without a sandbox, because of --isolation host.` : null;
    return { isolation, note };
  }
  const health = await probeBwrap(process.env.PATH);
  if (health.ok) return { isolation: 'bwrap', note: `${from}. It plays in a sandbox (--isolation bwrap).` };
  throw new KnownError(`${from}: expected a sandbox for it, found none: ${health.detail}.`, {
    hint: `${health.fix} With docker, use --isolation docker. If you know who made the recording, use --isolation host.`,
  });
}

/** The place of the Ralph that the run tested. Whoever fixed it has probably built it there. */
function defaultRalph({ target }: Origin): string {
  return target.because === undefined ? target.path : EMBEDDED_RALPH;
}

/** Describes the replay as a run: nothing in it depends on an account, on money or on chance. */
function replayCall(
  plan: ReplayPlan,
  flags: ReplayFlags,
  chosen: Pick<RunCall, 'ralph' | 'isolation'>,
): RunCall {
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
    ...chosen,
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
    container: null,
    maxUsd: null,
    analysis: null,
    examination: false,
    reports: readReportFormats(flags.report),
    allowInconclusive: false,
    failOn: [],
  };
}
