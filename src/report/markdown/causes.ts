import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report } from '../../domain/report/report.js';
import { commandAnywhere } from '../model/places.js';
import { codeSpan, fencedBlock, inlineText } from '../text/safe-text.js';
import { countCauses, findBestTest, sourcesOf } from '../words/cause-words.js';
import { grepWords } from '../words/grep-words.js';
import { countOf } from '../words/words.js';
import { blocks, fitItems, headAndTail } from './parts.js';

const SHOWN_TESTS = 6;
const SHOWN_PROMISES = 3;
const LIST_LIMIT = 2_000;

/** Renders why tests failed: one entry for each of the first causes, however many tests it breaks; the others get a line. */
export function renderCauses(report: Report, shown: number): string {
  const { causes } = report;
  if (causes.length === 0) return '';
  const others = causes.slice(shown);
  return blocks(
    `## 🎯 Causes: ${countCauses(causes)}`,
    '`failures.json` has every cause in at most 7 KB, for an agent: with the trace, the log, the configuration and what each test expected and received.',
    ...causes.slice(0, shown).map((cause, index) => renderCause(report, cause, index)),
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

function renderCause(report: Report, cause: FailureCause, index: number): string {
  const tests = headAndTail(cause.tests, SHOWN_TESTS);
  const best = findBestTest(report, cause);
  const words = best === undefined ? [] : grepWords(cause, best);
  const area = cause.areas.length === 0 ? '' : ` (${cause.areas.join(', ')})`;
  const lines = [
    `- Tests: ${tests.kept.map((label) => codeSpan(label, 100)).join(', ')}${tests.left > 0 ? `, and ${tests.left} more` : ''}`,
    ...cause.promises
      .slice(1, SHOWN_PROMISES)
      .map(({ promise }) => `- Also broken: ${inlineText(promise, 300)}`),
    ...sourcesOf(cause)
      .slice(0, SHOWN_PROMISES)
      .map((source) => `- Look at: ${codeSpan(source, 200)}`),
    ...(words.length === 0
      ? []
      : [`- Search the source for: ${words.map((word) => codeSpan(word, 80)).join(', ')}`]),
    ...cause.contrast.map((line) => `- In common: ${inlineText(line, 200)}`),
  ];
  return blocks(
    `### ${index + 1}. ${countOf(cause.tests.length, 'test')}${area}`,
    inlineText(cause.hypothesis, 600),
    lines.join('\n'),
    best === undefined || best.repeat_command === ''
      ? ''
      : fencedBlock(commandAnywhere(report, best.repeat_command), {
          limit: 1_000,
          whole: 'report.json',
          language: 'bash',
        }),
  );
}
