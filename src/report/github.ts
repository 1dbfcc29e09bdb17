import type { FailureCause } from '../domain/report/failure-cause.js';
import type { Report } from '../domain/report/report.js';
import type { ReportResult } from '../domain/report/result.js';
import { testLabel } from '../domain/vocabulary.js';
import { findDivergence } from './model/divergence.js';
import { breakCommands, cleanText, linePair, oneLine } from './text/safe-text.js';
import {
  describeBroken,
  describeGone,
  describeKnownIssue,
  describeResultFault,
  isGoodNews,
} from './words/outcomes.js';

/** GitHub shows ten annotations of each kind per step and silently drops the others. */
const ANNOTATIONS = 10;
/** So many tests of a cause are named. */
const NAMED_TESTS = 8;

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/**
 * Renders workflow commands: an error for each cause and for each failure without one, a warning for a flaky or
 * inconclusive test, a notice for a known issue (present or gone).
 */
export function renderGithubAnnotations(report: Report): string[] {
  const causes = listBrokenCauses(report);
  const explained = new Set(causes.flatMap(({ tests }) => tests));
  const rows = [
    ...report.run_errors.map((message) => ({ kind: 'error', title: 'ralph-e2e', message }) as const),
    ...causes.map(annotateCause),
    ...report.results.filter((result) => !explained.has(result)).flatMap(annotateTest),
  ];
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => {
    const all = rows.filter((row) => row.kind === kind);
    if (all.length <= ANNOTATIONS) return all.map(renderCommand);
    const left = all.length - (ANNOTATIONS - 1);
    const rest = { kind, title: 'ralph-e2e', message: `${left} more, see the job summary` };
    return [...all.slice(0, ANNOTATIONS - 1), rest].map(renderCommand);
  });
}

/** A cause and the tests that failed through it, the clearest first. */
interface BrokenCause {
  readonly cause: FailureCause;
  readonly first: ReportResult;
  readonly tests: readonly ReportResult[];
}

/** Lists the causes of failures, without tests that are inconclusive: those say nothing about Ralph. */
function listBrokenCauses({ causes, results }: Report): BrokenCause[] {
  const byLabel = new Map(results.map((result) => [testLabel(result.scenario_id, result.backend), result]));
  return causes.flatMap((cause) => {
    const tests = cause.tests
      .map((label) => byLabel.get(label))
      .filter((result) => result !== undefined)
      .filter(({ inconclusive }) => !inconclusive);
    const [first] = tests;
    return first === undefined ? [] : [{ cause, first, tests }];
  });
}

/** One annotation for all tests of a cause: further ones would repeat it. */
function annotateCause({ cause, first, tests }: BrokenCause): Annotation {
  const names = tests.map(labelOf);
  const others = names.length - 1;
  const left = names.length - NAMED_TESTS;
  const check = findDivergence(first);
  const [expected, actual] = linePair(check?.expected ?? '', check?.actual ?? '', 400);
  return {
    kind: 'error',
    title: others === 0 ? labelOf(first) : `${labelOf(first)} and ${others} more`,
    message: [
      oneLine(cause.hypothesis, 600),
      ...(check === undefined
        ? [oneLine(describeBroken(first, 1_000), 1_000)]
        : [oneLine(check.name, 200), `Expected: ${expected}`, `Received: ${actual}`]),
      ...(others === 0
        ? []
        : [`Tests: ${names.slice(0, NAMED_TESTS).join(', ')}${left > 0 ? `, and ${left} more` : ''}`]),
      `$ ${oneLine(first.repeat_command, 1_000)}`,
    ].join('\n'),
  };
}

function annotateTest(result: ReportResult): Annotation[] {
  const title = labelOf(result);
  const gone: Annotation[] = isGoodNews(result)
    ? [{ kind: 'notice', title, message: oneLine(describeGone(result), 1_000) }]
    : [];
  switch (result.outcome) {
    case 'failed':
    case 'error':
      return [
        {
          kind: result.inconclusive ? 'warning' : 'error',
          title,
          message: `${result.inconclusive ? `${describeResultFault(result)}: ` : ''}${oneLine(describeBroken(result, 1_000), 1_000)}\n$ ${oneLine(result.repeat_command, 1_000)}`,
        },
      ];
    case 'flaky':
      return [{ kind: 'warning', title, message: 'passed only when it was tried again' }, ...gone];
    case 'known-issue':
      return [{ kind: 'notice', title, message: oneLine(describeKnownIssue(result), 1_000) }];
    case 'passed':
      return gone;
    case 'skipped':
      return [];
    default:
      return result.outcome satisfies never;
  }
}

function labelOf({ scenario_id, backend }: ReportResult): string {
  return oneLine(testLabel(scenario_id, backend), 100);
}

function renderCommand({ kind, title, message }: Annotation): string {
  return `::${kind} title=${escapeProperty(oneLine(title, 120))}::${escapeData(cleanText(message))}`;
}

/** Escapes the characters that end a command or one of its properties. */
function escapeData(text: string): string {
  return breakCommands(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
