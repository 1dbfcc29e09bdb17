import type { Diagnosis } from '../../domain/report/analysis.js';
import { failurePagePath } from '../../domain/report/failure-pages.js';
import type { ReportAssertion, ReportContext, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { codeSpan, fencedBlock, inlineText } from '../text/safe-text.js';
import { describeBroken } from '../words/failure-words.js';
import { describeAttemptFault, describeResultFault, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { backendName, countOf, describeBlame, formatDuration } from '../words/words.js';
import { blocks, headAndTail, table } from './parts.js';

const SHOWN_ASSERTIONS = 16;
const SHOWN_LINES = 8;

/**
 * Renders a test that did not pass: what failed, the probable cause, what to do. Its long context is elsewhere. If the
 * same rule explains the test `toldWith`, so is what to do: a cause that breaks twenty tests is explained once.
 */
export function renderFailedTest(result: ReportResult, toldWith: ReportResult | null = null): string {
  const mark = result.inconclusive ? INCONCLUSIVE_MARK : result.outcome === 'error' ? '💥' : '❌';
  return blocks(
    `### ${mark} ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)} (${inlineText(result.tier, 60)})`,
    renderFacts(result),
    result.error === null ? '' : `**Error of the harness:** ${inlineText(result.error, 600)}`,
    renderAssertions(result.assertions),
    result.diagnosis ? blocks('#### 🔍 Diagnosis', renderDiagnosis(result.diagnosis, toldWith)) : '',
  );
}

/** Renders a test that says nothing about Ralph: why, and how to run it again. */
export function renderInconclusiveTest(result: ReportResult): string {
  return blocks(
    renderFailedTest({ ...result, diagnosis: null }),
    '#### Run it again',
    fencedBlock(result.repeat_command, { limit: 1_000, whole: 'report.json', language: 'bash' }),
  );
}

/** Renders a test whose attempts differ: what went wrong before it passed. */
export function renderFlakyTest(result: ReportResult): string {
  return blocks(
    `### 🔁 ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)} (${inlineText(result.tier, 60)})`,
    headAndTail(result.attempts, SHOWN_LINES).kept.map(renderTry).join('\n'),
    result.diagnosis ? blocks('#### 🔍 Diagnosis', renderDiagnosis(result.diagnosis)) : '',
  );
}

function renderTry(tried: ReportResult['attempts'][number]) {
  const { attempt, outcome, error, failed_assertions, artifacts } = tried;
  const why = error ?? failed_assertions.slice(0, SHOWN_LINES).join('; ');
  const whose = describeAttemptFault(tried);
  return `- **Attempt ${attempt}:** ${outcome}${whose === '' ? '' : ` (${whose})`}${why === '' ? '' : `, ${inlineText(why, 400)}`} (${codeSpan(artifacts, 400)})`;
}

/** Renders a failed test on one line, for lists without space for more. */
export function renderFailedLine(result: ReportResult): string {
  const { scenario_id, backend, diagnosis } = result;
  const type = diagnosis ? ` — ${wordsOf(diagnosis.failure_type)}` : '';
  return `- ${codeSpan(scenario_id, 80)} on ${backendName(backend)}${type}: ${inlineText(describeBroken(result, 160), 160)}`;
}

/** Splits a name such as `PromptIneffective` into words. */
export function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Renders whose fault a failure is, and the facts that decide it. */
export function renderFaultLines(result: ReportResult): string[] {
  const words = describeResultFault(result);
  if (words === null) return [];
  const facts = (result.fault?.because ?? []).map((fact) => `  - ${inlineText(fact, 400)}`);
  return [`- **Fault:** ${words}`, ...facts];
}

function renderFacts(result: ReportResult): string {
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
    ...renderFaultLines(result),
    `- **Duration:** ${formatDuration(result.duration_seconds)}`,
    ...(context ? [`- **Exit:** ${describeExitInMarkdown(result)}`] : []),
    ...(context ? [describeCourse(context)] : []),
    ...(attempts.length > 1 ? [`- **Attempts:** ${[...tried, ...more].join(', ')}`] : []),
    ...(covers.length > 0 ? [`- **Covers:** ${inlineText(covers.join(', '), 200)}`] : []),
    `- **Page on this failure alone:** ${codeSpan(failurePagePath(result), 300)}`,
    `- **Output and evidence:** ${codeSpan(result.artifacts ?? 'none', 400)}`,
    ...(result.workspace === null ? [] : [`- **Workspace:** ${codeSpan(result.workspace, 400)}`]),
  ].join('\n');
}

/** Describes how the target's process ended. */
export function describeExitInMarkdown({ context, outcome }: ReportResult): string {
  if (!context) return 'unknown';
  if (context.timed_out) return 'timed out, ended by the harness';
  if (context.exit_signal !== null) return `killed by ${codeSpan(context.exit_signal, 20)}`;
  if (context.exit_code === null) return 'interrupted';
  return `code ${context.exit_code}${context.exit_code === 0 && outcome === 'failed' ? ' (but assertions failed)' : ''}`;
}

function renderAssertions(assertions: readonly ReportAssertion[]): string {
  if (assertions.length === 0) return '';
  const ordered = assertions.toSorted((a, b) => Number(a.passed) - Number(b.passed));
  const shown = ordered.slice(0, SHOWN_ASSERTIONS);
  const rest = ordered.slice(SHOWN_ASSERTIONS);
  const restBroken = rest.filter(({ passed }) => !passed).length;
  const rows = shown.map(({ name, passed, expected, actual }) => [
    inlineText(name, 160),
    passed ? '✅' : '❌',
    inlineText(expected, 240),
    inlineText(actual, 240),
  ]);
  return blocks(
    '#### Assertions',
    table(['Assertion', 'Status', 'Expected', 'Actual'], rows),
    rest.length === 0 ? '' : `${rest.length} more, ${restBroken} of them broken: see report.json.`,
    ...shown.filter(({ passed }) => !passed).map(renderHelp),
  );
}

function renderHelp({ name, diff, suggestion }: ReportAssertion): string {
  const hint = suggestion === null ? '' : `💡 ${inlineText(name, 160)}: ${inlineText(suggestion, 400)}`;
  const difference =
    diff === null
      ? ''
      : `Difference:\n\n${fencedBlock(diff, { limit: 1_200, whole: 'report.json', language: 'diff' })}`;
  return blocks(hint, difference);
}

/** Renders what probably went wrong, the rule, and what to try. */
export function renderDiagnosis(diagnosis: Diagnosis, toldWith: ReportResult | null = null): string {
  const evidence = headAndTail(diagnosis.evidence, SHOWN_LINES);
  const similar = headAndTail(diagnosis.similar_failures, SHOWN_LINES);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `**${title}:**\n\n${items.join('\n')}`;
  const findings = blocks(
    `**Failure Type:** ${wordsOf(diagnosis.failure_type)} (rule ${codeSpan(diagnosis.rule, 80)})`,
    `**Blames:** ${describeBlame(diagnosis.blames)}`,
    `**Root Cause Hypothesis:** ${inlineText(diagnosis.root_cause_hypothesis, 900)}`,
    list('Evidence', [
      ...evidence.kept.map((line) => `- ${codeSpan(line, 320)}`),
      ...(evidence.left > 0 ? [`- ${evidence.left} more in report.json`] : []),
    ]),
  );
  if (toldWith !== null)
    return blocks(
      findings,
      `The same rule explains ${codeSpan(testLabel(toldWith.scenario_id, toldWith.backend), 100)} above: what to look at and what to change stands there.`,
    );
  return blocks(
    findings,
    list('Similar Failures', [
      ...similar.kept.map((id) => `- ${codeSpan(id, 80)}`),
      ...(similar.left > 0 ? [`- ${similar.left} more in report.json`] : []),
    ]),
    list(
      'Suggested Investigations',
      diagnosis.suggested_investigations
        .slice(0, SHOWN_LINES)
        .map((text, i) => `${i + 1}. ${inlineText(text, 400)}`),
    ),
    list('Potential Fixes', diagnosis.potential_fixes.slice(0, SHOWN_LINES).map(renderFix)),
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
