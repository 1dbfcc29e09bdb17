import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { analysis } from './analyze/index.js';
import { failurePageName, needsPage } from './domain/failure-pages.js';
import type { JournalEvent } from './domain/journal.js';
import { keepForReport } from './domain/keep-for-report.js';
import type { Report } from './domain/report.js';
import type { ReportFormat } from './domain/report-formats.js';
import { writeFileAtomic } from './exec/atomic-write.js';
import { hasErrorCode } from './exec/error-code.js';
import type { RalphConfig } from './ralph/config.js';
import { buildReport } from './report/build-report.js';
import { renderCtrf } from './report/ctrf.js';
import { renderFailurePage } from './report/failure-page.js';
import { renderGithubSummary } from './report/github.js';
import { summarizeRun } from './report/history.js';
import { renderHtml } from './report/html/render-html.js';
import { renderJson } from './report/json.js';
import { renderJunit } from './report/junit.js';
import { renderMarkdown } from './report/markdown.js';
import { inChunks, type Pieces } from './report/pieces.js';
import { readJournal } from './run/journal-reader.js';
import { analyseWithRalph, readAnalyzerConfig } from './run/meta-ralph.js';
import { writeRunSummary } from './run/run-summaries.js';
import { type Review, runSession, type SessionOptions } from './run/session.js';
import { writeFailurePages } from './workspace/failure-pages.js';

/** The report formats, by the word that asks for them. */
export const REPORT_FORMATS = {
  markdown: { file: 'report.md', render: renderMarkdown },
  json: { file: 'report.json', render: renderJson },
  html: { file: 'report.html', render: renderHtml },
  junit: { file: 'report.junit.xml', render: renderJunit },
  ctrf: { file: 'report.ctrf.json', render: renderCtrf },
  github: { file: 'report.github.md', render: renderGithubSummary },
} satisfies Record<ReportFormat, { file: string; render: (report: Report) => Pieces }>;

/** Whether ralph analyses the results, and with whose configuration. */
export type AnalystOptions = { readonly skip: true } | { readonly config: string | null };

export interface HarnessResult {
  readonly report: Report;
  /** The report files that were written. */
  readonly paths: readonly string[];
}

/** Runs a session and writes its reports, all of them rendered from what the run recorded. */
export async function runHarness(
  options: SessionOptions,
  formats: readonly ReportFormat[],
  analyst: AnalystOptions = { skip: true },
): Promise<HarnessResult> {
  const config =
    'config' in analyst && analyst.config !== null ? await readAnalyzerConfig(analyst.config) : null;
  const review = 'skip' in analyst ? {} : { review: (run: Review) => reviewRun(run, config) };
  return runSession({ ...options, ...review }, async ({ root, run, records }) => {
    const report = makeReport(records);
    const paths = await writeReports(report, root.path, formats);
    const summary = summarizeRun(report);
    if (summary !== null) await writeRunSummary(run.path, summary);
    const pages = report.results
      .filter(needsPage)
      .map((result) => [failurePageName(result), renderFailurePage(report, result)] as const);
    await writeFailurePages(root, new Map(pages));
    return { report, paths };
  });
}

/** The report of an earlier run, made again from its journal. */
export async function readReport(journal: string): Promise<Report> {
  const { events } = await readJournal(journal, keepForReport);
  return makeReport(events);
}

/** The report of a run from the records of its journal. */
export function makeReport(events: readonly JournalEvent[]): Report {
  return buildReport(events, analysis);
}

/** Has ralph analyse the run, on a backend that was ready for it. */
async function reviewRun(
  { records, readiness, settings, emit }: Review,
  config: RalphConfig | null,
): Promise<void> {
  const at = new Date().toISOString();
  const ready = [...readiness.values()].find((backend) => backend.ready);
  const over = { type: 'run-finished', at, interrupted: false, durationSeconds: 0 } as const;
  const report = makeReport([...records, over]);
  if (settings.signal.aborted || ready === undefined || report.summary.total === 0) return;
  const record = await analyseWithRalph(report, { backend: ready.backend, config }, settings);
  emit({ type: 'analysis-finished', at: new Date().toISOString(), ...record });
}

async function writeReports(
  report: Report,
  folder: string,
  formats: readonly ReportFormat[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const [format, { file, render }] of Object.entries(REPORT_FORMATS)) {
    const path = join(folder, file);
    if (formats.some((wanted) => wanted === format)) {
      await writeFileAtomic(path, inChunks(render(report)));
      paths.push(path);
    } else {
      // The files beside each other must tell of the same run. (A folder of that name is not ours: it stays.)
      await rm(path, { force: true }).catch((error) => {
        if (!hasErrorCode(error, 'ERR_FS_EISDIR')) throw error;
      });
    }
  }
  return paths;
}
