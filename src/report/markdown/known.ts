import { groupBy } from '../../domain/common/group-by.js';
import { FAILURE_PAGES, failurePagePath } from '../../domain/report/failure-pages.js';
import type { ReportResult } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { describeGone, isGoodNews } from '../words/failure-words.js';
import { backendName } from '../words/words.js';
import { pageLink } from './failed.js';
import { blocks, fitItems, headAndTail } from './parts.js';

const SHOWN_BRIEFLY = 4;

/**
 * Renders promises that this version is known to break, each once. They do not fail the run, so beside a failure a
 * few links are enough.
 */
export function renderKnownIssues(
  results: readonly ReportResult[],
  { isBrief }: { isBrief: boolean },
): string {
  if (results.length === 0) return '';
  const title = `## 🐞 Known Issues (${results.length})`;
  if (isBrief) {
    const { kept, left } = headAndTail(results, SHOWN_BRIEFLY);
    const more = left > 0 ? [`${left} more in \`${FAILURE_PAGES}/\``] : [];
    return blocks(title, `${[...kept.map(pageLink), ...more].join(', ')}.`);
  }
  const items = [...groupBy(results, ({ scenario_id }) => scenario_id).values()].map((group) => {
    const [first] = group;
    const links = group.map((result) => `[${backendName(result.backend)}](${failurePagePath(result)})`);
    return `- 🐞 ${codeSpan(first?.scenario_id ?? '', 80)} on ${links.join(', ')}: ${inlineText(first?.known_issue?.reason ?? '', 400)} (known up to ${inlineText(first?.known_issue?.up_to ?? '', 40)})`;
  });
  return blocks(
    title,
    fitItems(items, { limit: 6_000, separator: '\n', more: (left) => `- ${left} more in report.json` }),
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
