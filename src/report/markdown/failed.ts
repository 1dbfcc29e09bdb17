import type { Target } from '../../domain/attempt.js';
import type { Diagnosis } from '../../domain/report/analysis.js';
import { failurePagePath, needsPage, testPagePath } from '../../domain/report/failure-pages.js';
import type { ReportAssertion, ReportContext, ReportResult } from '../../domain/report/report.js';
import { splitFailed } from '../model/divergence.js';
import { codeSpan, fencedBlock, inlineText, linePair } from '../text/safe-text.js';
import { describeBroken, describeConsequences, UNANSWERED_TEXT } from '../words/failure-words.js';
import { describeAttemptFault, describeResultFault, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { backendName, countOf, describeBlame, formatDuration } from '../words/words.js';
import { blocks, headAndTail, table } from './parts.js';

const SHOWN_ASSERTIONS = 16;
const SHOWN_LINES = 8;

/** How to render a test. */
interface Look {
  /** Below 1 it gets shorter. */
  readonly scale?: number;
  /** Where the folder of the reports is, for links; null if links would lead nowhere. */
  readonly base?: string | null;
  /** What was tested: a stand-in is not Ralph. */
  readonly target?: Target;
}

/** Renders a test that did not pass: what failed, the probable cause, what to do. */
export function renderFailedTest(result: ReportResult, look: Look = {}): string {
  const { scale = 1 } = look;
  const mark = result.inconclusive ? INCONCLUSIVE_MARK : result.outcome === 'error' ? '💥' : '❌';
  return blocks(
    `### ${mark} ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)}${describePlace(result)}`,
    renderFacts(result, look),
    result.error === null
      ? ''
      : `**Error of the harness:** ${inlineText(result.error, Math.ceil(600 * scale))}`,
    renderAssertions(result, scale),
    result.diagnosis ? blocks('#### 🔍 Diagnosis', renderDiagnosis(result.diagnosis, scale)) : '',
  );
}

/** Renders a test that says nothing about Ralph: why, and how to run it again. */
export function renderInconclusiveTest(result: ReportResult, look: Look = {}): string {
  return blocks(
    renderFailedTest({ ...result, diagnosis: null }, look),
    '#### Run it again',
    fencedBlock(result.repeat_command, { limit: 1_000, whole: 'report.json', language: 'bash' }),
  );
}

/** Renders a test whose attempts differ: what went wrong before it passed. */
export function renderFlakyTest(result: ReportResult, { scale = 1 }: Look = {}): string {
  return blocks(
    `### 🔁 ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)}${describePlace(result)}`,
    headAndTail(result.attempts, Math.ceil(SHOWN_LINES * scale))
      .kept.map(renderTry)
      .join('\n'),
    result.diagnosis ? blocks('#### 🔍 Diagnosis', renderDiagnosis(result.diagnosis, scale)) : '',
  );
}

function describePlace({ placed, tier }: ReportResult): string {
  return placed ? ` (${inlineText(tier, 60)})` : '';
}

function renderTry(tried: ReportResult['attempts'][number]) {
  const { attempt, outcome, error, failed_assertions, artifacts } = tried;
  const why = error ?? failed_assertions.slice(0, SHOWN_LINES).join('; ');
  const whose = describeAttemptFault(tried);
  return `- **Attempt ${attempt}:** ${outcome}${whose === '' ? '' : ` (${whose})`}${why === '' ? '' : `, ${inlineText(why, 400)}`} (${codeSpan(artifacts, 400)})`;
}

/** Renders a failed test on one line, with a link to its page. */
export function renderFailedLine(result: ReportResult): string {
  return `- ${pageLink(result)}: ${inlineText(describeBroken(result, 160), 160)}`;
}

/** Links to the page of a test: the short one about a failure, or else the one with everything. */
export function pageLink(result: ReportResult): string {
  const { scenario_id, backend } = result;
  const path = needsPage(result) ? failurePagePath(result) : testPagePath(result);
  return `[${inlineText(scenario_id, 80)} on ${backendName(backend)}](${path})`;
}

/** Splits a name such as `PromptIneffective` into words. */
export function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Renders whose fault a failure is, and the facts that decide it. */
export function renderFaultLines(result: ReportResult, target?: Target): string[] {
  const words = describeResultFault(result, target);
  if (words === null) return [];
  const facts = (result.fault?.because ?? []).map((fact) => `  - ${inlineText(fact, 400)}`);
  return [`- **Fault:** ${words}`, ...facts];
}

function renderFacts(result: ReportResult, { base = null, target }: Look): string {
  const { context, attempts, scenario_description, covers } = result;
  const shown = headAndTail(attempts, SHOWN_LINES);
  const tried = shown.kept.map((one) => {
    const { attempt, outcome, error } = one;
    // The error of this attempt is shown below.
    const why = error === null || error === result.error ? '' : ` (${inlineText(error, 200)})`;
    const whose = describeAttemptFault(one);
    return `${attempt} ${outcome}${whose === '' ? '' : ` (${whose})`}${why}`;
  });
  const more = shown.left > 0 ? [`${shown.left} more in report.json`] : [];
  return [
    `- **Description:** ${inlineText(scenario_description, 300) || '(none)'}`,
    ...renderFaultLines(result, target),
    `- **Duration:** ${formatDuration(result.duration_seconds)}`,
    ...(context ? [`- **Exit:** ${describeExitInMarkdown(result)}`] : []),
    ...(context ? [describeCourse(context)] : []),
    ...(attempts.length > 1 ? [`- **Attempts:** ${[...tried, ...more].join(', ')}`] : []),
    ...(covers.length > 0 ? [`- **Covers:** ${inlineText(covers.join(', '), 200)}`] : []),
    `- **Pages:** ${listPages(result, base)}`,
    `- **Output and evidence:** ${codeSpan(result.artifacts ?? 'none', 400)}`,
    ...(result.workspace === null ? [] : [`- **Workspace:** ${codeSpan(result.workspace, 400)}`]),
  ].join('\n');
}

function listPages(result: ReportResult, base: string | null): string {
  const pages = [
    ...(needsPage(result) ? [['the failure', failurePagePath(result)] as const] : []),
    ['everything about it', testPagePath(result)] as const,
  ];
  return pages
    .map(([name, path]) => (base === null ? codeSpan(path, 300) : `[${name}](${base}${path})`))
    .join(', ');
}

/** Describes how the target's process ended. */
export function describeExitInMarkdown({ context, outcome }: ReportResult): string {
  if (!context) return 'unknown';
  if (context.timed_out) return 'timed out, ended by the harness';
  if (context.exit_signal !== null) return `killed by ${codeSpan(context.exit_signal, 20)}`;
  if (context.exit_code === null) return 'interrupted';
  return `code ${context.exit_code}${context.exit_code === 0 && outcome === 'failed' ? ' (but assertions failed)' : ''}`;
}

/** Renders the assertions that failed, in the order of the run, and the names of those that passed. */
function renderAssertions(result: ReportResult, scale: number): string {
  const { assertions } = result;
  if (assertions.length === 0) return '';
  const { shown: broken, consequences } = splitFailed(result);
  const shown = broken.slice(0, Math.ceil(SHOWN_ASSERTIONS * scale));
  const left = broken.length - shown.length;
  const limit = Math.ceil(240 * scale) + 60;
  const rows = shown.map(({ name, expected, actual }) => [
    inlineText(name, 160),
    '❌',
    ...linePair(expected, actual, limit).map((text) => inlineText(text, limit)),
  ]);
  const passed = headAndTail(
    assertions.filter((assertion) => assertion.passed).map(({ name }) => inlineText(name, 100)),
    Math.ceil(SHOWN_ASSERTIONS * scale),
  );
  return blocks(
    '#### Assertions',
    rows.length === 0 ? '' : table(['Assertion', 'Status', 'Expected', 'Actual'], rows),
    left > 0 ? `${left} more failed: see report.json.` : '',
    consequences.length === 0 ? '' : `${describeConsequences(consequences)}: see report.json.`,
    ...shown.map((assertion) => renderHelp(assertion, scale)),
    passed.kept.length === 0
      ? ''
      : `✅ Passed: ${[...passed.kept, ...(passed.left > 0 ? [`${passed.left} more`] : [])].join('; ')}.`,
  );
}

function renderHelp({ name, about, actual, diff, suggestion }: ReportAssertion, scale: number): string {
  const asked =
    about?.unanswered === undefined
      ? ''
      : fencedBlock(actual, { limit: Math.ceil(UNANSWERED_TEXT * scale), whole: 'report.json' });
  const hint =
    suggestion === null
      ? ''
      : `💡 ${inlineText(name, 160)}: ${inlineText(suggestion, Math.ceil(400 * scale))}`;
  const difference =
    diff === null
      ? ''
      : `Difference:\n\n${fencedBlock(diff, { limit: Math.ceil(1_200 * scale), whole: 'report.json', language: 'diff' })}`;
  return blocks(asked, hint, difference);
}

/** Renders what probably went wrong, the rule, and what to try. */
export function renderDiagnosis(diagnosis: Diagnosis, scale = 1): string {
  const most = Math.ceil(SHOWN_LINES * scale);
  const evidence = headAndTail(diagnosis.evidence, most);
  const similar = headAndTail(diagnosis.similar_failures, most);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `**${title}:**\n\n${items.join('\n')}`;
  return blocks(
    `**Failure Type:** ${wordsOf(diagnosis.failure_type)} (rule ${codeSpan(diagnosis.rule, 80)})`,
    `**Blames:** ${describeBlame(diagnosis.blames)}`,
    `**Root Cause Hypothesis:** ${inlineText(diagnosis.root_cause_hypothesis, 900)}`,
    list('Evidence', [
      ...evidence.kept.map((line) => `- ${codeSpan(line, Math.ceil(240 * scale) + 80)}`),
      ...(evidence.left > 0 ? [`- ${evidence.left} more in report.json`] : []),
    ]),
    list('Similar Failures', [
      ...similar.kept.map((id) => `- ${codeSpan(id, 80)}`),
      ...(similar.left > 0 ? [`- ${similar.left} more in report.json`] : []),
    ]),
    list(
      'Suggested Investigations',
      diagnosis.suggested_investigations
        .slice(0, most)
        .map((text, i) => `${i + 1}. ${inlineText(text, 400)}`),
    ),
    list('Potential Fixes', diagnosis.potential_fixes.slice(0, most).map(renderFix)),
  );
}

function renderFix(fix: Diagnosis['potential_fixes'][number], index: number): string {
  const level = fix.confidence >= 0.7 ? 'High' : fix.confidence >= 0.4 ? 'Medium' : 'Low';
  return [
    `${index + 1}. **[${level} Confidence]** ${inlineText(fix.description, 400)}`,
    ...(fix.file_to_modify === null ? [] : [`   - File: ${codeSpan(fix.file_to_modify, 200)}`]),
    ...(fix.suggested_change === null ? [] : [`   - Change: ${inlineText(fix.suggested_change, 400)}`]),
  ].join('\n');
}

/** Describes how far the loop or the conversation got. */
function describeCourse({ conversation, iterations_completed, termination_reason }: ReportContext): string {
  if (conversation !== undefined) {
    const { turns, planned_turns, stage } = conversation;
    return `- **Conversation:** ${turns.length} of ${countOf(planned_turns, 'turn')}${stage === null ? '' : `, ended in stage ${codeSpan(stage, 80)}`}`;
  }
  const end =
    termination_reason === null
      ? 'no termination recorded'
      : `ended with ${codeSpan(termination_reason, 80)}`;
  return `- **Loop:** ${countOf(iterations_completed, 'iteration')}, ${end}`;
}
