import { resolve } from 'node:path';
import { describeIncompatible } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { suggestNearest } from '../../domain/common/nearest.js';
import { joinParts } from '../../domain/joined-parts.js';
import { needsPage } from '../../domain/report/failure-pages.js';
import { REPORT_FORMAT_NAMES, REPORT_FORMATS, type ShownFormat } from '../../domain/report/formats.js';
import { listTestHistories, type TestHistory } from '../../domain/report/rates/test-history.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { isNamed, testNames } from '../../domain/vocabulary.js';
import { openFile } from '../../exec/files/open-file.js';
import { makeReport, readRecords, readReport } from '../../harness/harness.js';
import { RENDERERS, writeRunReport } from '../../harness/report-files.js';
import { readRunSummaries } from '../../journal/summaries.js';
import { journalPath } from '../../journal/writer.js';
import { renderAgentPrompt } from '../../report/agent.js';
import { printableJson } from '../../report/json.js';
import { renderFailurePage, renderTestPage } from '../../report/markdown/tests.js';
import { placePaths } from '../../report/model/places.js';
import { renderRelease } from '../../report/release.js';
import { renderHistoryList, renderHistoryOf } from '../../report/test-history.js';
import { oneLine } from '../../report/text/safe-text.js';
import type { RunDir } from '../../workspace/runs/runs.js';
import { findWorkspaceRoot, type WorkspaceRoot } from '../../workspace/workspace-root.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { chooseRun, findRuns } from '../input/find-runs.js';
import { describeRuns, listRunLines } from '../input/list-runs.js';
import type { SharedFlags } from '../input/run-flags.js';
import { ownProgram } from '../program-name.js';
import { openScreen, say } from '../screen.js';
import { createRetelling } from '../view.js';
import { writeBugs } from './again/write-bugs.js';

/** The flags of `show` as commander passes them. */
export interface ShowFlags extends SharedFlags<'json' | 'scenarios' | 'verbose'> {
  readonly format?: ShownFormat;
  readonly everything?: boolean;
  /** True if the flag has no value. */
  readonly prompt?: string | true;
  readonly open?: boolean;
  readonly list?: boolean;
  /** True if the flag has no value. */
  readonly history?: string | true;
  /** True if the flag has no value. */
  readonly bug?: string | true;
  readonly all?: boolean;
  readonly into: string;
}

interface Asked {
  readonly run: string | undefined;
  readonly test: string | undefined;
}

/** Runs `ralph-e2e show [run] [test]`: rebuilds a report or a page of an earlier run from its journal, and prints or opens it. */
export async function showCommand(asked: Asked, flags: ShowFlags): Promise<ExitCode> {
  const runs = await findRuns(flags.output);
  if (flags.history !== undefined) return await printHistory(asked, flags, flags.history);
  if (flags.bug !== undefined) return await showBugs(asked, flags, flags.bug);
  if (flags.list) await printRuns(runs, flags.json ?? false);
  else if (await showRun(runs, readAsked(runs, asked), flags)) return EXIT.untested;
  return EXIT.passed;
}

/** Writes the reproduction of one test, or with `--all` of every test that broke a promise. */
async function showBugs({ run, test }: Asked, flags: ShowFlags, bug: string | true): Promise<ExitCode> {
  const named = bug === true ? test : bug;
  if ((named === undefined) === (flags.all !== true))
    throw new KnownError('--bug: expected the name of a test, or --all, and not both.', {
      hint: '`ralph-e2e show --bug <test>` writes one reproduction, `ralph-e2e show --bug --all` writes all.',
    });
  const { into, output, scenarios = null } = flags;
  await writeBugs({ run, test: named, into, output, scenarios });
  return EXIT.passed;
}

