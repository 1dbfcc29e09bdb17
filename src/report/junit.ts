import type { Report } from '../domain/report/report.js';
import type { ReportCheck, ReportResult } from '../domain/report/result.js';
import type { Pieces } from './text/pieces.js';
import { capText, oneLine } from './text/safe-text.js';
import {
  describeBroken,
  describeGone,
  describeKnownIssue,
  describeResultFault,
  isGoodNews,
} from './words/outcomes.js';

/** How much of a text goes to the CI page; the files have the whole. */
const DETAIL_LIMIT = 6_000;
const OUTPUT_LIMIT = 4_000;

/**
 * Renders the report for CI servers, in the dialect of Maven Surefire, which supports retried tests. A suite is a tier,
 * and the class of a test is its backend. Each `<testsuite>` is valid in Surefire's schema; the element around them is
 * the one that CI servers read.
 */
export function* renderJunit(report: Report): Pieces {
  const tiers = new Map<string, ReportResult[]>();
  for (const result of report.results) {
    const tests = tiers.get(result.tier) ?? [];
    tests.push(result);
    tiers.set(result.tier, tests);
  }
  const counts = countAttributes(report.results);
  const all = {
    name: 'ralph-e2e',
    ...addErrors(counts, report.run_errors.length),
    time: seconds(report.duration_seconds),
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield* wrapXml('testsuites', all, { inner: renderSuites(tiers, report) });
  yield '\n';
}

function* renderSuites(tiers: ReadonlyMap<string, readonly ReportResult[]>, report: Report): Pieces {
  for (const [name, results] of tiers) {
    const time = results.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0);
    const suite = { name, ...countAttributes(results), time: seconds(time) };
    yield* wrapXml('testsuite', suite, { inner: renderCases(results, report), indent: '  ' });
  }
  if (report.run_errors.length > 0) {
    const counts = addErrors(countAttributes([]), report.run_errors.length);
    const suite = { name: 'The run as a whole', ...counts, time: seconds(0) };
    yield* wrapXml('testsuite', suite, { inner: renderRunErrors(report), indent: '  ' });
  }
}

/** CI servers look only at tests, so an error of the whole run must be one. */
function* renderRunErrors({ run_errors }: Report): Pieces {
  for (const [index, message] of run_errors.entries()) {
    const name = { name: `run-error-${index + 1}`, classname: 'ralph-e2e.run', time: seconds(0) };
    const error = element('error', { message, type: 'RunError' });
    yield `\n${renderXml(element('testcase', name, error), '    ')}`;
  }
}

function addErrors(counts: ReturnType<typeof countAttributes>, more: number) {
  return {
    ...counts,
    tests: String(Number(counts.tests) + more),
    errors: String(Number(counts.errors) + more),
  };
}

function* renderCases(results: readonly ReportResult[], report: Report): Pieces {
  yield `\n${renderXml(renderProperties(report), '    ')}`;
  for (const result of results) yield `\n${renderXml(renderCase(result), '    ')}`;
}

function countAttributes(results: readonly ReportResult[]) {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    String(results.filter(({ outcome }) => outcomes.includes(outcome)).length);
  return {
    tests: String(results.length),
    failures: having('failed'),
    errors: having('error'),
    skipped: having('skipped', 'known-issue'),
  };
}

function renderProperties(report: Report): XmlElement {
  const properties = {
    run_id: report.run_id,
    timestamp: report.timestamp,
    harness_version: report.harness_version,
    target: report.target.kind,
    ralph_version: report.ralph_version,
    lane: report.lane,
    verdict: report.verdict,
  };
  return element(
    'properties',
    {},
    ...Object.entries(properties).map(([name, value]) => element('property', { name, value })),
  );
}

function renderCase(result: ReportResult): XmlElement {
  return element(
    'testcase',
    {
      name: result.scenario_id,
      classname: `ralph-e2e.${result.backend}`,
      time: seconds(result.duration_seconds),
    },
    ...renderOutcome(result),
    ...renderOutput(result),
  );
}

/** The order of the elements is that of the schema: failures, skip, errors, output. */
function renderOutcome(result: ReportResult): XmlElement[] {
  switch (result.outcome) {
    case 'passed':
      return [];
    case 'failed':
      return [
        renderProblem('failure', result),
        ...renderOthers(result, 'failed', 'rerunFailure'),
        ...renderOthers(result, 'error', 'rerunError'),
      ];
    case 'error':
      return [renderProblem('error', result), ...renderOthers(result, 'error', 'rerunError')];
    case 'flaky':
      return [
        ...renderOthers(result, 'failed', 'flakyFailure'),
        ...renderOthers(result, 'error', 'flakyError'),
      ];
    case 'skipped':
      return [element('skipped', { message: result.skip_reason ?? 'no reason was recorded' })];
    case 'known-issue':
      return [element('skipped', { message: describeKnownIssue(result) }, detailText(result))];
    default:
      return result.outcome satisfies never;
  }
}

function renderProblem(name: 'failure' | 'error', result: ReportResult): XmlElement {
  const whose = result.inconclusive ? `${describeResultFault(result)}: ` : '';
  return element(
    name,
    { message: `${whose}${describeBroken(result)}`, type: typeOf(result) },
    detailText(result),
  );
}

