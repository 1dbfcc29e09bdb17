import type { Report } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import {
  CHECK_GROUPS,
  describeArm,
  describeFigures,
  describeWithout,
  listCompared,
} from '../words/baseline-words.js';
import { countOf } from '../words/words.js';
import { blocks, table } from './parts.js';

const SHOWN_TESTS = 30;

/** Renders each test next to itself without the plugins. */
export function renderBaselines(report: Report): string {
  const compared = listCompared(report);
  if (compared.length === 0) return '';
  const left = compared.length - SHOWN_TESTS;
  const rows = compared
    .slice(0, SHOWN_TESTS)
    .map((result) => [
      `${codeSpan(testLabel(result.scenario_id, result.backend), 100)} ${inlineText(describeWithout(result), 200)}`,
      ...CHECK_GROUPS.map(([key]) => inlineText(result.baseline[key].join('; '), 400) || '-'),
      describeFigures(result, report),
    ]);
  return blocks(
    '## 🔌 Without the plugin',
    `The same tests without their plugins: ${describeArm(compared)}. An assertion that holds without the plugin too proves nothing about it. This arm does not count for the verdict.`,
    table(['Test', ...CHECK_GROUPS.map(([, title]) => title), 'Figures'], rows),
    left > 0 ? `${countOf(left, 'more test')} in report.json.` : '',
  );
}