async function printHistory(
  { run, test }: Asked,
  flags: ShowFlags,
  history: string | true,
): Promise<ExitCode> {
  const named = history === true ? (test ?? run) : history;
  const other = [
    ...(flags.list ? ['--list'] : []),
    ...(flags.open ? ['--open'] : []),
    ...(flags.prompt === undefined ? [] : ['--prompt']),
  ];
  if (other.length > 0)
    throw new KnownError(`--history and ${other.join(' and ')} cannot be combined. Choose one.`);
  const root = await findWorkspaceRoot(resolve(flags.output));
  if (root !== null) await showHistory(root, named, flags);
  return EXIT.passed;
}

/** A single word that is no run is the name of a test in the latest run. */
function readAsked(runs: readonly RunDir[], { run, test }: Asked): Asked {
  const isRun = run === undefined || run === 'latest' || runs.some(({ id }) => id.startsWith(run));
  return test === undefined && !isRun && !/^\d{8}/.test(run) ? { run: undefined, test: run } : { run, test };
}

/** Returns whether somebody tampered with the run, so that what was shown is no verdict. */
async function showRun(runs: readonly RunDir[], { run, test }: Asked, flags: ShowFlags): Promise<boolean> {
  const journal = journalPath(await chooseRun(runs, run));
  const screen = openScreen({ json: false });
  refuseCombinations(test, flags);
  const { run_errors } = await show();
  for (const error of run_errors) say(`error: ${error}\n`);
  return run_errors.length > 0;

  async function show(): Promise<Report> {
    if (test === undefined && flags.prompt === undefined && !flags.open)
      return await printReport(journal, flags.format ?? 'terminal', flags.verbose ?? false);
    const report = await readReport(journal, ownProgram());
    if (test !== undefined) screen.print(renderPageOf(report, test, flags.everything ?? false));
    else if (flags.prompt !== undefined)
      screen.print(renderPromptOf(report, flags.prompt === true ? '1' : flags.prompt));
    else await openReport(report, journal, flags.format ?? 'html');
    return report;
  }
}

/** Only one thing can be printed. */
function refuseCombinations(test: string | undefined, flags: ShowFlags): void {
  const wanted = [
    ...(test === undefined ? [] : [`the page of ${test}`]),
    ...(flags.prompt === undefined ? [] : ['--prompt']),
    ...(flags.format === undefined && !flags.open ? [] : [flags.open ? '--open' : '--format']),
  ];
  if (wanted.length > 1) throw new KnownError(`${wanted.join(' and ')} cannot be combined. Choose one.`);
  if (flags.everything && test === undefined)
    throw new KnownError('--everything needs a test: ralph-e2e show [run] <test> --everything.');
}

async function printRuns(runs: readonly RunDir[], json: boolean): Promise<void> {
  if (json) openScreen({ json: true }).print(JSON.stringify(await describeRuns(runs), null, 2));
  else openScreen({ json: false }).print((await listRunLines(runs)).join('\n'));
}

/** Renders the page of one test, named by its id, or by id and backend if it ran on several. */
function renderPageOf(report: Report, name: string, everything: boolean): string {
  const named = ({ scenario_id, backend }: ReportResult) => isNamed(name, scenario_id, backend);
  const found = report.results.filter(named);
  const [result] = found;
  if (result !== undefined && found.length === 1) {
    const placed = placePaths(report, 'top');
    const [page = result] = placed.results.filter(named);
    const render = needsPage(result) && !everything ? renderFailurePage : renderTestPage;
    return render(placed, page).trimEnd();
  }
  const ids = report.results.map(({ scenario_id }) => scenario_id);
  const hint =
    found.length > 0
      ? `Choose one of: ${found.map(({ scenario_id, backend }) => testNames(scenario_id, backend)[0]).join(', ')}`
      : `${suggestNearest(name, ids)}\`ralph-e2e show ${report.run_id}\` lists its tests.`;
  throw new KnownError(
    `Expected one test named "${name}" in run ${report.run_id}, found ${found.length === 0 ? 'none' : found.length}.`,
    { hint },
  );
}

