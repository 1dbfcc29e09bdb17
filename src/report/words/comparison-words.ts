import { groupBy } from '../../domain/common/group-by.js';
import {
  BROKEN_BEFORE,
  CHANGE_KINDS,
  type Change,
  type ChangeKind,
  type Comparison,
} from '../../domain/report/compare.js';
import { INCONCLUSIVE_MARK } from './fault-words.js';
import { summariseRates } from './rate-words.js';
import { countOf, endSentence } from './words.js';

/** Words that all views of a comparison share. */

/** The kinds of change for people, each with its mark. */
export const KINDS = {
  new_failures: { mark: '🔴', title: 'New failures' },
  fixed: { mark: '🟢', title: 'Fixed' },
  still_failing: { mark: '🟠', title: 'Still failing' },
  newly_inconclusive: { mark: INCONCLUSIVE_MARK, title: 'Inconclusive now' },
  changed_tests: { mark: '✏️', title: 'Changed tests, not compared' },
  known_issues_appeared: { mark: '🐞', title: 'Known issues that appeared' },
  known_issues_gone: { mark: '🎉', title: 'Known issues that went' },
  newly_flaky: { mark: '🔁', title: 'Flaky now' },
  newly_skipped: { mark: '⏭️', title: 'Skipped now' },
  no_longer_skipped: { mark: '▶️', title: 'No longer skipped' },
  slower: { mark: '🐢', title: 'Slower' },
  iterations: { mark: '🔢', title: 'Another number of iterations' },
  only_before: { mark: '➖', title: 'Only in the earlier report' },
  only_after: { mark: '➕', title: 'Only in the later report' },
} as const satisfies Record<ChangeKind, { readonly mark: string; readonly title: string }>;

/** Groups changes by kind, important ones first. */
export function groupChanges({ changes }: Comparison): { kind: ChangeKind; changes: readonly Change[] }[] {
  return CHANGE_KINDS.map((kind) => ({ kind, changes: changes[kind] })).filter(
    (group) => group.changes.length > 0,
  );
}

/** Groups changes by cause, the most frequent first. Without a cause, those belong together that say the same. */
export function groupByCause(changes: readonly Change[]): (readonly Change[])[] {
  const groups = groupBy(changes, ({ cause, detail }) => cause ?? detail);
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Names the tests of a group, each scenario once with its backends, or without; cuts a long list. */
export function nameTests(changes: readonly Change[], limit: number, withoutBackends = false): string {
  const named = [...groupBy(changes, ({ scenario_id }) => scenario_id)].slice(0, limit);
  const names = named
    .map(([id, on]) => (withoutBackends ? id : `${id} (${on.map(({ backend }) => backend).join(', ')})`))
    .join(', ');
  const left = changes.length - named.reduce((sum, [, on]) => sum + on.length, 0);
  return left === 0 ? names : `${names} and ${countOf(left, 'more test')}`;
}

/** Says why tests are or were broken; empty if the report does not say. */
export function describeCause(kind: ChangeKind, { cause }: Change): string {
  return cause === null ? '' : `${BROKEN_BEFORE.has(kind) ? 'was: ' : ''}${cause}`;
}

/** Says why tests are or were broken, with what the first of them shows. */
export function describeGroup(kind: ChangeKind, first: Change): string {
  const cause = describeCause(kind, first);
  if (cause === '' || first.detail === '') return `${cause}${first.detail}`;
  return `${endSentence(cause)} Such as: ${first.detail}`;
}

/** Describes the outcomes of a test; empty if neither report has one. */
export function describeOutcomes({ before, after }: Change): string {
  if (before === null || after === null) return before ?? after ?? '';
  return before === after ? after : `${before}, now ${after}`;
}

/** Describes one of the two runs. */
export function describeRun(run: Comparison['before']): string {
  const { run_id, ralph_version, lane, timestamp, results, passed, failed, inconclusive } = run;
  const unclear = inconclusive > 0 ? `, ${inconclusive} inconclusive` : '';
  const counts = `${countOf(results, 'result')} (${passed} passed, ${failed} failed${unclear})`;
  return `ralph ${ralph_version}, ${lane} lane, ${counts}, run ${run_id}, ${timestamp}`;
}

/** Summarizes a comparison in one line. */
export function summarise(comparison: Comparison): string {
  const { changes, unchanged, no_verdict } = comparison;
  const rates = summariseRates(comparison);
  const { new_failures, fixed, still_failing } = changes;
  const lacking = no_verdict.length === 0 ? '' : `no verdict: ${no_verdict.join('; ')}. `;
  return `${new_failures.length > 0 ? '' : lacking}${countOf(new_failures.length, 'new failure')}, ${fixed.length} fixed, ${still_failing.length} still failing, ${unchanged} unchanged${rates === '' ? '' : `; ${rates}`}`;
}
