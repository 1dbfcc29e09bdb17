import type { FailureCause } from '../../domain/report/failure-cause.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { countCauses, sourcesOf } from '../words/cause-words.js';
import { countOf } from '../words/words.js';
import { blocks, headAndTail } from './parts.js';

const SHOWN_CAUSES = 8;
const SHOWN_TESTS = 6;

/** Renders why tests failed: one entry for each cause, however many tests it breaks. */
export function renderCauses(causes: readonly FailureCause[]): string {
  if (causes.length === 0) return '';
  const left = causes.length - SHOWN_CAUSES;
  return blocks(
    `## 🎯 Causes: ${countCauses(causes)}`,
    ...causes.slice(0, SHOWN_CAUSES).map(renderCause),
    left > 0 ? `${countOf(left, 'more cause')} in report.json.` : '',
  );
}

function renderCause(cause: FailureCause, index: number): string {
  const tests = headAndTail(cause.tests, SHOWN_TESTS);
  const area = cause.areas.length === 0 ? '' : ` (${cause.areas.join(', ')})`;
  const lines = [
    `- Tests: ${tests.kept.map((label) => codeSpan(label, 100)).join(', ')}${tests.left > 0 ? `, and ${tests.left} more` : ''}`,
    ...cause.promises.slice(1).map(({ promise }) => `- Also broken: ${inlineText(promise, 300)}`),
    ...sourcesOf(cause).map((source) => `- Look at: ${codeSpan(source, 200)}`),
    ...cause.contrast.map((line) => `- In common: ${inlineText(line, 200)}`),
  ];
  return blocks(
    `### ${index + 1}. ${countOf(cause.tests.length, 'test')}${area}`,
    inlineText(cause.hypothesis, 600),
    lines.join('\n'),
  );
}
