import { join } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { groupBy } from '../../domain/common/group-by.js';
import type { FailureCause } from '../../domain/report/failure-cause.js';
import { failurePagePath } from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import { type CauseGroup, groupByCause, sourcesOf } from '../sections/causes.js';
import { checkBlocks } from '../sections/test.js';
import { oneLine } from '../text/safe-text.js';
import { describeLasts, describeResultFault, markOf } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { labelled, unbroken, wrapTo } from './layout.js';
import { fitNames, writeTerminal } from './write.js';

export interface CausesStyle {
  readonly chalk: ChalkInstance;
  readonly columns: number;
  /** The folder with the failure pages. */
  readonly folder: string;
  /** Only the causes and the names of their tests. */
  readonly brief?: boolean;
}

const SHOWN_CAUSES = 6;
/** The most checks of a test that shows a cause: fewer if there are many causes, so that all fit on a screen. */
const SHOWN_CHECKS = { few: 3, many: 1 } as const;
const FEW = 2;
/** The most lines with names of tests, for the largest cause and for the others. */
const NAME_LINES = { first: 12, other: 4 } as const;

/** Renders why tests failed: for each cause what is known, one test that shows it, and the names of all tests. */
export function renderCauseLines(report: Report, style: CausesStyle): string[] {
  const groups = groupByCause(report);
  if (groups.length === 0) return [];
  const known = groups.filter(({ cause }) => cause !== null).length;
  const shown = groups.flatMap(({ results }) => results);
  const errors = shown.filter(({ outcome }) => outcome === 'error').length;
  const tests = `${countOf(shown.length - errors, 'failed test')}${errors === 0 ? '' : `, ${countOf(errors, 'error')}`}`;
  const left = groups.length - SHOWN_CAUSES;
  const checks = groups.length <= FEW ? SHOWN_CHECKS.few : SHOWN_CHECKS.many;
  return [
    ...(known === 0 ? [] : [style.chalk.bold(`${countOf(known, 'cause')}, ${tests}`)]),
    ...groups.slice(0, SHOWN_CAUSES).flatMap((group, index) => [
      ...(style.brief === true ? [] : ['']),
      ...renderGroup(group, {
        ...style,
        checks,
        nameLines: index === 0 ? NAME_LINES.first : NAME_LINES.other,
      }),
    ]),
    ...(left > 0 ? [`  and ${countOf(left, 'more cause')}: see the report`] : []),
  ];
}

type GroupStyle = CausesStyle & { readonly checks: number; readonly nameLines: number };

const INDENT = 5;

function renderGroup({ cause, results }: CauseGroup, style: GroupStyle): string[] {
  const { columns, brief = false, nameLines } = style;
  const [first] = results;
  if (first === undefined) return [];
  const place = { columns, indent: INDENT };
  const sources = cause === null ? [] : sourcesOf(cause).slice(0, 2);
  return [
    ...renderTitle(cause, first, style),
    ...(brief ? [] : sources.flatMap((source) => labelled('Look at:', source, { ...place, most: 1 }))),
    ...(brief
      ? []
      : (cause?.contrast ?? [])
          .slice(0, 1)
          .flatMap((line) => labelled('In common:', line, { ...place, most: 2 }))),
    ...(brief ? [] : renderExample(first, results.length, style)),
    ...(brief || results.length > 1 ? renderNames(results, { ...place, most: nameLines }) : []),
  ];
}

/** Renders the hypothesis, or that there is none. */
function renderTitle(
  cause: FailureCause | null,
  first: ReportResult,
  { chalk, columns, brief = false }: GroupStyle,
): string[] {
  const mark = markOf(first);
  const areas = (cause?.areas.length ?? 0) === 0 ? '' : `${cause?.areas.join(', ')}: `;
  const whose = first.inconclusive ? `${describeResultFault(first)}. ` : '';
  const text = `${whose}${areas}${cause?.hypothesis ?? first.error ?? 'No rule explains these failures.'}`;
  const [head = '', ...rest] = wrapTo(brief ? 1 : 4, text, { columns, indent: INDENT });
  return [`  ${mark} ${head.trimStart()}`, ...rest].map((line) => chalk.bold(line));
}

/** Renders the failed checks of the test that shows the cause best, in the order of the run, and where to read on. */
function renderExample(
  result: ReportResult,
  of: number,
  { chalk, columns, folder, checks }: GroupStyle,
): string[] {
  const where = { columns, indent: INDENT + 2 };
  const detail = { rows: checks, text: 0, iterations: 0 };
  const lasts = describeLasts(result);
  return [
    `${' '.repeat(INDENT)}${chalk.red(oneLine(labelOf(result), 120))}${of > 1 ? ' shows it best:' : ':'}`,
    ...(result.error === null
      ? []
      : wrapTo(4, `error: ${result.error}`, where).map((line) => chalk.red(line))),
    ...(lasts === null ? [] : labelled('Known issue:', lasts, { ...where, most: 2 })),
    ...writeTerminal(checkBlocks(result, detail), { ...where, chalk, lines: 2 }),
    // A path is never cut: it is there to be opened.
    `${' '.repeat(INDENT + 2)}Read on: ${unbroken(oneLine(join(folder, failurePagePath(result)), 600))}`,
  ];
}

/** Names the tests on a few lines, each once with its backends. */
function renderNames(
  results: readonly ReportResult[],
  { columns, indent, most }: { readonly columns: number; readonly indent: number; readonly most: number },
): string[] {
  const backends = [...new Set(results.map(({ backend }) => backend))];
  const names = [...groupBy(results, ({ scenario_id }) => scenario_id)].map(([id, same]) =>
    same.length === backends.length ? id : `${id} [${same.map(({ backend }) => backend).join(', ')}]`,
  );
  const label = `${countOf(results.length, 'test')} on ${backends.join(', ')}:`;
  return fitNames({ kind: 'names', names, left: 0 }, { columns, indent, most, lead: `${label} ` });
}
