import { basename, dirname, relative } from 'node:path';
import { removeBlobs, writeBlobFiles } from '../blob/files.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import type { JournalEvent } from '../domain/journal.js';
import { REPORT_FORMAT_NAMES, type ReportFormat } from '../domain/report/formats.js';
import type { Report } from '../domain/report/report.js';
import { choiceOf } from '../domain/shard.js';
import { keepForReport, readJournal } from '../journal/reader.js';
import { writeRunSummary } from '../journal/summaries.js';
import { buildReport } from '../report/model/build-report.js';
import { summarizeRun } from '../report/model/history.js';
import { readAnalyzerConfig } from '../run/analyst/meta-ralph.js';
import { recordRun } from '../run/record-run.js';
import { regradeRun } from '../run/regrade/regrade-run.js';
import { safeRepeatFlags } from '../run/repeat-flags.js';
import { type EarlierRun, resumeRun } from '../run/resume/resume-run.js';
import type { FinishedRun, Review, RunOptions } from '../run/run-options.js';
import { removeLeftWorkspaces } from '../workspace/left-workspaces.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { analysis } from './analysis.js';
import { removeReports, writeReportFiles } from './report-files.js';
import { reviewRun, type Skippable } from './review-run.js';

export interface HarnessOptions extends RunOptions {
  /** Lets the user skip the analysis by Ralph. Default: nobody can. */
  readonly skippable?: Skippable;
  /** Go on with this run instead of starting a new one. */
  readonly resume?: EarlierRun;
}

export interface HarnessResult {
  readonly report: Report;
  /** The report files that were written. */
  readonly paths: readonly string[];
  /** The folder that contains them and the failure pages of this run. */
  readonly folder: string;
}

/** Thrown if the run has a verdict but not all of its reports could be written. */
export class UnwrittenReportError extends KnownError {
  readonly report: Report;

  constructor(report: Report, cause: unknown) {
    const reason = messageOf(cause);
    super(`Could not write all reports of the run: ${reason}`, {
      hint: 'Remove what is in the way, or choose another folder with --output <dir>.',
      cause,
    });
    this.report = report;
  }
}

/** Runs scenarios and writes the reports, which are rendered only from what the run recorded. */
export async function runHarness(options: HarnessOptions): Promise<HarnessResult> {
  const { analysis: wanted, examination, reports, skippable } = options;
  const analyzer = wanted?.analyzer ?? null;
  const config = analyzer === null ? null : await readAnalyzerConfig(analyzer);
  const review = (run: Review) => reviewRun(run, { config, makeReport, skippable });
  const nameCauses = (records: readonly JournalEvent[]) =>
    makeReport(records).causes.map(({ tests: [first = ''] }) => first);
  const all = {
    ...options,
    ...(wanted === null ? {} : { review }),
    ...(examination ? { nameCauses } : {}),
    onStart: (root: WorkspaceRoot, run: RunDir) => makeRoom(root, run, options),
  };
  const finish = (run: FinishedRun) =>
    writeUp(
      run,
      REPORT_FORMAT_NAMES.filter((name) => reports.includes(name)),
      {
        keepReports: options.keepReports,
        blob: reports.includes('blob'),
      },
    );
  return options.resume === undefined ? recordRun(all, finish) : resumeRun(all, options.resume, finish);
}

/**
 * Removes the workspaces of earlier runs, and the blob of the run before: nobody may take it for that of a run that is
 * killed. Reports that stay name both.
 */
async function makeRoom(
  root: WorkspaceRoot,
  run: RunDir,
  { keepReports, shard }: HarnessOptions,
): Promise<void> {
  if (keepReports) return;
  await removeLeftWorkspaces(root, run.id);
  await removeBlobs(root, shard ?? choiceOf({}));
}

/** Writes the reports of a run that ended, and what later runs need of it. */
export async function writeUp(
  { root, run, records }: FinishedRun,
  formats: readonly ReportFormat[],
  {
    keepReports: keepTop = false,
    blob,
  }: {
    readonly keepReports?: boolean;
    /** Whether to write the run into one file, too, for `merge-reports`. Undefined: leave that of another run. */
    readonly blob?: boolean;
  },
): Promise<HarnessResult> {
  const report = makeReport(records);
  try {
    const { folder, paths } = await writeReportFiles(report, { root, run, formats, keepTop });
    const blobs =
      blob === undefined ? [] : await writeBlobFiles(records, { root, run, keepTop, wanted: blob });
    const summary = summarizeRun(report);
    if (summary !== null) await writeRunSummary(run.path, summary);
    return { report, folder, paths: [...paths, ...blobs] };
  } catch (error) {
    const started = records.find((event) => event.type === 'run-started');
    if (!keepTop) await Promise.allSettled([removeReports(root), removeBlobs(root, choiceOf(started ?? {}))]);
    throw new UnwrittenReportError(report, error);
  }
}

/** Judges the evidence of an earlier run again and writes the reports. */
export function regradeHarness(
  earlier: Parameters<typeof regradeRun>[0],
  options: Parameters<typeof regradeRun>[1],
  formats: readonly ReportFormat[],
): Promise<HarnessResult> {
  return regradeRun(earlier, options, (run) => writeUp(run, formats, {}));
}

/** Rebuilds the report of an earlier run from its journal. `program` starts ralph-e2e in the commands that it prints. */
export async function readReport(journal: string, program: readonly string[]): Promise<Report> {
  return makeReport(await readRecords(journal, program));
}

/**
 * Reads what a report needs of the records of an earlier run. If it may be somebody else's, commands in reports have
 * nothing that its journal names: no program, no module, no Ralph and no folder.
 */
export async function readRecords(
  journal: string,
  program: readonly string[],
): Promise<readonly JournalEvent[]> {
  const { events, own } = await readJournal(journal, keepForReport);
  const output = relative(process.cwd(), dirname(dirname(dirname(journal)))) || '.';
  return events.map((event) =>
    own || event.type !== 'run-started'
      ? event
      : {
          ...event,
          runId: basename(dirname(journal)),
          program: [...program],
          repeatWith: safeRepeatFlags(event, output),
          environment: { ...event.environment, startedIn: '' },
        },
  );
}

/** Builds the report of a run from the records of its journal. */
export function makeReport(events: readonly JournalEvent[]): Report {
  return buildReport(events, analysis);
}
