import type { Report } from '../../../domain/report/report.js';
import { testLabel } from '../../../domain/vocabulary.js';
import { oneLine } from '../../text/safe-text.js';
import {
  CHECK_GROUPS,
  describeArm,
  describeFigures,
  describeWithout,
  listCompared,
} from '../../words/baseline-words.js';

const SHOWN_TESTS = 20;

/** Renders what holds without the plugins too, and what they changed. */
export function renderBaselineLines(report: Report): string[] {
  const compared = listCompared(report);
  if (compared.length === 0) return [];
  const left = compared.length - SHOWN_TESTS;
  return [
    '',
    `Without the plugin: ${describeArm(compared)}`,
    ...compared
      .slice(0, SHOWN_TESTS)
      .flatMap((result) => [
        `  ${oneLine(testLabel(result.scenario_id, result.backend), 120)} ${oneLine(describeWithout(result), 300)}; ${describeFigures(result, report)}`,
        ...CHECK_GROUPS.filter(([key]) => result.baseline[key].length > 0).map(
          ([key, title]) => `     ${title}: ${oneLine(result.baseline[key].join('; '), 600)}`,
        ),
      ]),
    ...(left > 0 ? [`  ${left} more in the report`] : []),
  ];
}
