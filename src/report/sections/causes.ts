import type { HeldPromise } from '../../domain/contract.js';
import { placeOfPanic } from '../../domain/diagnosis/complaint.js';
import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import { isFailure } from '../../domain/vocabulary.js';
import {
  bulleted,
  command,
  cut,
  heading,
  type Item,
  inCode,
  joined,
  type Line,
  own,
  type ReportBlock,
  testName,
  words,
} from '../content/content.js';
import { findDivergence, findWrongMoment, nameMoment } from '../model/divergence.js';
import { linePair, oneLine } from '../text/safe-text.js';
import { grepWords } from '../words/evidence.js';
import { describeLasts } from '../words/outcomes.js';
import { countOf } from '../words/words.js';

const SHOWN_PROMISES = 3;
const PAIR_LIMIT = 400;

interface CauseLook {
  /** So many characters of the hypothesis are shown. */
  readonly hypothesis: number;
  /** So many tests are named. */
  readonly tests: number;
  /** The command that runs the clearest test again; by default it stands elsewhere. */
  readonly again?: (result: ReportResult) => string;
  /** What stands above that command. */
  readonly againTitle?: string;
  /** Whether the checks of the clearest test stand elsewhere on the page. */
  readonly isBrief?: boolean;
}

/** Says what is known about a cause besides its hypothesis: the first divergence, the promises, where to look, its tests. */
export function causeBlocks(report: Report, cause: FailureCause, look: CauseLook): ReportBlock[] {
  const best = findBestTest(report, cause);
  const lasts = best === undefined ? null : describeLasts(best);
  const grep = best === undefined ? [] : grepWords(cause, best);
  const panic = placeOfPanic(cause.hypothesis);
  const hypothesis = oneLine(cause.hypothesis, look.hypothesis);
  const named = cause.tests.slice(0, look.tests);
  const left = cause.tests.length - named.length;
  const again = best === undefined ? [] : command(look.again?.(best) ?? '');
  return [
    ...bulleted([
      ...(lasts === null ? [] : [words`Known issue: ${cut(lasts, 200)}`]),
      ...(best === undefined || look.isBrief === true ? [] : describeDivergence(best)),
      ...(panic === null ? [] : [lookAt(panic)]),
      ...cause.promises.slice(0, SHOWN_PROMISES).map((held) => describePromise(held, hypothesis)),
      ...(grep.length === 0
        ? []
        : [words`Search the source for: ${joined(grep.map((word) => inCode(word, 80)))}`]),
      ...cause.contrast.map((line) => words`In common: ${cut(line, 300)}`),
      words`Tests: ${joined(named.map(testName))}${left > 0 && own(`, and ${left} more`)}`,
    ]),
    ...(again.length === 0 || look.againTitle === undefined ? [] : [heading(4, own(look.againTitle))]),
    ...again,
  ];
}

/** Says where Ralph decides what it promises, and what that is unless the hypothesis quotes it. */
function describePromise(held: HeldPromise, hypothesis: string): Item {
  const place = lookAt(held.source);
  return quotes(hypothesis, held)
    ? place
    : { line: words`Ralph promises: ${cut(held.promise, 300)}`, below: [place] };
}

function lookAt(source: string): Line {
  return words`Look at: ${inCode(source, 200)}`;
}

/** Whether a text, as it is shown, has the whole promise. */
export function quotes(shown: string, { promise }: HeldPromise): boolean {
  return shown.includes(oneLine(promise, 2_000));
}

/** Says where a test went wrong first, with what was expected there and what was received. */
function describeDivergence(result: ReportResult): Item[] {
  const check = findDivergence(result);
  if (check === undefined) return [];
  const moment = nameMoment(findWrongMoment(result), result);
  const [expected, received] = linePair(check.expected, check.actual, PAIR_LIMIT);
  const where: Line = [testName(labelOf(result)), moment !== null && own(`, ${moment}`)];
  return [
    {
      line: words`First divergence, in ${where}: ${cut(check.name, 200)}`,
      below: [
        words`Expected: ${inCode(expected, PAIR_LIMIT)}`,
        words`Received: ${inCode(received, PAIR_LIMIT)}`,
      ],
    },
  ];
}

/** Says how many causes and tests there are: `2 causes, 28 tests`. */
export function countCauses(causes: readonly FailureCause[]): string {
  const tests = causes.reduce((sum, cause) => sum + cause.tests.length, 0);
  return `${countOf(causes.length, 'cause')}, ${countOf(tests, 'test')}`;
}

/** Tests that failed for the same reason, the clearest first; `cause` is null if nothing explains them. */
export interface CauseGroup {
  readonly cause: FailureCause | null;
  readonly results: readonly ReportResult[];
}

/** Groups what failed by its cause; what nothing explains comes last. */
export function groupByCause({ causes, results }: Report): CauseGroup[] {
  const byLabel = new Map(results.filter(isFailure).map((result) => [labelOf(result), result]));
  const explained = causes.map((cause) => ({
    cause,
    results: cause.tests.flatMap((label) => byLabel.get(label) ?? []),
  }));
  for (const label of causes.flatMap(({ tests }) => tests)) byLabel.delete(label);
  return [...explained, { cause: null, results: [...byLabel.values()] }].filter(
    (group) => group.results.length > 0,
  );
}

/** Finds the test that shows a cause best. */
export function findBestTest({ results }: Report, { tests: [label] }: FailureCause) {
  return results.find((result) => labelOf(result) === label);
}

/** Returns the places in Ralph's source to look at, that of a panic first. */
export function sourcesOf({ promises, hypothesis }: FailureCause): string[] {
  const panic = placeOfPanic(hypothesis);
  return [...new Set([...(panic === null ? [] : [panic]), ...promises.map(({ source }) => source)])];
}
