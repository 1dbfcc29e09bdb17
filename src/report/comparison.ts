import { Chalk } from 'chalk';
import { BROKEN_KINDS, type Change, type Comparison } from '../domain/report/compare.js';
import { blocks, table } from './markdown/parts.js';
import { codeSpan, inlineText, oneLine } from './text/safe-text.js';
import {
  type CauseGroup,
  describeOutcomes,
  describeRun,
  groupByCause,
  groupChanges,
  KINDS,
  nameTests,
  summarise,
} from './words/comparison-words.js';
import { countOf } from './words/words.js';

/** How much of a comparison fits on one screen: causes of each kind, names of tests in a group, letters of a detail. */
const CAUSES = 25;
const NAMES = 6;
const DETAIL = 150;

/** Renders a comparison for the terminal, on one screen: tests with the same cause are one entry. */
export function renderComparison(comparison: Comparison, { color }: { readonly color: boolean }): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return [
    `Before: ${oneLine(describeRun(comparison.before), 300)}`,
    `After:  ${oneLine(describeRun(comparison.after), 300)}`,
    ...comparison.also_changed.map((fact) => `Also changed: ${oneLine(fact, 200)}`),
    ...comparison.caveats.map((caveat) => chalk.yellow(`Mind: ${oneLine(caveat, 300)}`)),
    ...groupChanges(comparison).flatMap(({ kind, changes }) => {
      const groups = groupByCause(changes);
      const causes =
        BROKEN_KINDS.has(kind) && groups.length < changes.length
          ? `, ${countOf(groups.length, 'cause')}`
          : '';
      const title = `${KINDS[kind].mark} ${KINDS[kind].title}: ${changes.length}${causes}`;
      const more = groups.length - CAUSES;
      return [
        '',
        kind === 'new_failures' ? chalk.red(title) : chalk.bold(title),
        ...groups.slice(0, CAUSES).flatMap(describeGroup),
        ...(more > 0 ? [`  … and ${more} more: see --json`] : []),
      ];
    }),
    '',
    summarise(comparison),
  ].join('\n');
}

function describeGroup({ changes }: CauseGroup): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  if (changes.length === 1) return [describeChange(first)];
  const example = first.detail === '' ? '' : `: ${oneLine(first.detail, DETAIL)}`;
  return [`  ${changes.length} tests${example}`, `    ${oneLine(nameTests(changes, NAMES), 600)}`];
}

function describeChange(change: Change): string {
  const { scenario_id, backend, detail } = change;
  const outcomes = describeOutcomes(change);
  return `  ${oneLine(scenario_id, 120)} on ${oneLine(backend, 40)}${outcomes === '' ? '' : ` (${outcomes})`}${detail === '' ? '' : `: ${oneLine(detail, DETAIL)}`}`;
}

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
          groupByCause(changes).map((group) => describeRow(group)),
        ),
      ),
    ),
  )}\n`;
}

function describeRow({ changes }: CauseGroup): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const tests = changes.length === 1 ? '' : `${changes.length} tests: `;
  return [
    `${tests}${changes.map(({ scenario_id, backend }) => `${codeSpan(scenario_id, 120)} on ${inlineText(backend, 40)}`).join(', ')}`,
    describeOutcomes(first),
    inlineText(first.detail, 400),
  ];
}
