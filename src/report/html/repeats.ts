import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { oneLine } from '../text/safe-text.js';
import {
  DEFECT,
  describeFailedRepeats,
  describeRate,
  describeThreshold,
  describeTotals,
  listSpread,
} from '../words/repeat-words.js';
import type { PageIndex } from './page/address.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, drawDot, fitList, line } from './parts.js';

const LIMIT = 60_000;
const CHART = { width: 200, height: 12 } as const;

/** Renders what the repeats of each test show, each with its interval drawn from 0 to 100 %. */
export function renderRepeatsSection({ repeat, results }: Report, { addressOf }: PageIndex): Markup {
  if (repeat === null) return NOTHING;
  const tests = results
    .filter(({ repeats }) => repeats !== null)
    .toSorted((a, b) => (a.repeats?.rate ?? 0) - (b.repeats?.rate ?? 0));
  const items = tests.map((result) => renderTest(result, repeat.threshold, addressOf(result)));
  return html`<p>${describeTotals(repeat)}.</p>
${bulletList(fitList(items, { limit: LIMIT, more: (left) => html`<span class="quiet">${left} more: see report.json</span>` }))}`;
}

function renderTest(
  { scenario_id, backend, repeats }: ReportResult,
  threshold: number | null,
  address: string,
): Markup {
  if (repeats === null) return NOTHING;
  const facts = [
    describeThreshold(repeats, threshold),
    describeFailedRepeats(repeats),
    repeats.defect ? DEFECT : '',
    repeats.left_reason ?? '',
    ...listSpread(repeats).map(({ name, text }) => `${name} ${text}`),
  ].filter((fact) => fact !== '');
  return html`<a href="#${address}">${oneLine(testLabel(scenario_id, backend), 100)}</a> ${drawInterval(repeats)} ${describeRate(repeats)} <span class="quiet">${line(facts.join('; '), 600)}</span>`;
}

function drawInterval({ rate, interval }: NonNullable<ReportResult['repeats']>): Markup {
  if (rate === null || interval === null) return NOTHING;
  const at = (share: number) => (4 + share * (CHART.width - 8)).toFixed(1);
  const middle = CHART.height / 2;
  const bar = (from: number, to: number, height: number) =>
    html`x="${at(from)}" y="${middle - height / 2}" width="${((to - from) * (CHART.width - 8)).toFixed(1)}" height="${height}" fill="currentColor"`;
  return html`<svg width="${CHART.width}" height="${CHART.height}" viewBox="0 0 ${CHART.width} ${CHART.height}" aria-hidden="true"><rect ${bar(0, 1, 1)} fill-opacity="0.3"/><rect ${bar(interval.low, interval.high, 3)}/>${drawDot(Number(at(rate)), middle)}</svg>`;
}
