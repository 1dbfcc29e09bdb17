import { stat } from 'node:fs/promises';
import { FORMATS } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { type ComparableReport, comparableReportSchema } from '../../domain/report/comparable.js';
import { compareReports, judgeComparison } from '../../domain/report/compare.js';
import { readReport } from '../../harness/harness.js';
import { readNamedFile } from '../../journal/own-file.js';
import { journalPath } from '../../journal/writer.js';
import { renderComparison, renderComparisonHtml, renderComparisonMarkdown } from '../../report/comparison.js';
import { printableJson } from '../../report/json.js';
import { COMPARED, type ExitCode } from '../exit-codes.js';
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
  return COMPARED[judgeComparison(comparison)];
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
  if (isFile || /[\\/.]/.test(name))
    return await readNamedFile(name, {
      ...{ format: FORMATS.report, schema: comparableReportSchema },
      ...{ what: 'a report.json from ralph-e2e', hint: WHAT_TO_GIVE },
    });
  const run = await chooseRun(await findRuns(output), name);
  return comparableReportSchema.parse(await readReport(journalPath(run), []));
}

const WHAT_TO_GIVE =
  'Give two runs: ids (`ralph-e2e show --list`), files such as .e2e-tests/runs/<run>/report.json, or --baseline <file> and nothing for the latest run.';
