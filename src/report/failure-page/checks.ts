import { shortenPair } from '../../domain/common/shorten-pair.js';
import type { ReportAssertion, ReportResult } from '../../domain/report/report.js';
import { blocks, headAndTail } from '../markdown/parts.js';
import { unitOf } from '../model/conversation-context.js';
import { findDivergence, splitFailed } from '../model/divergence.js';
import { cleanText, codeSpan, fencedBlock, inlineText, linePair } from '../text/safe-text.js';
import { describeConsequences, UNANSWERED_TEXT } from '../words/failure-words.js';
import { countOf } from '../words/words.js';

/** Renders where the run first went wrong: the failed assertion about the earliest moment, and other signs of trouble. */
export function renderDivergence(result: ReportResult, scale: number): string {
  const { assertions, error, context } = result;
  const first = findDivergence(result);
  const held = assertions.filter(({ passed }) => passed).map(({ name }) => inlineText(name, 120));
  const shown = headAndTail(held, Math.ceil(8 * scale));
  const limit = Math.ceil(300 * scale);
  const [expected, actual] = linePair(first?.expected ?? '', first?.actual ?? '', limit).map((text) =>
    inlineText(text, limit),
  );
  return blocks(
    error === null ? '' : `The harness itself broke off: ${inlineText(error, 600)}`,
    first === undefined
      ? ''
      : `The failed check about the earliest moment of the run: **${inlineText(first.name, 200)}** (expected ${expected}, got ${actual}).`,
    (first?.promises ?? [])
      .slice(0, 3)
      .map(
        ({ promise, source }) =>
          `- Ralph promises: ${inlineText(promise, 300)} It decides that in ${codeSpan(source, 200)}.`,
      )
      .join('\n'),
    held.length === 0
      ? ''
      : `Passed: ${shown.kept.join('; ')}${shown.left > 0 ? `, and ${shown.left} more` : ''}.`,
    context === null ? 'The target never ran, or left nothing to read.' : renderSigns(context, scale),
  );
}

/** Renders signs of trouble during the run, with their place: often the cause of the failed check. */
function renderSigns(context: NonNullable<ReportResult['context']>, scale: number): string {
  const failedCall = context.iterations
    .flatMap(({ number, tool_calls }) => tool_calls.map((call) => ({ ...call, number })))
    .find(({ is_error }) => is_error);
  const [malformed] = context.malformed_lines;
  const [trouble] = context.backend_errors;
  const limit = Math.ceil(300 * scale);
  const signs = [
    ...(trouble === undefined ? [] : [`- the backend reported: ${codeSpan(trouble, limit)}`]),
    ...(failedCall === undefined
      ? []
      : [
          `- in ${unitOf(context)} ${failedCall.number} a tool call failed: ${codeSpan(`${failedCall.name} ${failedCall.input}`, limit)}`,
        ]),
    ...(malformed === undefined
      ? []
      : [
          `- ${codeSpan(`${malformed.file}:${malformed.line}`, 200)} could not be read: ${codeSpan(malformed.text, limit)}`,
        ]),
    ...context.stopped_by_isolation
      .slice(0, 3)
      .map((what) => `- stopped by the isolation: ${codeSpan(what, limit)}`),
    ...context.processes_left_behind.slice(0, 1).map((left) => `- left running: ${codeSpan(left, limit)}`),
  ];
  return signs.length === 0 ? '' : `Signs of trouble on the way:\n\n${signs.join('\n')}`;
}

/** Renders every failed assertion, with expected and actual in full as far as there is room. */
export function renderExpectations(result: ReportResult, scale: number): string {
  const { shown: first, consequences } = splitFailed(result);
  const broken = consequences.length === 0 ? result.assertions.filter(({ passed }) => !passed) : first;
  if (broken.length === 0) return '';
  const shown = broken.slice(0, Math.ceil(10 * scale));
  const left = broken.length - shown.length;
  return blocks(
    ...shown.map((assertion) => renderAssertion(assertion, scale)),
    left > 0 ? `${countOf(left, 'more assertion')} broke: see report.json.` : '',
    consequences.length === 0 ? '' : `${describeConsequences(consequences)}: see report.json.`,
  );
}

function renderAssertion(
  { name, category, expected, actual, diff, suggestion, about }: ReportAssertion,
  scale: number,
) {
  const most = about?.unanswered === undefined ? 600 : UNANSWERED_TEXT;
  const cap = { limit: Math.ceil(most * scale), whole: 'report.json' };
  const whole = [cleanText(expected), cleanText(actual)] as const;
  // A prompt that no rule answered is compared with nothing.
  const [wanted, found] = about?.unanswered === undefined ? shortenPair(...whole, cap.limit) : whole;
  const isCut = wanted.length + found.length < whole.join('').length;
  const sides = { Expected: wanted, Actual: found };
  const isShort = Object.values(sides).every((text) => isPlainLine(text, cap.limit / 2));
  return blocks(
    `**${inlineText(name, 200)}** (${category})`,
    Object.entries(sides)
      .map(([side, text]) =>
        isShort ? `- ${side}: ${codeSpan(text, cap.limit)}` : `${side}:\n\n${fencedBlock(text, cap)}`,
      )
      .join(isShort ? '\n' : '\n\n'),
    isCut ? 'Cut around the first difference: report.json has the whole.' : '',
    diff === null ? '' : `Difference:\n\n${fencedBlock(diff, { ...cap, language: 'diff' })}`,
    suggestion === null ? '' : `💡 ${inlineText(suggestion, Math.ceil(400 * scale))}`,
  );
}

/** Whether a code span shows the text unchanged: it would collapse white space, and escape the bars of tables. */
function isPlainLine(text: string, limit: number): boolean {
  return text.length <= limit && /^\S(?:[^|\n]*\S)?$/.test(text) && !/\s{2}|\|/.test(text);
}
