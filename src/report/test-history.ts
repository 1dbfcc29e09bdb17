import { shortHash } from '../domain/attempt.js';
import type { HistoryPoint, TestHistory } from '../domain/report/rates/test-history.js';
import { labelOf } from '../domain/report/result.js';
import { cut, facts, heading, own, paragraph, type ReportBlock, table } from './content/content.js';
import { formatInterval } from './sections/repeats.js';
import { writeTerminal } from './terminal/write.js';
import { countOf, formatDuration, formatShare, formatUsd } from './words/words.js';

/** The runs that are shown; older ones count all the same. */
const SHOWN_RUNS = 30;

const LEGEND =
  'One mark for each run, the latest last: █ all passed, ▄ some passed, ▁ none passed, · none counts';

/** Renders a line for each test: how often it passed, its flips, its usual time and cost, and a mark for each run. */
export function renderHistoryList(histories: readonly TestHistory[], columns: number): string {
  const rows = histories.map((history) => [
    cut(labelOf(history), 60),
    own(describeLane(history)),
    own(describePasses(history)),
    history.flips,
    own(history.usual_seconds === null ? '' : formatDuration(history.usual_seconds)),
    own(history.usual_usd === null ? '' : formatUsd(history.usual_usd)),
    own(plotOutcomes(history.points)),
  ]);
  const list = table(['Test', 'Lane', 'Passed', 'Flips', 'Usually', 'Cost', 'Runs'], rows);
  return [...writeTerminal(list, { columns }), '', LEGEND].join('\n');
}

/** Renders everything about one test: its figures, and a line for each run. */
export function renderHistoryOf(histories: readonly TestHistory[], columns: number): string {
  const each = histories.map((history) => writeTerminal(describeHistory(history), { columns }).join('\n'));
  return [...each, LEGEND].join('\n\n');
}

function describeHistory(history: TestHistory): ReportBlock[] {
  const { points, interval, flips, usual_seconds, usual_usd } = history;
  const shown = points.slice(-SHOWN_RUNS);
  const range = interval === null ? '' : `, 95 % interval: ${formatInterval(interval)}`;
  const usual = [
    ...(usual_seconds === null ? [] : [formatDuration(usual_seconds)]),
    ...(usual_usd === null ? [] : [formatUsd(usual_usd)]),
  ];
  return [
    heading(3, cut(`${labelOf(history)}, ${describeLane(history)}, ${countOf(points.length, 'run')}`, 200)),
    ...facts([
      ['Passed', own(`${describePasses(history)}${range}`)],
      ['Flips', flips],
      ['Usually', own(usual.join(', '))],
      ['Runs', own(plotOutcomes(shown))],
    ]),
    paragraph(''),
    ...table(
      ['Run', 'Ralph', 'Time', 'Cost', 'Outcome'],
      shown.map(({ run_id, ralph_version, ralph_sha256, seconds, usd, outcome, passed, counted }) => [
        cut(run_id, 60),
        cut(`${ralph_version}${ralph_sha256 === null ? '' : ` ${shortHash(ralph_sha256)}`}`, 60),
        own(formatDuration(seconds)),
        own(usd === null ? '' : formatUsd(usd)),
        own(counted > 1 ? `${outcome}, ${passed} of ${counted}` : outcome),
      ]),
    ),
  ];
}

function describeLane({ lane, target_kind }: TestHistory): string {
  return target_kind === 'real' ? lane : `${lane} (stand-in)`;
}

/** Says how often a test passed; if no run counts, why. */
function describePasses({ passed, counted, rate, points }: TestHistory): string {
  if (rate !== null) return `${passed} of ${counted} (${formatShare(rate)})`;
  return points.at(-1)?.outcome === 'known-issue' ? 'known issue' : 'none counts';
}

function plotOutcomes(points: readonly HistoryPoint[]): string {
  return points
    .slice(-SHOWN_RUNS)
    .map(({ passed, counted }) => {
      if (counted === 0) return '·';
      if (passed === counted) return '█';
      return passed === 0 ? '▁' : '▄';
    })
    .join('');
}
