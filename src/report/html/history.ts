import type { HistoryPoint, TestHistory } from '../../domain/report/rates/test-history.js';
import { testLabel } from '../../domain/vocabulary.js';
import type { Line } from '../content/content.js';
import { cut, fold, own, paragraph, table } from '../content/content.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { formatUsd } from '../words/money-words.js';
import { nameUncounted } from '../words/rate-words.js';
import { formatInterval } from '../words/repeat-words.js';
import { countOf, formatDuration, formatShare } from '../words/words.js';
import { writeHtml } from './content.js';
import { html, type Markup } from './page/markup.js';
import { renderPage } from './page/page.js';

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
  const title = `The last ${countOf(shown.length, 'run')}`;
  const runs = table(['Run', 'Ralph', 'Passed', 'Duration', 'Cost'], shown.toReversed().map(describePoint));
  return writeHtml([paragraph(own(facts.join(' · '))), ...fold('', title, runs)], null);
}

function describePoint(point: HistoryPoint): Line[] {
  const { run_id, ralph_version, outcome, passed, counted, seconds, usd } = point;
  return [
    cut(run_id, 60),
    cut(ralph_version, 40),
    own(counted > 1 ? `${passed} of ${counted}` : outcome),
    own(formatDuration(seconds)),
    own(usd === null ? '' : formatUsd(usd)),
  ];
}
