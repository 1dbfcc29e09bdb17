import type { FailureCause } from '../../domain/report/failure-cause.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { countCauses, sourcesOf } from '../words/cause-words.js';
import { countOf } from '../words/words.js';
import { blocks, fitItems, headAndTail } from './parts.js';

const SHOWN_TESTS = 6;
const SHOWN_PROMISES = 3;
const LIST_LIMIT = 2_000;

/** Renders why tests failed: one entry for each cause, however many tests it breaks. Causes not in `shown` get a line. */
export function renderCauses(shown: readonly FailureCause[], all: readonly FailureCause[]): string {
  if (all.length === 0) return '';
  const others = all.filter((cause) => !shown.includes(cause));
  return blocks(
    `## 🎯 Causes: ${countCauses(all)}`,
    '`failures.json` tells an agent the same, in at most 7 KB for each cause.',
    ...shown.map(renderCause),
    others.length === 0
      ? ''
      : blocks(
          '### Other causes',
          fitItems(others.map(renderLine), {
            limit: LIST_LIMIT,
            separator: '\n',
            more: (left) => `- ${countOf(left, 'more cause')} in failures.json`,
          }),
        ),
  );
}

function renderLine({ tests, hypothesis }: FailureCause): string {
  return `- ${countOf(tests.length, 'test')}, such as ${codeSpan(tests[0] ?? '', 100)}: ${inlineText(hypothesis, 240)}`;
}

function renderCause(cause: FailureCause, index: number): string {
  const tests = headAndTail(cause.tests, SHOWN_TESTS);
  const area = cause.areas.length === 0 ? '' : ` (${cause.areas.join(', ')})`;
  const lines = [
    `- Tests: ${tests.kept.map((label) => codeSpan(label, 100)).join(', ')}${tests.left > 0 ? `, and ${tests.left} more` : ''}`,
    ...cause.promises
      .slice(1, SHOWN_PROMISES)
      .map(({ promise }) => `- Also broken: ${inlineText(promise, 300)}`),
    ...sourcesOf(cause)
      .slice(0, SHOWN_PROMISES)
      .map((source) => `- Look at: ${codeSpan(source, 200)}`),
    ...cause.contrast.map((line) => `- In common: ${inlineText(line, 200)}`),
  ];
  return blocks(
    `### ${index + 1}. ${countOf(cause.tests.length, 'test')}${area}`,
    inlineText(cause.hypothesis, 600),
    lines.join('\n'),
  );
}