function typeOf({ diagnosis, outcome, inconclusive }: ReportResult): string {
  if (inconclusive) return 'Inconclusive';
  return diagnosis?.failure_type ?? (outcome === 'error' ? 'HarnessError' : 'AssertionMismatch');
}

/** Renders the other attempts; a CI server shows them as reruns. */
function renderOthers(
  result: ReportResult,
  wanted: 'failed' | 'error',
  name: 'rerunFailure' | 'rerunError' | 'flakyFailure' | 'flakyError',
): XmlElement[] {
  return result.attempts
    .filter(({ outcome, artifacts }) => outcome === wanted && artifacts !== result.artifacts)
    .map(({ attempt, error, failed_assertions, artifacts }) => {
      const what = error ?? (failed_assertions.join('; ') || 'no check was recorded');
      const trace = defuse(xmlText(what, { limit: OUTPUT_LIMIT, whole: artifacts }));
      const head = { message: `attempt ${attempt}: ${what}`, type: typeOf(result) };
      return element(name, head, element('stackTrace', {}, trace));
    });
}

function detailText(result: ReportResult): string {
  const { assertions, diagnosis, artifacts, error, repeat_command } = result;
  const broken = assertions.filter(({ passed }) => !passed);
  const lines = [
    ...(error === null ? [] : [`error of the harness: ${error}`]),
    ...(result.outcome === 'failed' ? [describeResultFault(result), ...(result.fault?.because ?? [])] : []),
    ...broken.map(describeCheck),
    ...(diagnosis === null ? [] : [`probably: ${diagnosis.root_cause_hypothesis} (rule ${diagnosis.rule})`]),
    `again: ${repeat_command}`,
    ...(artifacts === null ? [] : [`output and evidence: ${artifacts}`]),
  ];
  return defuse(xmlText(lines.join('\n'), { limit: DETAIL_LIMIT, whole: artifacts }));
}

function describeCheck({ name, expected, actual, diff }: ReportCheck): string {
  return `${name}\n  expected: ${expected}\n  received: ${actual}${diff === null ? '' : `\n${diff}`}`;
}

/** Renders the output of a test that did not pass, and good news. Passed tests stay short: the files have their output. */
function renderOutput(result: ReportResult): XmlElement[] {
  const { outcome, context } = result;
  const news = isGoodNews(result) ? `${describeGone(result)}\n` : '';
  const isTold = context !== null && outcome !== 'passed' && outcome !== 'skipped';
  const output = (name: string, text: string, whole: string | null) =>
    text === '' ? [] : [element(name, {}, defuse(xmlText(text, { limit: OUTPUT_LIMIT, whole })))];
  if (!isTold) return output('system-out', news, null);
  return [
    ...output('system-out', `${news}${context.stdout}`, context.stdout_path),
    ...output('system-err', context.stderr, context.stderr_path),
  ];
}

/** Jenkins and GitLab publish the file in `[[ATTACHMENT|path]]`; an agent must not choose it. */
function defuse(text: string): string {
  return text.replace(/\[\[(?=\s*ATTACHMENT)/gi, '[ [');
}

/** Formats seconds for the schema: at most three decimals. */
function seconds(value: number): string {
  return Math.min(1e9, Math.max(0, value)).toFixed(3);
}

/** An element of an XML document, made of parts that are already safe. */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** Makes an element. Attribute values are plain text on one line; string children must come from `xmlText`. */
function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (XmlElement | string)[]
): XmlElement {
  return { name, attributes, children };
}

/** Makes text for between tags: cleaned, shortened and escaped. */
function xmlText(text: string, options: { readonly limit: number; readonly whole: string | null }) {
  return escapeXml(capText(text, options));
}

/** Renders an element, indented; text stays unchanged, because its white space matters. */
function renderXml({ name, attributes, children }: XmlElement, indent = ''): string {
  const open = `${indent}${beginTag(name, attributes)}`;
  if (children.length === 0) return `${open}/>`;
  const texts = children.filter((child) => typeof child === 'string');
  if (texts.length > 0) return `${open}>${texts.join('')}</${name}>`;
  const inner = children.flatMap((child) =>
    typeof child === 'string' ? [] : [renderXml(child, `${indent}  `)],
  );
  return `${open}>\n${inner.join('\n')}\n${indent}</${name}>`;
}

/** Renders an element piece by piece; like the pieces of `inner`, it starts with a line feed. */
function* wrapXml(
  name: string,
  attributes: Readonly<Record<string, string>>,
  { inner, indent = '' }: { readonly inner: Pieces; readonly indent?: string },
): Pieces {
  yield `\n${indent}${beginTag(name, attributes)}>`;
  yield* inner;
  yield `\n${indent}</${name}>`;
}

function beginTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(oneLine(value, ATTRIBUTE_LIMIT))}"`,
  );
  return `<${name}${given.join('')}`;
}

const ATTRIBUTE_LIMIT = 1_000;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 cannot represent U+FFFE and U+FFFF, not even escaped. Clean text has no control characters. */
function escapeXml(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? '');
}
