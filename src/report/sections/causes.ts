import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { testLabel } from '../../domain/vocabulary.js';
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
import { linePair } from '../text/safe-text.js';
import { grepWords } from '../words/evidence.js';
import { countOf } from '../words/words.js';

const SHOWN_PROMISES = 3;
const PAIR_LIMIT = 400;

interface CauseLook {
  /** So many tests are named. */
  readonly tests: number;
  /** The command that runs the clearest test again. */
  readonly again: (result: ReportResult) => string;
  /** What stands above that command. */
  readonly againTitle?: string;
  /** Whether the checks of the clearest test stand elsewhere on the page. */
  readonly isBrief?: boolean;
}

/** Says what is known about a cause besides its hypothesis: the first divergence, the promises, where to look, its tests. */
export function causeBlocks(report: Report, cause: FailureCause, look: CauseLook): ReportBlock[] {
  const best = findBestTest(report, cause);
  const grep = best === undefined ? [] : grepWords(cause, best);
  const further = cause.promises.filter(({ promise }) => !cause.hypothesis.includes(promise));
  const named = cause.tests.slice(0, look.tests);
  const left = cause.tests.length - named.length;
  const again = best === undefined ? [] : command(look.again(best));
  return [
    ...bulleted([
      ...(best === undefined || look.isBrief === true ? [] : describeDivergence(best)),
      ...further.slice(0, SHOWN_PROMISES).map(({ promise }) => words`Ralph promises: ${cut(promise, 300)}`),
      ...sourcesOf(cause)
        .slice(0, SHOWN_PROMISES)
        .map((source) => words`Look at: ${inCode(source, 200)}`),
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

/** Says where a test went wrong first, with what was expected there and what was received. */
function describeDivergence(result: ReportResult): Item[] {
  const check = findDivergence(result);
  if (check === undefined) return [];
  const moment = nameMoment(findWrongMoment(result), result);
  const [expected, received] = linePair(check.expected, check.actual, PAIR_LIMIT);
  const where: Line = [
    testName(testLabel(result.scenario_id, result.backend)),
    moment !== null && own(`, ${moment}`),
  ];
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

/** Finds the test that shows a cause best. */
export function findBestTest(
  { results }: Report,
  { tests: [label] }: FailureCause,
): ReportResult | undefined {
  return results.find(({ scenario_id, backend }) => testLabel(scenario_id, backend) === label);
}

/** Returns the parts of Ralph to look at: the areas, and the places in its source. */
export function sourcesOf({ promises }: FailureCause): string[] {
  return [...new Set(promises.map(({ source }) => source))];
}
