import type { HistoryPoint, TestHistory } from '../../../domain/report/rates/test-history.js';
import { testLabel } from '../../../domain/vocabulary.js';
import { oneLine } from '../../text/safe-text.js';
import { formatUsd } from '../../words/money-words.js';
import { nameUncounted } from '../../words/rate-words.js';
import { formatInterval } from '../../words/repeat-words.js';
import { countOf, formatDuration, formatShare } from '../../words/words.js';

/** The runs that are drawn; older ones count all the same. */
const SHOWN_RUNS = 30;

/** Renders one line for each test: how often it passed, its flips, its usual time and cost, and a plot. */
export function renderHistoryList(histories: readonly TestHistory[]): string {
  const lanes = new Set(histories.map(describeLane));
  const rows = histories.map((history) => [
    oneLine(testLabel(history.scenario_id, history.backend), 60),
    lanes.size === 1 ? '' : describeLane(history),
    describePasses(history),
    history.flips === 0 ? '' : countOf(history.flips, 'flip'),
    history.usual_seconds === null ? '' : `usually ${formatDuration(history.usual_seconds)}`,
    history.usual_usd === null ? '' : formatUsd(history.usual_usd),
    plotOutcomes(history.points),
  ]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .filter((_, column) => (widths[column] ?? 0) > 0)
      .join('  ')
      .trimEnd(),
  );
  return [...(lanes.size === 1 ? [`Lane: ${[...lanes].join()}`, ''] : []), ...lines, '', LEGEND].join('\n');
}

/** Renders everything about one test: its figures, a plot of rates, times and costs, and a line for each run. */
export function renderHistoryOf(histories: readonly TestHistory[]): string {
  return histories.map(renderOne).join('\n\n');
}

const LEGEND =
  'One mark for each run, the latest last: █ all passed, ▄ some passed, ▁ none passed, · none counts';

function renderOne(history: TestHistory): string {
  const { scenario_id, backend, points, interval, flips, usual_seconds, usual_usd } = history;
  const shown = points.slice(-SHOWN_RUNS);
  const costs = shown.flatMap(({ usd }) => usd ?? []);
  const range = (values: readonly number[], format: (value: number) => string) =>
    `${format(Math.min(...values))} to ${format(Math.max(...values))}`;
  const times = shown.map(({ seconds }) => seconds);
  return [
    `${oneLine(testLabel(scenario_id, backend), 120)}, ${describeLane(history)}, ${countOf(points.length, 'run')}`,
    `  Passed:  ${describePasses(history)}${interval === null ? '' : `, 95 % interval: ${formatInterval(interval)}`}`,
    `  Flips:   ${flips}`,
    ...(usual_seconds === null
      ? []
      : [
          `  Usually: ${formatDuration(usual_seconds)}${usual_usd === null ? '' : `, ${formatUsd(usual_usd)}`}`,
        ]),
    '',
    `  Rate  ${plotOutcomes(shown)}`,
    `  Time  ${plotValues(times)}  ${range(times, formatDuration)}`,
    ...(costs.length === 0 ? [] : [`  Cost  ${plotValues(costs)}  ${range(costs, formatUsd)}`]),
    '',
    ...shown.map(describePoint),
    '',
    LEGEND,
  ].join('\n');
}

function describePoint({
  run_id,
  ralph_version,
  outcome,
  passed,
  counted,
  seconds,
  usd,
}: HistoryPoint): string {
  const rate = counted > 1 ? `${outcome}, ${passed} of ${counted}` : outcome;
  const cost = usd === null ? '' : `  ${formatUsd(usd)}`;
  return `  ${oneLine(run_id, 60)}  ${oneLine(ralph_version, 40)}  ${formatDuration(seconds).padStart(7)}  ${rate}${cost}`;
}

function describeLane({ lane, target_kind }: TestHistory): string {
  return target_kind === 'real' ? lane : `${lane} (stand-in)`;
}

function describePasses(history: TestHistory): string {
  const { passed, counted, rate } = history;
  return rate === null ? nameUncounted(history) : `${passed} of ${counted} (${formatShare(rate)})`;
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

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

function plotValues(values: readonly number[]): string {
  const top = Math.max(...values);
  return values
    .map((value) => {
      const level = top === 0 ? 0 : Math.round((value / top) * (LEVELS.length - 1));
      return LEVELS[Math.min(level, LEVELS.length - 1)] ?? '▁';
    })
    .join('');
}
