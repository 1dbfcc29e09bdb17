import type { Report } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { oneLine } from '../text/safe-text.js';
import {
  type ArmedResult,
  CHECK_GROUPS,
  describeArm,
  describeFigures,
  describeWithout,
  listCompared,
} from '../words/baseline-words.js';
import type { PageIndex } from './page/address.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, factList, fitList, line } from './parts.js';

const LIMIT = 60_000;

/** Renders each test next to itself without the plugins. */
export function renderBaselineSection(report: Report, { addressOf }: PageIndex): Markup {
  const compared = listCompared(report);
  if (compared.length === 0) return NOTHING;
  const items = compared.map((result) => renderTest(result, report, addressOf(result)));
  return html`<p>The same tests without their plugins: ${describeArm(compared)}. This arm does not count for the verdict.</p>
${bulletList(fitList(items, { limit: LIMIT, more: (left) => html`<span class="quiet">${left} more: see report.json</span>` }))}`;
}

function renderTest(result: ArmedResult, report: Report, address: string): Markup {
  const { scenario_id, backend, baseline } = result;
  const groups = CHECK_GROUPS.filter(([key]) => baseline[key].length > 0).map(
    ([key, title]) => [title, line(baseline[key].join('; '), 600)] as const,
  );
  return html`<a href="#${address}">${oneLine(testLabel(scenario_id, backend), 100)}</a> ${line(describeWithout(result), 300)} <span class="quiet">${line(describeFigures(result, report), 300)}</span>${factList(groups)}`;
}
