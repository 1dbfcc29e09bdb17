import { Chalk } from 'chalk';
import { CHANGE_KINDS, type Change, type ChangeKind, type Comparison } from '../domain/compare-reports.js';
import { blocks, table } from './markdown-parts.js';
import { codeSpan, inlineText, oneLine } from './safe-text.js';
import { countOf } from './words.js';

const TITLES: Record<ChangeKind, string> = {
  new_failures: '🔴 New failures',
  fixed: '🟢 Fixed',
  still_failing: '🟠 Still failing',
  known_issues_appeared: '🐞 Known issues that appeared',
  known_issues_gone: '🎉 Known issues that went',
  newly_flaky: '🔁 Flaky now',
  newly_skipped: '⏭️ Skipped now',
  no_longer_skipped: '▶️ No longer skipped',
  slower: '🐢 Slower',
  iterations: '🔢 Another number of iterations',
  only_before: '➖ Only in the earlier report',
  only_after: '➕ Only in the later report',
};

/** A comparison for the terminal. */
export function renderComparison(comparison: Comparison, { color }: { readonly color: boolean }): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const groups = groupsOf(comparison);
  return [
    `Before: ${oneLine(describeRun(comparison.before), 300)}`,
    `After:  ${oneLine(describeRun(comparison.after), 300)}`,
    ...comparison.caveats.map((caveat) => chalk.yellow(`Mind: ${caveat}`)),
    ...groups.flatMap(({ kind, changes }) => {
      const title = `${TITLES[kind]}: ${changes.length}`;
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

/** A comparison as a page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  return `${blocks(
    '# Comparison of two E2E runs',
    inlineText(summarise(comparison), 400),
    [
      `- **Before:** ${inlineText(describeRun(comparison.before), 300)}`,
      `- **After:** ${inlineText(describeRun(comparison.after), 300)}`,
      ...comparison.caveats.map((caveat) => `- **Mind:** ${inlineText(caveat, 300)}`),
    ].join('\n'),
    ...groupsOf(comparison).map(({ kind, changes }) =>
      blocks(
        `## ${TITLES[kind]} (${changes.length})`,
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

function groupsOf({ changes }: Comparison): { kind: ChangeKind; changes: readonly Change[] }[] {
  return CHANGE_KINDS.map((kind) => ({ kind, changes: changes[kind] })).filter(
    (group) => group.changes.length > 0,
  );
}

function describeOutcomes({ before, after }: Change): string {
  if (before === null || after === null) return before ?? after ?? '';
  return before === after ? after : `${before}, now ${after}`;
}

function describeRun({ ralph_version, lane, timestamp, results }: Comparison['before']): string {
  return `ralph ${ralph_version}, ${lane} lane, ${countOf(results, 'result')}, ${timestamp}`;
}

function summarise({ changes, unchanged }: Comparison): string {
  const { new_failures, fixed, still_failing } = changes;
  return `${countOf(new_failures.length, 'new failure')}, ${fixed.length} fixed, ${still_failing.length} still failing, ${unchanged} unchanged`;
}
