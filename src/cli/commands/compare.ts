import { realpath, stat } from 'node:fs/promises';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { type ComparableReport, comparableReportSchema } from '../../domain/report/comparable.js';
import { compareReports, isWorse } from '../../domain/report/compare.js';
import { describeUnreadable } from '../../exec/error-code.js';
import { readPlainText } from '../../exec/files/plain-file.js';
import { readReport } from '../../harness/harness.js';
import { journalPath } from '../../journal/writer.js';
import { renderComparison, renderComparisonHtml, renderComparisonMarkdown } from '../../report/comparison.js';
import { printableJson } from '../../report/json.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { chooseRun, findRuns } from '../input/find-runs.js';
import type { SharedFlags } from '../input/run-flags.js';
import { openScreen } from '../screen.js';

/** The flags of `compare` as commander passes them. */
export interface CompareFlags extends SharedFlags<'json'> {
  readonly markdown?: boolean;
  readonly html?: boolean;
  readonly baseline?: string;
}

/** Runs `ralph-e2e compare`: shows what changed between two runs. Fails if there are new failures. */
export async function compareCommand(
  named: readonly (string | undefined)[],
  flags: CompareFlags,
): Promise<ExitCode> {
  const wanted = (['json', 'markdown', 'html'] as const).filter((form) => flags[form]);
  if (wanted.length > 1) {
    throw new KnownError(
      `${wanted.map((form) => `--${form}`).join(' and ')} cannot be combined: choose one.`,
    );
  }
  const [before, after] = chooseRuns(named, flags);
  const screen = openScreen({ json: false });
  const comparison = compareReports(
    await readRunOrFile(before, flags.output),
    await readRunOrFile(after, flags.output),
  );
  if (flags.html) screen.printAll(renderComparisonHtml(comparison));
  else if (flags.markdown) screen.print(renderComparisonMarkdown(comparison));
  else
    screen.print(
      flags.json
        ? printableJson(comparison)
        : renderComparison(comparison, { color: screen.color, columns: screen.people.columns }),
    );
  if (isWorse(comparison)) return EXIT.failed;
  return comparison.no_verdict.length > 0 ? EXIT.untested : EXIT.passed;
}

function chooseRuns(
  named: readonly (string | undefined)[],
  { baseline }: CompareFlags,
): readonly [before: string, after: string] {
  const [first, second] = named;
  if (baseline === undefined && first !== undefined && second !== undefined) return [first, second];
  if (baseline !== undefined && second === undefined) return [baseline, first ?? 'latest'];
  const given = named.filter((name) => name !== undefined).length + (baseline === undefined ? 0 : 1);
  throw new KnownError(`compare: expected two runs, found ${given}.`, { hint: WHAT_TO_GIVE });
}

/** Reads a report: a file, or a run by its id or the beginning of it. */
async function readRunOrFile(name: string, output: string): Promise<ComparableReport> {
  const isFile = await stat(name).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile || /[\\/.]/.test(name)) return await readReportFile(name);
  const run = chooseRun(await findRuns(output), name);
  return comparableReportSchema.parse(await readReport(journalPath(run), []));
}

async function readReportFile(path: string): Promise<ComparableReport> {
  const text = await realpath(path)
    .then(readPlainText)
    .catch((error: unknown) => {
      throw notAReport(path, describeUnreadable(error));
    });
  const data = parseJson(path, text);
  requireReadable(data, FORMATS.report, path);
  const parsed = comparableReportSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const where =
    problem === undefined || problem.path.length === 0 ? '' : ` at ${z.core.toDotPath(problem.path)}`;
  throw notAReport(path, `something else: ${problem?.message ?? 'an unknown difference'}${where}`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const begin = text.trim().slice(0, 40);
    throw notAReport(
      path,
      begin === '' ? 'an empty file' : `a file that is not JSON and begins with ${JSON.stringify(begin)}`,
    );
  }
}

const WHAT_TO_GIVE =
  'Give two runs: ids (`ralph-e2e show --list`), files such as .e2e-tests/runs/<run>/report.json, or --baseline <file> and nothing for the latest run.';

function notAReport(path: string, found: string): KnownError {
  return new KnownError(`${path}: expected a report.json from ralph-e2e, found ${found}.`, {
    hint: WHAT_TO_GIVE,
  });
}
