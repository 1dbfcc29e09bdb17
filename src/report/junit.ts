import { groupBy } from '../domain/common/group-by.js';
import type { Report } from '../domain/report/report.js';
import type { ReportResult } from '../domain/report/result.js';
import type { Pieces } from './text/pieces.js';
import { capText, oneLine } from './text/safe-text.js';
import {
  describeGone,
  describeKnownIssue,
  describeLasts,
  describeProblem,
  describeResultFault,
  isGoodNews,
} from './words/outcomes.js';

/** How much of a text goes to the CI page; the files have the whole. */
const DETAIL_LIMIT = 6_000;
const OUTPUT_LIMIT = 4_000;
const ATTRIBUTE_LIMIT = 1_000;

/**
 * Renders the report for CI servers, in the dialect of Maven Surefire, which supports retried tests. A suite is a tier,
 * and the class of a test is its backend. Each `<testsuite>` is valid in Surefire's schema; the element around them is
 * the one that CI servers read.
 */
export function* renderJunit(report: Report): Pieces {
  const { results, run_errors, duration_seconds } = report;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${begin(0, 'testsuites', suiteOf('ralph-e2e', results, duration_seconds, run_errors.length))}>\n`;
  for (const [tier, tests] of groupBy(results, (result) => result.tier)) {
    const time = tests.reduce((sum, result) => sum + result.duration_seconds, 0);
    yield `${begin(1, 'testsuite', suiteOf(tier, tests, time))}>\n${renderProperties(report)}`;
    for (const result of tests) yield `\n${renderCase(result)}`;
    yield '\n  </testsuite>\n';
  }
  if (run_errors.length > 0) yield `${renderRunErrors(run_errors)}\n`;
  yield '</testsuites>\n';
}

/** CI servers look only at tests, so an error of the whole run must be one. */
function renderRunErrors(errors: readonly string[]): string {
  const cases = errors.map((message, index) => {
    const error = element(3, 'error', { message, type: 'RunError' });
    return element(2, 'testcase', caseOf(`run-error-${index + 1}`, 'run', 0), [error]);
  });
  return element(1, 'testsuite', suiteOf('The run as a whole', [], 0, errors.length), cases);
}

function suiteOf(name: string, results: readonly ReportResult[], time: number, more = 0): Attributes {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    name,
    tests: results.length + more,
    failures: having('failed'),
    errors: having('error') + more,
    skipped: having('skipped', 'known-issue'),
    time: seconds(time),
  };
}

function renderProperties(report: Report): string {
  const { run_id, timestamp, harness_version, target, ralph_version, lane, verdict } = report;
  const all = { run_id, timestamp, harness_version, target: target.kind, ralph_version, lane, verdict };
  const each = Object.entries(all).map(([name, value]) => element(3, 'property', { name, value }));
  return element(2, 'properties', {}, each);
}

function renderCase(result: ReportResult): string {
  const { scenario_id, backend, duration_seconds } = result;
  const attributes = caseOf(scenario_id, backend, duration_seconds);
  return element(2, 'testcase', attributes, [...renderOutcome(result), ...renderOutput(result)]);
}

function caseOf(name: string, group: string, time: number): Attributes {
  return { name, classname: `ralph-e2e.${group}`, time: seconds(time) };
}

/** The order of the elements is that of the schema: failures, skip, errors, output. */
function renderOutcome(result: ReportResult): string[] {
  const problem = (name: string) => {
    const head = { message: describeProblem(result), type: typeOf(result) };
    return element(3, name, head, detailOf(result));
  };
  const others = (outcome: 'failed' | 'error', name: string) => renderOthers(result, outcome, name);
  switch (result.outcome) {
    case 'passed':
      return [];
    case 'failed':
      return [problem('failure'), ...others('failed', 'rerunFailure'), ...others('error', 'rerunError')];
    case 'error':
      return [problem('error'), ...others('error', 'rerunError')];
    case 'flaky':
      return [...others('failed', 'flakyFailure'), ...others('error', 'flakyError')];
    case 'skipped':
      return [element(3, 'skipped', { message: result.skip_reason ?? 'no reason was recorded' })];
    case 'known-issue':
      return [element(3, 'skipped', { message: describeKnownIssue(result) }, detailOf(result))];
    default:
      return result.outcome satisfies never;
  }
}

function typeOf({ diagnosis, outcome, inconclusive }: ReportResult): string {
  if (inconclusive) return 'Inconclusive';
  return diagnosis?.failure_type ?? (outcome === 'error' ? 'HarnessError' : 'AssertionMismatch');
}

/** Renders the other attempts; a CI server shows them as reruns. */
function renderOthers(result: ReportResult, wanted: 'failed' | 'error', name: string): string[] {
  return result.attempts
    .filter(({ outcome, artifacts }) => outcome === wanted && artifacts !== result.artifacts)
    .map(({ attempt, error, failed_assertions, artifacts }) => {
      const what = error ?? (failed_assertions.join('; ') || 'no check was recorded');
      const head = { message: `attempt ${attempt}: ${what}`, type: typeOf(result) };
      return element(3, name, head, [element(4, 'stackTrace', {}, textOf(what, OUTPUT_LIMIT, artifacts))]);
    });
}

function detailOf(result: ReportResult): string {
  const { assertions, diagnosis, artifacts, error, repeat_command } = result;
  const lasts = describeLasts(result);
  const lines = [
    ...(error === null ? [] : [`error of the harness: ${error}`]),
    ...(result.outcome === 'failed' ? [describeResultFault(result), ...(result.fault?.because ?? [])] : []),
    ...(lasts === null ? [] : [lasts]),
    ...assertions.flatMap(({ passed, name, expected, actual, diff }) =>
      passed
        ? []
        : [name, `  expected: ${expected}`, `  received: ${actual}`, ...(diff === null ? [] : [diff])],
    ),
    ...(diagnosis === null ? [] : [`probably: ${diagnosis.root_cause_hypothesis} (rule ${diagnosis.rule})`]),
    `again: ${repeat_command}`,
    ...(artifacts === null ? [] : [`output and evidence: ${artifacts}`]),
  ];
  return textOf(lines.join('\n'), DETAIL_LIMIT, artifacts);
}

/** Renders the output of a test that did not pass, and good news. Passed tests stay short: the files have their output. */
function renderOutput(result: ReportResult): string[] {
  const { outcome, context } = result;
  const news = isGoodNews(result) ? `${describeGone(result)}\n` : '';
  const output = (name: string, text: string, whole: string | null) =>
    text === '' ? [] : [element(3, name, {}, textOf(text, OUTPUT_LIMIT, whole))];
  if (context === null || outcome === 'passed' || outcome === 'skipped')
    return output('system-out', news, null);
  return [
    ...output('system-out', `${news}${context.stdout}`, context.stdout_path),
    ...output('system-err', context.stderr, context.stderr_path),
  ];
}

/** Formats seconds for the schema: at most three decimals. */
function seconds(value: number): string {
  return Math.min(1e9, Math.max(0, value)).toFixed(3);
}

type Attributes = Readonly<Record<string, string | number>>;

/** Renders an element with others in it, a line each, or with a safe text, whose white space matters. */
function element(
  depth: number,
  name: string,
  attributes: Attributes,
  inner: readonly string[] | string = [],
): string {
  const start = begin(depth, name, attributes);
  if (inner.length === 0) return `${start}/>`;
  if (typeof inner === 'string') return `${start}>${inner}</${name}>`;
  return `${start}>\n${inner.join('\n')}\n${'  '.repeat(depth)}</${name}>`;
}

/** Begins an element. Values are on one line. */
function begin(depth: number, name: string, attributes: Attributes): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(oneLine(`${value}`, ATTRIBUTE_LIMIT))}"`,
  );
  return `${'  '.repeat(depth)}<${name}${given.join('')}`;
}

/**
 * Cleans, shortens and escapes a text. Jenkins and GitLab publish the file in `[[ATTACHMENT|path]]`; an agent must not
 * choose it.
 */
function textOf(text: string, limit: number, whole: string | null): string {
  return escapeXml(capText(text, { limit, whole })).replace(/\[\[(?=\s*ATTACHMENT)/gi, '[ [');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 cannot represent U+FFFE and U+FFFF, not even escaped. Clean text has no control characters. */
function escapeXml(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? '');
}
