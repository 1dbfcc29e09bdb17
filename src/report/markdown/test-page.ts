import type { Report, ReportResult } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName } from '../words/words.js';
import { renderContext } from './context.js';
import { renderFailedTest, renderFlakyTest } from './failed.js';
import { DATA_NOTICE, describeFolder, describeTarget } from './head.js';
import { blocks } from './parts.js';
import { renderPass } from './passed.js';

/** Renders everything about one test, passed or not: what was checked, and all that the run left behind. */
export function renderTestPage(report: Report, result: ReportResult): string {
  return `${blocks(
    `# ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)}: ${result.outcome}`,
    [
      `- **Target:** ${describeTarget(report)}`,
      `- **Run:** ${codeSpan(report.run_id, 80)} in the ${report.lane} lane, ${inlineText(report.timestamp, 40)}`,
      ...describeFolder(report),
    ].join('\n'),
    DATA_NOTICE,
    result.outcome === 'flaky' ? renderFlakyTest(result) : '',
    result.passed ? renderPass(result) : renderFailedTest(result, { base: '../../', target: report.target }),
    '## Context',
    renderContext(result),
  )}\n`;
}
