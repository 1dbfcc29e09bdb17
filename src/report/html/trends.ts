import type { HistoryEntry } from '../../domain/report/history.js';
import type { Report } from '../../domain/report/report.js';
import { formatDuration } from '../words/words.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { folded, line } from './parts.js';
import { formatTime } from './words.js';

const SHOWN_RUNS = 30;

/** Renders the last runs including this one, if the report knows of others. */
export function renderTrends({ history }: Report): Markup {
  if (history.length < 2) return NOTHING;
  const runs = history.slice(-SHOWN_RUNS);
  const rows = runs.toReversed().map(renderRun);
  return html`<div class="trends">
${renderTrend({ name: 'Passed', values: runs.map((run) => run.pass_rate), format: formatRate, top: 1 })}
${renderTrend({ name: 'Duration', values: runs.map((run) => run.duration_seconds), format: formatDuration })}
${renderTrend({ name: 'Cost', values: runs.map((run) => run.cost_usd), format: formatCost })}
</div>
${folded(
  `The last ${runs.length} runs`,
  html`<table><thead><tr><th scope="col">Run</th><th scope="col">Passed</th><th scope="col">Duration</th><th scope="col">Cost</th></tr></thead><tbody>${rows}</tbody></table>`,
)}`;
}

function renderRun({ timestamp, run_id, pass_rate, duration_seconds, cost_usd }: HistoryEntry): Markup {
  const cell = (value: number | null, format: (value: number) => string) =>
    html`<td>${value === null ? '–' : format(value)}</td>`;
  return html`<tr><th scope="row">${line(timestamp === '' ? run_id : formatTime(timestamp), 60)}</th>${cell(
    pass_rate,
    formatRate,
  )}${cell(duration_seconds, formatDuration)}${cell(cost_usd, formatCost)}</tr>`;
}

interface Trend {
  readonly name: string;
  /** Oldest first; null if unknown. */
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
  /** The value of a full column; by default the highest value. */
  readonly top?: number;
}

const CHART = { width: 300, height: 60 };

/** Renders a small column chart; the table below has the numbers. */
export function renderTrend({ name, values, format, top }: Trend): Markup {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  const highest = top ?? Math.max(...known, 0);
  if (last === undefined || highest <= 0) return NOTHING;
  const step = CHART.width / values.length;
  const columns = values.map((value, index) => {
    if (value === null) return null;
    const height = Math.min(CHART.height, Math.max(1, (value / highest) * CHART.height));
    return html`<rect x="${(index * step).toFixed(1)}" y="${(CHART.height - height).toFixed(1)}" width="${Math.max(1, step - 3).toFixed(1)}" height="${height.toFixed(1)}"/>`;
  });
  const label = `${name} in the last ${known.length} runs, at last ${format(last)}`;
  return html`<figure><figcaption>${name} <b>${format(last)}</b></figcaption><svg viewBox="0 0 ${CHART.width} ${CHART.height}" preserveAspectRatio="none" role="img" aria-label="${label}">${columns}</svg></figure>`;
}

/** Rounded down: 100 % means all. */
function formatRate(rate: number): string {
  return `${Math.floor(rate * 1_000) / 10} %`;
}

function formatCost(cost: number): string {
  return `$${cost.toFixed(2)}`;
}
