import { Chalk } from 'chalk';
import type { Change, Comparison } from '../domain/report/compare.js';
import { blocks, table } from './markdown/parts.js';
import { codeSpan, inlineText, oneLine } from './text/safe-text.js';
import { describeOutcomes, describeRun, groupChanges, KINDS, summarise } from './words/comparison-words.js';

/** Renders a comparison for the terminal. */
export function renderComparison(comparison: Comparison, { color }: { readonly color: boolean }): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const groups = groupChanges(comparison);
  return [
    `Before: ${oneLine(describeRun(comparison.before), 300)}`,
    `After:  ${oneLine(describeRun(comparison.after), 300)}`,
    ...comparison.caveats.map((caveat) => chalk.yellow(`Mind: ${caveat}`)),
    ...groups.flatMap(({ kind, changes }) => {
      const title = `${KINDS[kind].mark} ${KINDS[kind].title}: ${changes.length}`;
      return [
        '',
        kind === 'new_failures' ? chalk.red(title) : chalk.bold(title),
        ...changes.map(describeChange),
      ];
    }),
    '',
    summarise(comparison),
  ].join('\n');
}

function describeChange(change: Change): string {
  const { scenario_id, backend, detail } = change;
  const outcomes = describeOutcomes(change);
  return `  ${oneLine(scenario_id, 120)} on ${oneLine(backend, 40)}${outcomes === '' ? '' : ` (${outcomes})`}${detail === '' ? '' : `: ${oneLine(detail, 300)}`}`;
}

/** Renders a comparison as a Markdown page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  return `${blocks(
    '# Comparison of two E2E runs',
    inlineText(summarise(comparison), 400),
    [
      `- **Before:** ${inlineText(describeRun(comparison.before), 300)}`,
      `- **After:** ${inlineText(describeRun(comparison.after), 300)}`,
      ...comparison.caveats.map((caveat) => `- **Mind:** ${inlineText(caveat, 300)}`),
    ].join('\n'),
    ...groupChanges(comparison).map(({ kind, changes }) =>
      blocks(
        `## ${KINDS[kind].mark} ${KINDS[kind].title} (${changes.length})`,
        table(
          ['Scenario', 'Backend', 'Outcome', 'Detail'],
          changes.map((change) => [
            codeSpan(change.scenario_id, 120),
            inlineText(change.backend, 40),
            describeOutcomes(change),
            inlineText(change.detail, 400),
          ]),
        ),
      ),
    ),
  )}\n`;
}
