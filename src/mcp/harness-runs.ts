import { relative } from 'node:path';
import type { JournalEvent } from '../domain/journal.js';
import type { Report } from '../domain/report/report.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';
import { readReport, runHarness } from '../harness.js';
import { harnessVersion } from '../harness-version.js';
import { readRunSummary } from '../journal/summaries.js';
import { journalPath } from '../journal/writer.js';
import { repeatFlags } from '../run/repeat-flags.js';
import { listRuns, type RunDir } from '../workspace/runs/runs.js';
import { findWorkspaceRoot } from '../workspace/workspace-root.js';
import { ToolError } from './errors.js';
import type { Laboratory } from './laboratory.js';
import type { CallContext } from './tool.js';

/** What run_scenario was asked for. */
export interface RunRequest {
  readonly scenario_id: string;
  readonly backends: readonly BackendId[];
  readonly named: readonly BackendId[];
  readonly lane: Lane;
  readonly timeout_seconds?: number | undefined;
  readonly retries: number;
}

/** Runs scenarios as the command line does. */
export async function runCatalogue(laboratory: Laboratory, context: CallContext, request: RunRequest) {
  const { options } = laboratory;
  // Made before the run looks for it: a conversation may be making it right now.
  await laboratory.keep();
  return runHarness(
    {
      catalogue: options.catalogue,
      backends: request.backends,
      named: request.named,
      lane: request.lane,
      // An id means that scenario alone, though it may be a part of other ids.
      ...(options.catalogue.some(({ id }) => id === request.scenario_id)
        ? { filters: [], tests: [request.scenario_id] }
        : { filters: [request.scenario_id] }),
      lastFailed: false,
      ralph: options.ralph,
      jobs: undefined,
      retries: request.retries,
      bail: false,
      timeoutSeconds: request.timeout_seconds ?? null,
      model: options.model,
      passEnv: options.passEnv,
      output: options.output,
      keepWorkspace: false,
      program: options.program,
      repeatWith: repeatFlags({
        ...options,
        lane: request.lane,
        output: relative(options.root, options.output),
      }),
      harnessVersion: harnessVersion(),
      env: options.env,
      signal: AbortSignal.any([context.signal, options.signal]),
      onEvent: tellProgress(context),
    },
    ['markdown', 'json'],
  );
}

function tellProgress({ progress }: CallContext): (event: JournalEvent) => void {
  let total = 0;
  let done = 0;
  return (event) => {
    if (event.type === 'run-started') {
      total = event.planned.length;
      progress(0, total, `${total} to run`);
    }
    if (event.type === 'attempt-finished' || event.type === 'scenario-skipped') {
      done += 1;
      const outcome = event.type === 'attempt-finished' ? event.outcome : 'skipped';
      // Another attempt of the same one would count beyond the end.
      progress(Math.min(done, total), total, `${event.scenarioId} on ${event.backend}: ${outcome}`);
    }
  };
}

/** The report of a run, by default of the latest. */
export async function readRun(laboratory: Laboratory, asked: string | undefined): Promise<Report> {
  const root = await findWorkspaceRoot(laboratory.options.output);
  const runs = root === null ? [] : await listRuns(root);
  return readReport(journalPath(chooseRun(runs, asked)));
}

function chooseRun(runs: readonly RunDir[], asked: string | undefined): RunDir {
  const found = asked === undefined ? runs.slice(-1) : runs.filter(({ id }) => id.startsWith(asked));
  const [run] = found;
  if (run !== undefined && found.length === 1) return run;
  throw new ToolError(
    'ReportNotFoundError',
    asked === undefined
      ? 'Nothing was run here yet.'
      : `Expected the id of one run, found "${asked.slice(0, 100)}".`,
    runs.length === 0
      ? 'Run something with run_scenario first.'
      : `There are: ${runs.map(({ id }) => id).join(', ')}.`,
  );
}

/** The latest run that ran a test, by default on any backend: a run of other tests says nothing about it. */
export async function readRunOf(
  laboratory: Laboratory,
  test: { readonly scenarioId: string; readonly backend: BackendId | undefined },
): Promise<Report> {
  const root = await findWorkspaceRoot(laboratory.options.output);
  const runs = root === null ? [] : await listRuns(root);
  for (const run of runs.toReversed()) {
    // What it ran stands in its summary; a run that was killed left none.
    const summary = await readRunSummary(run.path);
    const ran = summary?.tests.some(
      ({ scenario_id, backend, outcome }) =>
        scenario_id === test.scenarioId &&
        (test.backend === undefined || backend === test.backend) &&
        outcome !== 'skipped',
    );
    if (ran) return readReport(journalPath(run));
  }
  return readRun(laboratory, undefined);
}
