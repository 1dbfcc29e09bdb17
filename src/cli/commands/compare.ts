import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { adviseUpdate, FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import {
  type ComparableReport,
  comparableReportSchema,
  compareReports,
} from '../../domain/report/compare.js';
import { renderComparison, renderComparisonMarkdown } from '../../report/comparison.js';
import { renderComparisonHtml } from '../../report/html/comparison.js';
import { printableJson } from '../../report/json.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** The flags of `compare` as commander passes them. */
export interface CompareFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: boolean;
}

/** Runs `ralph-e2e compare`: shows what changed between two runs. Fails if there are new failures. */
export async function compareCommand(before: string, after: string, flags: CompareFlags): Promise<ExitCode> {
  const wanted = (['json', 'markdown', 'html'] as const).filter((form) => flags[form]);
  if (wanted.length > 1) {
    throw new KnownError(
      `${wanted.map((form) => `--${form}`).join(' and ')} cannot be combined: choose one.`,
    );
  }
  const screen = openScreen({ json: false });
  const comparison = compareReports(await readReport(before), await readReport(after));
  if (flags.html) screen.printAll(renderComparisonHtml(comparison));
  else if (flags.markdown) screen.print(renderComparisonMarkdown(comparison));
  else screen.print(flags.json ? printableJson(comparison) : renderComparison(comparison, screen));
  return comparison.changes.new_failures.length > 0 ? EXIT.failed : EXIT.passed;
}

async function readReport(path: string): Promise<ComparableReport> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = messageOf(error);
    throw notAReport(path, `no readable file: ${reason}`);
  });
  const data = parseJson(path, text);
  requireReadable(data, FORMATS.report, path);
  const parsed = comparableReportSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const where =
    problem === undefined || problem.path.length === 0 ? '' : ` at ${z.core.toDotPath(problem.path)}`;
  throw notAReport(
    path,
    `something else: ${problem?.message ?? 'an unknown difference'}${where}`,
    adviseUpdate(data, FORMATS.report),
  );
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
  'Give two files that a run wrote, such as .e2e-tests/runs/<run>/report.json, or the output of `ralph-e2e --json`.';

function notAReport(path: string, found: string, advice: string | null = null): KnownError {
  return new KnownError(`${path}: expected a report.json from ralph-e2e, found ${found}.`, {
    hint: advice ?? WHAT_TO_GIVE,
  });
}
