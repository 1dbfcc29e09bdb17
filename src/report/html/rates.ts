import type { Comparison } from '../../domain/report/compare.js';
import { P_LIMIT, type RateChange } from '../../domain/report/rates/rate-changes.js';
import { describeOneRate, describeRateVerdict, RATE_VERDICTS } from '../words/rate-words.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, drawDot, fitList, line } from './parts.js';

const LIMIT = 200_000;
const CHART = { width: 400, row: 16 } as const;

/** Renders the rates of tests that were repeated in both runs, each with its two intervals drawn on one scale. */
export function renderRates({ rates }: Comparison): Markup {
  if (rates === null) return NOTHING;
  const items = fitList(rates.tests.map(renderChange), {
    limit: LIMIT,
    more: (left) => html`<span class="quiet">${left} more: see the JSON</span>`,
  });
  return html`<p>Each line is a 95 % interval from 0 to 100 %, with the measured rate as a dot: before above, after below. A change counts if p is at most ${P_LIMIT}.</p>
${bulletList(items, 'attention')}`;
}

function renderChange(change: RateChange): Markup {
  const { scenario_id, backend, before, after, verdict } = change;
  const tone = { worse: 'failed', better: 'passed', 'no-evidence': 'skipped' }[verdict];
  return html`<span class="badge ${tone}">${RATE_VERDICTS[verdict].word}</span> <strong>${line(scenario_id, 120)}</strong> <span class="quiet">on ${line(backend, 40)}: ${describeOneRate(before)}, now ${describeOneRate(after)}: ${describeRateVerdict(change)}</span>${drawIntervals(change)}`;
}

function drawIntervals({ before, after }: RateChange): Markup {
  const height = 2 * CHART.row;
  const label = `Before ${describeOneRate(before)}, after ${describeOneRate(after)}`;
  const room = CHART.width - 10;
  const at = (rate: number) => (5 + rate * room).toFixed(1);
  const rows = [before, after].map(({ passed, counted, interval }, index) => {
    const y = CHART.row * (index + 0.5);
    const thick = index === 0 ? 1 : 3;
    const width = ((interval.high - interval.low) * room).toFixed(1);
    return html`<rect x="${at(interval.low)}" y="${y - thick / 2}" width="${width}" height="${thick}" fill="currentColor"/>${drawDot(Number(at(passed / counted)), y)}`;
  });
  return html`<br><svg width="${CHART.width}" height="${height}" viewBox="0 0 ${CHART.width} ${height}" role="img" aria-label="${label}"><rect x="5" y="${height - 1}" width="${room}" height="1" fill="currentColor" fill-opacity="0.3"/>${rows}</svg>`;
}
