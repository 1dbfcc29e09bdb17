import type { HistoryPoint, TestHistory } from '../../domain/report/rates/test-history.js';
import { testLabel } from '../../domain/vocabulary.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { formatUsd } from '../words/money-words.js';
import { nameUncounted } from '../words/rate-words.js';
import { formatInterval } from '../words/repeat-words.js';
import { countOf, formatDuration, formatShare } from '../words/words.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { renderPage } from './page/page.js';
import { folded, line } from './parts.js';

const SHOWN_RUNS = 50;
/** The tests that are drawn; a page with more is slow to read. */
const SHOWN_TESTS = 200;

/** Renders what the kept runs show about tests as one page that opens from disk. */
export function renderHistoryHtml(histories: readonly TestHistory[]): Pieces {
  const shown = histories.slice(0, SHOWN_TESTS);
  const left = histories.length - shown.length;
  const title =
    histories.length === 1 ? 'One test over time' : `${countOf(histories.length, 'test')} over time`;
  return renderPage({
    title,
    header: html`<header class="verdict passed">
<p class="kicker">End-to-end tests</p>
<h1>${title}</h1>
<p class="sentence">What the kept runs show, the least reliable test first.${left > 0 && html` ${left} more are in --json.`}</p>
</header>`,
    sections: shown.map((history, index) => ({
      id: `test-${index + 1}`,
      title: oneLine(testLabel(history.scenario_id, history.backend), 80),
      body: renderTest(history),
    })),
    script: '',
  });
}

function renderTest(history: TestHistory): Markup {
  const { lane, target_kind, points, passed, counted, rate, interval, flips } = history;
  const shown = points.slice(-SHOWN_RUNS);
  const facts = [
    `${lane} lane${target_kind === 'real' ? '' : ', stand-in'}`,
    rate === null ? nameUncounted(history) : `${passed} of ${counted} passed (${formatShare(rate)})`,
    ...(interval === null ? [] : [`95 % interval: ${formatInterval(interval)}`]),
    countOf(flips, 'flip'),
    ...(history.usual_seconds === null ? [] : [`usually ${formatDuration(history.usual_seconds)}`]),
    ...(history.usual_usd === null ? [] : [`usually ${formatUsd(history.usual_usd)}`]),
  ];
  return html`<p>${facts.join(' · ')}</p>
${folded(
  `The last ${countOf(shown.length, 'run')}`,
  html`<table><thead><tr><th scope="col">Run</th><th scope="col">Ralph</th><th scope="col">Passed</th><th scope="col">Duration</th><th scope="col">Cost</th></tr></thead><tbody>${shown.toReversed().map(renderPoint)}</tbody></table>`,
)}`;
}

function renderPoint({
  run_id,
  ralph_version,
  outcome,
  passed,
  counted,
  seconds,
  usd,
}: HistoryPoint): Markup {
  const cost = usd === null ? NOTHING : html`${formatUsd(usd)}`;
  return html`<tr><th scope="row">${line(run_id, 60)}</th><td>${line(ralph_version, 40)}</td><td>${counted > 1 ? `${passed} of ${counted}` : outcome}</td><td>${formatDuration(seconds)}</td><td>${cost}</td></tr>`;
}
