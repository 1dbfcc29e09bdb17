import type { Change, ChangeKind, Comparison } from '../../domain/report/compare.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import {
  describeGroup,
  describeOutcomes,
  describeRun,
  groupByCause,
  groupChanges,
  KINDS,
  summarise,
} from '../words/comparison-words.js';
import { describeOneRate, describeRateVerdict, listRateChanges, RATE_VERDICTS } from '../words/rate-words.js';
import { blocks, table } from './parts.js';

/** Renders a comparison as a Markdown page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  return `${blocks(
    '# Comparison of two E2E runs',
    inlineText(summarise(comparison), 400),
    [
      `- **Before:** ${inlineText(describeRun(comparison.before), 300)}`,
      `- **After:** ${inlineText(describeRun(comparison.after), 300)}`,
      ...comparison.also_changed.map((fact) => `- **Also changed:** ${inlineText(fact, 200)}`),
      ...comparison.caveats.map((caveat) => `- **Mind:** ${inlineText(caveat, 300)}`),
    ].join('\n'),
    renderRates(comparison),
    ...groupChanges(comparison).map(({ kind, changes }) =>
      blocks(
        `## ${KINDS[kind].mark} ${KINDS[kind].title} (${changes.length})`,
        table(
          ['Tests', 'Outcome', 'Detail'],
          groupByCause(changes).map((group) => describeRow(kind, group)),
        ),
      ),
    ),
  )}\n`;
}

function renderRates(comparison: Comparison): string {
  if (comparison.rates === null) return '';
  const rows = listRateChanges(comparison).map((change) => [
    `${codeSpan(change.scenario_id, 120)} on ${inlineText(change.backend, 40)}`,
    describeOneRate(change.before),
    describeOneRate(change.after),
    `${RATE_VERDICTS[change.verdict].mark} ${describeRateVerdict(change)}`,
  ]);
  return blocks(
    `## 🎲 Rates of repeated tests (${comparison.rates.tests.length})`,
    rows.length === 0 ? 'No rate differs.' : table(['Test', 'Before', 'After', 'Verdict'], rows),
  );
}

function describeRow(kind: ChangeKind, changes: readonly Change[]): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const tests = changes.length === 1 ? '' : `${changes.length} tests: `;
  return [
    `${tests}${changes.map(({ scenario_id, backend }) => `${codeSpan(scenario_id, 120)} on ${inlineText(backend, 40)}`).join(', ')}`,
    describeOutcomes(first),
    inlineText(describeGroup(kind, first), 400),
  ];
}
