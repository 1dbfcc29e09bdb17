import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  FAILURE_PAGES,
  FAILURES_FILE,
  needsPage,
  pageName,
  TEST_PAGES,
} from '../domain/report/failure-pages.js';
import { REPORT_FORMATS, type ReportFormat, type ReportPlace } from '../domain/report/formats.js';
import type { Report } from '../domain/report/report.js';
import type { ReportResult } from '../domain/report/result.js';
import { hasErrorCode } from '../exec/error-code.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { renderFailures } from '../report/agent.js';
import { renderHtml } from '../report/html/render-html.js';
import { renderJson } from '../report/json.js';
import { renderJunit } from '../report/junit.js';
import { renderJobSummary, renderMarkdown } from '../report/markdown/markdown.js';
import { renderFailurePage, renderTestPage } from '../report/markdown/tests.js';
import { placePaths } from '../report/model/places.js';
import { inChunks, type Pieces } from '../report/text/pieces.js';
import { writePages } from '../workspace/runs/pages.js';
import { noteReportedRun, type RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';

/** How each format is written. */
export const RENDERERS: Record<ReportFormat, (report: Report, place?: ReportPlace) => Pieces> = {
  markdown: (report, place = 'top') => renderMarkdown(placePaths(report, place)),
  json: renderJson,
  html: renderHtml,
  junit: renderJunit,
  github: renderJobSummary,
};

/** Which reports to write, and where. */
interface Destination {
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  readonly formats: readonly ReportFormat[];
  /** Do not replace the reports at the top, which belong to another run. */
  readonly keepTop: boolean;
}

/**
 * Writes the reports and the pages of the tests into the folder of their run, where they stay as long as the run does, and
 * again at the top, where they replace those of the previous run. Returns the folder whose files the caller should name.
 */
export async function writeReportFiles(
  report: Report,
  { root, run, formats, keepTop }: Destination,
): Promise<{ readonly folder: string; readonly paths: readonly string[] }> {
  const write = async (folder: string, place: ReportPlace) => {
    const paths: string[] = [];
    for (const { name, file } of REPORT_FORMATS) {
      const path = join(folder, file);
      if (formats.includes(name)) {
        await writeFileAtomic(path, inChunks(RENDERERS[name](report, place)));
        paths.push(path);
      } else await removeReport(path);
    }
    await writePagesOf(placePaths(report, place), folder);
    return { folder, paths };
  };
  await makeFolder(run.path);
  const kept = await write(run.path, 'run');
  if (keepTop) return kept;
  const top = await write(root.path, 'top');
  await noteReportedRun(root, run.id);
  return top;
}

/** Writes failures.json if tests failed, a page for each failure, and one with everything for each test that ran. */
async function writePagesOf(report: Report, folder: string): Promise<void> {
  const failures = join(folder, FAILURES_FILE);
  if (report.causes.length === 0) await removeReport(failures);
  else await writeFileAtomic(failures, inChunks(renderFailures(report)));
  const failed = report.results.filter(needsPage);
  const ran = report.results.filter(({ outcome }) => outcome !== 'skipped');
  const pages = (results: readonly ReportResult[], render: typeof renderTestPage) =>
    new Map(results.map((result) => [pageName(result), () => render(report, result)]));
  await writePages({ path: folder }, FAILURE_PAGES, pages(failed, renderFailurePage));
  await writePages({ path: folder }, TEST_PAGES, pages(ran, renderTestPage));
}

/** Removes the reports at the top if those of a newer run could not be written: they would pass for its reports. */
export async function removeReports({ path }: WorkspaceRoot): Promise<void> {
  const files = [...REPORT_FORMATS.map(({ file }) => file), FAILURES_FILE];
  // What cannot be removed cannot be helped: the error that is thrown next names the folder.
  await Promise.allSettled(files.map((file) => rm(join(path, file), { force: true })));
}

/** Removes an outdated report, so that all files in a folder are about the same run. Leaves a folder of that name. */
async function removeReport(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error) => {
    if (!hasErrorCode(error, 'ERR_FS_EISDIR')) throw error;
  });
}

/** Writes one report of a finished run next to its journal, and returns its path. */
export async function writeRunReport(
  report: Report,
  journal: string,
  { name, file }: (typeof REPORT_FORMATS)[number],
): Promise<string> {
  const path = join(dirname(journal), file);
  await writeFileAtomic(path, inChunks(RENDERERS[name](report, 'run')));
  return path;
}
