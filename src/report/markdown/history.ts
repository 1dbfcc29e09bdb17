import { involvesRalph } from '../../domain/attempt.js';
import type { HistoryEntry } from '../../domain/report/history.js';
import type { Report } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { countOf, formatDuration, formatShare } from '../words/words.js';
import { blocks, table } from './parts.js';

const SHOWN_RUNS = 10;

/** Renders this run next to earlier ones in the same lane on the same kind of target. */
export function renderHistory({ history, lane, target }: Report): string {
  if (history.length < 2) return '';
  const shown = history.slice(-SHOWN_RUNS);
  const left = history.length - shown.length;
  const hasRalph = involvesRalph(target);
  const rows = shown.map((entry, index) => [
    `${codeSpan(entry.run_id, 80)}${index === shown.length - 1 ? ' (this run)' : ''}`,
    ...(hasRalph ? [inlineText(entry.ralph_version, 60)] : []),
    describeShare(entry),
    formatDuration(entry.duration_seconds),
    entry.cost_usd === null ? '-' : `$${entry.cost_usd.toFixed(4)}`,
  ]);
  return blocks(
    '## 📈 History',
    `Runs in the ${lane} lane${hasRalph ? ` on ${target.kind === 'real' ? 'a real ralph' : 'the stand-in'}` : ''}, oldest first. They may have run different tests.`,
    table(['Run', ...(hasRalph ? ['Ralph'] : []), 'Passed', 'Duration', 'Cost'], rows),
    left > 0 ? `${countOf(left, 'older run')} in report.json.` : '',
  );
}

function describeShare({ passed_tests, total, pass_rate }: HistoryEntry): string {
  return pass_rate === null
    ? 'nothing passed or failed'
    : `${passed_tests} of ${total} (${formatShare(pass_rate)})`;
}
