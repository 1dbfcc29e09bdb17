import type { ChangeKind, Comparison } from '../../domain/report/compare.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import {
  type CauseGroup,
  describeOutcomes,
  describeRun,
  describeShared,
  groupByCause,
  groupChanges,
  KINDS,
  summarise,
} from '../words/comparison-words.js';
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

function describeRow(kind: ChangeKind, { changes }: CauseGroup): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const tests = changes.length === 1 ? '' : `${changes.length} tests: `;
  return [
    `${tests}${changes.map(({ scenario_id, backend }) => `${codeSpan(scenario_id, 120)} on ${inlineText(backend, 40)}`).join(', ')}`,
    describeOutcomes(first),
    inlineText([describeShared(kind, first), first.detail].filter(Boolean).join(', such as: '), 400),
  ];
}
