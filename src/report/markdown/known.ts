import { failurePagePath } from '../../domain/report/failure-pages.js';
import type { ReportResult } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { describeGone, isGoodNews } from '../words/failure-words.js';
import { backendName } from '../words/words.js';
import { blocks, fitItems } from './parts.js';

/** Renders promises that this version is known to break. They do not fail the run. */
export function renderKnownIssues(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const items = results.map(({ scenario_id, backend, known_issue, assertions }) => {
    const broken = assertions.filter(({ passed }) => !passed).map(({ name }) => name);
    return [
      `- 🐞 ${codeSpan(scenario_id, 80)} on ${backendName(backend)}: ${inlineText(known_issue?.reason ?? '', 400)}`,
      `  - Known up to version ${inlineText(known_issue?.up_to ?? '', 40)}, see ${inlineText(known_issue?.link ?? '', 200)}`,
      `  - Broken: ${inlineText(broken.join('; '), 300)}`,
      `  - Page: ${codeSpan(failurePagePath({ scenario_id, backend }), 300)}`,
    ].join('\n');
  });
  return blocks(
    `## 🐞 Known Issues (${results.length})`,
    fitItems(items, { limit: 4_000, separator: '\n', more: (left) => `- ${left} more in report.json` }),
  );
}

/** Renders known issues that no longer occur: the scenario should be updated. */
export function renderGone(all: readonly ReportResult[]): string {
  const results = all.filter(isGoodNews);
  if (results.length === 0) return '';
  const items = results.map(
    (result) =>
      `- 🎉 ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)}: ${inlineText(describeGone(result), 600)}`,
  );
  return blocks(
    `## ✅ Known Issues That No Longer Occur (${results.length})`,
    fitItems(items, { limit: 2_000, separator: '\n', more: (left) => `- ${left} more in report.json` }),
  );
}