/** Renders the prompt for an agent about one cause, numbered as in the reports. */
function renderPromptOf(report: Report, asked: string): string {
  const cause = /^\d+$/.test(asked) ? report.causes[Number(asked) - 1] : undefined;
  if (cause !== undefined) return renderAgentPrompt(report, cause).trimEnd();
  if (report.causes.length === 0)
    throw new KnownError(`No test failed in run ${report.run_id}: there is no cause.`, {
      hint: 'Name another run: `ralph-e2e show --list` says how each ended.',
    });
  throw new KnownError(
    `--prompt ${asked}: expected the number of a cause, from 1 to ${report.causes.length}.`,
    {
      hint: `The causes of this run: ${report.causes.map(({ hypothesis }, index) => `${index + 1}. ${oneLine(hypothesis, 80)}`).join(' ')}`,
    },
  );
}

async function printReport(journal: string, format: ShownFormat, verbose: boolean): Promise<Report> {
  const screen = openScreen({ json: false });
  if (format !== 'terminal') {
    const render = format === 'release' ? renderRelease : RENDERERS[format];
    const report = await readReport(journal, ownProgram());
    screen.printAll(render(report));
    return report;
  }
  const events = await readRecords(journal, ownProgram());
  const report = makeReport(events);
  const reporter = createRetelling({ screen, verbosity: verbose ? 'verbose' : 'normal' });
  for (const event of joinParts(events)) reporter.onEvent(event);
  reporter.finish(report, []);
  return report;
}

/** Writes the report next to its journal, because the files at the top belong to the latest run, and opens it. */
async function openReport(report: Report, journal: string, name: ShownFormat): Promise<void> {
  const format = REPORT_FORMATS.find((one) => one.name === name);
  if (format === undefined)
    throw new KnownError(
      `--format ${name}: expected a file to --open: one of ${REPORT_FORMAT_NAMES.join(', ')}.`,
    );
  const path = await writeRunReport(report, journal, format);
  await openFile(path, process.env);
  openScreen({ json: false }).print(path);
}

/** How `show --history` prints. */
interface HistoryFlags {
  readonly format?: ShownFormat | undefined;
  readonly json?: boolean | undefined;
}

/** The width of a table where nobody knows that of the screen. */
const LOG_COLUMNS = 160;

/** Prints what the kept runs show about all tests, or about one. */
async function showHistory(
  root: WorkspaceRoot,
  test: string | undefined,
  { format = 'terminal', json = false }: HistoryFlags,
): Promise<void> {
  if (format !== 'terminal')
    throw new KnownError(`--format ${format}: expected terminal with --history.`, {
      hint: '--json prints the figures.',
    });
  const { summaries, incompatible } = await readRunSummaries(root);
  for (const why of describeIncompatible(incompatible)) say(`Not read: ${why}\n`);
  const all = listTestHistories(summaries);
  const chosen = test === undefined ? all : chooseTest(all, test);
  if (chosen.length === 0)
    throw new KnownError('Expected a run that ended, found none: there is no history yet.', {
      hint: 'Run `ralph-e2e` first.',
    });
  const screen = openScreen({ json });
  if (json) screen.print(printableJson({ tests: chosen }));
  else {
    const columns = screen.people.columns || LOG_COLUMNS;
    screen.tell((test === undefined ? renderHistoryList : renderHistoryOf)(chosen, columns));
  }
}

function chooseTest(all: readonly TestHistory[], name: string): readonly TestHistory[] {
  const found = all.filter(({ scenario_id, backend }) => isNamed(name, scenario_id, backend));
  if (found.length > 0) return found;
  const ids = all.map(({ scenario_id }) => scenario_id);
  throw new KnownError(`--history ${name}: expected a test of a kept run, found none with this name.`, {
    hint: `${suggestNearest(name, ids)}\`ralph-e2e show --history\` lists them.`,
  });
}
