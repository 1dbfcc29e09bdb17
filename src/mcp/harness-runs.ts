import { relative } from 'node:path';
import type { JournalEvent } from '../domain/journal.js';
import type { Report } from '../domain/report/report.js';
import { completeCall } from '../domain/run-call.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { readReport, runHarness } from '../harness/harness.js';
import { readRunSummary } from '../journal/summaries.js';
import { journalPath } from '../journal/writer.js';
import { repeatFlags } from '../run/repeat-flags.js';
import { listTestRuns, type RunDir } from '../workspace/runs/runs.js';
import { findWorkspaceRoot } from '../workspace/workspace-root.js';
import { ToolError } from './errors.js';
import type { Harness } from './harness.js';
import type { CallContext } from './tool.js';

/** The input of run_scenario. */
export interface RunRequest {
  readonly scenario_id: string;
  readonly backends: readonly BackendId[];
  readonly named: readonly BackendId[];
  readonly lane: Lane;
  readonly timeout_seconds?: number | undefined;
  readonly retries: number;
}

/** Runs scenarios as the command line does. */
export async function runCatalogue(harness: Harness, context: CallContext, request: RunRequest) {
  const { options } = harness;
  // Make sure the folder exists before the run looks for it: a conversation may be creating it right now.
  await harness.keep();
  // An exact id means only that scenario, even if it is part of other ids.
  const isExact = options.catalogue.some(({ id }) => id === request.scenario_id);
  const call = completeCall({
    ...(isExact ? { tests: [request.scenario_id] } : { filters: [request.scenario_id] }),
    ...{ backends: request.backends, named: request.named, lane: request.lane, suite: 'all' },
    ...{ retries: request.retries, timeoutSeconds: request.timeout_seconds },
    ...{ isolation: options.isolation, model: options.model, passEnv: options.passEnv },
    ...{ ralph: options.ralph, output: options.output },
  });
  return runHarness({
    ...call,
    ...{ catalogue: options.catalogue, program: options.program, env: options.env },
    repeatWith: repeatFlags({ ...call, output: relative(options.root, options.output) }),
    harnessVersion: harnessVersion(),
    signal: AbortSignal.any([context.signal, options.signal]),
    onEvent: tellProgress(context),
  });
}

function tellProgress({ progress }: CallContext): (event: JournalEvent) => void {
  let total = 0;
  let done = 0;
  return (event) => {
    if (event.type === 'run-started') {
      total = event.planned.length;
      progress(0, total, `${total} ${total === 1 ? 'test' : 'tests'} to run`);
    }
    if (event.type === 'attempt-finished' || event.type === 'scenario-skipped') {
      done += 1;
      const outcome = event.type === 'attempt-finished' ? event.outcome : 'skipped';
      // A retry would count beyond the total.
      progress(Math.min(done, total), total, `${event.scenarioId} on ${event.backend}: ${outcome}`);
    }
  };
}

/** Reads the report of a run, by default of the latest one. */
export async function readRun(harness: Harness, asked: string | undefined): Promise<Report> {
  return readReport(journalPath(chooseRun(await listOwnRuns(harness), asked)), harness.options.program);
}

async function listOwnRuns({ options }: Harness): Promise<readonly RunDir[]> {
  const root = await findWorkspaceRoot(options.output);
  return root === null ? [] : listTestRuns(root);
}

function chooseRun(runs: readonly RunDir[], asked: string | undefined): RunDir {
  const found = asked === undefined ? runs.slice(-1) : runs.filter(({ id }) => id.startsWith(asked));
  const [run] = found;
  if (run !== undefined && found.length === 1) return run;
  throw new ToolError(
    'ReportNotFoundError',
    asked === undefined
      ? 'There is no run yet.'
      : `Expected the id of a run, or the beginning of one; found "${asked.slice(0, 100)}".`,
    runs.length === 0 ? 'Call run_scenario first.' : `Choose one of: ${runs.map(({ id }) => id).join(', ')}.`,
  );
}

/** Reads the latest run that contains the test, on any backend by default. Runs of other tests are skipped. */
export async function readRunOf(
  harness: Harness,
  test: { readonly scenarioId: string; readonly backend: BackendId | undefined },
): Promise<Report> {
  for (const run of (await listOwnRuns(harness)).toReversed()) {
    // The summary lists what ran. A run that was killed has none.
    const summary = await readRunSummary(run.path);
    const ran = summary?.tests.some(
      ({ scenario_id, backend, outcome }) =>
        scenario_id === test.scenarioId &&
        (test.backend === undefined || backend === test.backend) &&
        outcome !== 'skipped',
    );
    if (ran) return readReport(journalPath(run), harness.options.program);
  }
  return readRun(harness, undefined);
}
