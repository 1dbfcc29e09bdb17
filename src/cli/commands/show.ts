import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { needsPage } from '../../domain/report/failure-pages.js';
import { REPORT_FORMAT_NAMES, type ReportFormat } from '../../domain/report/formats.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testNames } from '../../domain/vocabulary.js';
import { openFile } from '../../exec/files/open-file.js';
import { makeReport, readReport } from '../../harness.js';
import { readJournal } from '../../journal/reader.js';
import { readRunSummary } from '../../journal/summaries.js';
import { journalPath } from '../../journal/writer.js';
import { renderFailurePage } from '../../report/failure-page/failure-page.js';
import { createTerminalReporter } from '../../report/terminal/terminal.js';
import { oneLine } from '../../report/text/safe-text.js';
import { formatDuration } from '../../report/words/words.js';
import { REPORT_FORMATS, writeRunReport } from '../../report-files.js';
import type { RunDir } from '../../workspace/runs/runs.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { chooseRun, findRuns } from '../input/find-runs.js';
import { openScreen } from '../screen.js';

/** The flags of `show` as commander passes them. */
export interface ShowFlags {
  readonly format?: string;
  readonly page?: string;
  readonly open?: boolean;
  readonly list?: boolean;
  readonly verbose?: boolean;
  readonly output: string;
}

/** Runs `ralph-e2e show [run]`: rebuilds the report of an earlier run from its journal, and prints or opens it. */
export async function showCommand(asked: string | undefined, flags: ShowFlags): Promise<ExitCode> {
  const runs = await findRuns(flags.output);
  if (flags.list) {
    const lines = await Promise.all(runs.map(describeRun));
    openScreen({ json: false }).print(lines.join('\n'));
    return EXIT.passed;
  }
  const journal = journalPath(chooseRun(runs, asked));
  if (flags.page !== undefined) {
    if (flags.open || flags.format !== undefined)
      throw new KnownError(
        '--page prints one page as Markdown and cannot be combined with --open or --format.',
      );
    openScreen({ json: false }).print(renderPageOf(await readReport(journal), flags.page));
    return EXIT.passed;
  }
  if (flags.open) await openReport(journal, flags.format ?? defaultPage());
  else await printReport(journal, flags.format ?? 'terminal', flags.verbose ?? false);
  return EXIT.passed;
}

/** Describes a run in one line: from its summary, or from its journal if it was killed before it wrote one. */
async function describeRun(run: RunDir): Promise<string> {
  const known = await readRunSummary(run.path);
  if (known !== null) return listLine(run.id, known.lane, known.verdict, known.duration_seconds);
  try {
    const report = await readReport(journalPath(run));
    return listLine(run.id, report.lane, report.verdict, report.duration_seconds);
  } catch (error) {
    return `${run.id}  cannot be read: ${oneLine(messageOf(error), 120)}`;
  }
}

function listLine(id: string, lane: string, verdict: string, seconds: number): string {
  return `${id}  ${lane.padEnd(8)}  ${formatDuration(seconds).padStart(7)}  ${oneLine(verdict, 160)}`;
}

/** Renders the page of one test, named by its id, or by id and backend if it ran on several. */
function renderPageOf(report: Report, name: string): string {
  const named = ({ scenario_id, backend }: ReportResult) =>
    [scenario_id, ...testNames(scenario_id, backend)].includes(name);
  const found = report.results.filter(named);
  const [result] = found;
  if (result !== undefined && found.length === 1) return renderFailurePage(report, result).trimEnd();
  const listed = (found.length === 0 ? report.results.filter(needsPage) : found).map(
    ({ scenario_id, backend }) => testNames(scenario_id, backend)[0],
  );
  throw new KnownError(
    `--page ${name}: expected one test in run ${report.run_id}, found ${found.length === 0 ? 'none with that name' : `${found.length}`}.`,
    { hint: listed.length === 0 ? 'No test in this run has a page.' : `Choose one of: ${listed.join(', ')}` },
  );
}

async function printReport(journal: string, format: string, verbose: boolean): Promise<void> {
  const screen = openScreen({ json: false });
  if (format !== 'terminal') {
    const { render } = REPORT_FORMATS[readOneFormat(format)];
    return screen.printAll(render(await readReport(journal)));
  }
  const { events } = await readJournal(journal);
  const report = makeReport(events);
  const reporter = createTerminalReporter({
    stream: screen.people,
    verbosity: verbose ? 'verbose' : 'normal',
    color: screen.color,
    now: () => 0,
  });
  // Nothing runs, so leave out the starts: they show a spinner and a heartbeat.
  for (const event of events) if (event.type !== 'attempt-started') reporter.onEvent(event);
  reporter.finish(report, []);
}

/** Writes the report next to its journal, because the files at the top belong to the latest run, and opens it. */
async function openReport(journal: string, format: string): Promise<void> {
  const path = await writeRunReport(await readReport(journal), journal, readOneFormat(format));
  await openFile(path, process.env);
  openScreen({ json: false }).print(path);
}

function readOneFormat(value: string): ReportFormat {
  const format = REPORT_FORMAT_NAMES.find((name) => name === value);
  if (format !== undefined) return format;
  throw new KnownError(`--format ${value}: expected one of terminal, ${REPORT_FORMAT_NAMES.join(', ')}.`);
}

/** Prefers HTML, which is made for people. */
function defaultPage(): string {
  return 'html' in REPORT_FORMATS ? 'html' : 'markdown';
}
