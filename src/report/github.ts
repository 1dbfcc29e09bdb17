import type { FailureCause } from '../domain/report/failure-cause.js';
import type { Report } from '../domain/report/report.js';
import { labelOf, type ReportResult } from '../domain/report/result.js';
import { findDivergence } from './model/divergence.js';
import { groupByCause } from './sections/causes.js';
import { breakCommands, cleanText, linePair, oneLine } from './text/safe-text.js';
import {
  describeBroken,
  describeGone,
  describeKnownIssue,
  describeLasts,
  describeProblem,
  isGoodNews,
} from './words/outcomes.js';

/** GitHub shows ten annotations of each kind per step and silently drops the others. */
const ANNOTATIONS = 10;
/** So many tests of a cause are named. */
const NAMED_TESTS = 8;
const MOST_TEXT = 1_000;

const KINDS = ['error', 'warning', 'notice'] as const;
type Annotation = readonly [kind: (typeof KINDS)[number], title: string, message: string];

/**
 * Renders workflow commands: an error for each cause and for each failure without one, a warning for a flaky or
 * inconclusive test, a notice for a known issue (present or gone).
 */
export function renderGithubAnnotations(report: Report): string[] {
  const causes = groupByCause(report).flatMap(({ cause, results }) => {
    // What is inconclusive says nothing about Ralph.
    const [first, ...others] = results.filter(({ inconclusive }) => !inconclusive);
    return cause === null || first === undefined ? [] : [{ cause, first, others }];
  });
  const explained = new Set(causes.flatMap(({ first, others }) => [first, ...others]));
  const rows: Annotation[] = [
    ...report.run_errors.map((message): Annotation => ['error', 'ralph-e2e', message]),
    ...causes.map(annotateCause),
    ...report.results.filter((result) => !explained.has(result)).flatMap(annotateTest),
  ];
  return KINDS.flatMap((kind) => {
    const all = rows.filter(([own]) => own === kind);
    if (all.length <= ANNOTATIONS) return all.map(renderCommand);
    const left = all.length - (ANNOTATIONS - 1);
    const rest: Annotation = [kind, 'ralph-e2e', `${left} more, see the job summary`];
    return [...all.slice(0, ANNOTATIONS - 1), rest].map(renderCommand);
  });
}

/** A cause, the test that shows it best, and the other tests that failed through it. */
interface BrokenCause {
  readonly cause: FailureCause;
  readonly first: ReportResult;
  readonly others: readonly ReportResult[];
}

/** One annotation for all tests of a cause: further ones would repeat it. */
function annotateCause({ cause, first, others }: BrokenCause): Annotation {
  const names = [first, ...others].map(nameOf);
  const lasts = describeLasts(first);
  const left = names.length - NAMED_TESTS;
  const check = findDivergence(first);
  const [expected, actual] = linePair(check?.expected ?? '', check?.actual ?? '', 400);
  const lines = [
    oneLine(cause.hypothesis, 600),
    ...(check === undefined
      ? [oneLine(describeBroken(first, MOST_TEXT), MOST_TEXT)]
      : [oneLine(check.name, 200), `Expected: ${expected}`, `Received: ${actual}`]),
    ...(others.length === 0
      ? []
      : [`Tests: ${names.slice(0, NAMED_TESTS).join(', ')}${left > 0 ? `, and ${left} more` : ''}`]),
    ...(lasts === null ? [] : [oneLine(lasts, 200)]),
    againOf(first),
  ];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return ['error', `${nameOf(first)}${more}`, lines.join('\n')];
}

function annotateTest(result: ReportResult): Annotation[] {
  const { outcome, inconclusive } = result;
  const say = (kind: Annotation[0], message: string): Annotation => [kind, nameOf(result), message];
  const gone = isGoodNews(result) ? [say('notice', oneLine(describeGone(result), MOST_TEXT))] : [];
  switch (outcome) {
    case 'failed':
    case 'error': {
      const problem = oneLine(describeProblem(result, MOST_TEXT), MOST_TEXT);
      const lasts = describeLasts(result);
      const lines = [problem, ...(lasts === null ? [] : [oneLine(lasts, 200)]), againOf(result)];
      return [say(inconclusive ? 'warning' : 'error', lines.join('\n'))];
    }
    case 'flaky':
      return [say('warning', 'passed only when it was tried again'), ...gone];
    case 'known-issue':
      return [say('notice', oneLine(describeKnownIssue(result), MOST_TEXT))];
    case 'passed':
    case 'skipped':
      return gone;
    default:
      return outcome satisfies never;
  }
}

function nameOf(result: ReportResult): string {
  return oneLine(labelOf(result), 100);
}

function againOf({ repeat_command }: ReportResult): string {
  return `$ ${oneLine(repeat_command, MOST_TEXT)}`;
}

function renderCommand([kind, title, message]: Annotation): string {
  return `::${kind} title=${escapeProperty(oneLine(title, 120))}::${escapeData(cleanText(message))}`;
}

/** Escapes the characters that end a command or one of its properties. */
function escapeData(text: string): string {
  return breakCommands(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
