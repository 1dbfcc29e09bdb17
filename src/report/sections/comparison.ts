import { groupBy } from '../../domain/common/group-by.js';
import { CHANGE_KINDS, type Change, type ChangeKind, whereBroken } from '../../domain/report/change.js';
import type { Comparison } from '../../domain/report/compare.js';
import type { RateChange, RateVerdict } from '../../domain/report/rates/rate-changes.js';
import { headAndTail } from '../../domain/text/fit.js';
import type { Standing } from '../../domain/vocabulary.js';
import {
  bulleted,
  cut,
  type Fact,
  facts,
  type Item,
  type Line,
  listed,
  own,
  paragraph,
  quiet,
  type ReportBlock,
  type ReportSection,
  strong,
  table,
  words,
} from '../content/content.js';
import { INCONCLUSIVE, INCONCLUSIVE_MARK, nameStanding } from '../words/outcomes.js';
import { countOf, endSentence, formatShare } from '../words/words.js';
import { formatInterval } from './repeats.js';

/** What changed between two runs, for every view of a comparison. */

/** So many tests of a cause are named; the JSON has the others. */
const SHOWN_TESTS = 100;

/** Says which two runs are compared, and what else is different between them. */
export function comparisonFacts({ before, after, also_changed, caveats }: Comparison): ReportBlock[] {
  return facts([
    ['Before', cut(describeRun(before), 300)],
    ['After', cut(describeRun(after), 300)],
    ...also_changed.map((fact): Fact => ['Also changed', cut(fact, 200)]),
    ...caveats.map((caveat): Fact => ['Mind', strong(cut(caveat, 300))]),
  ]);
}

/** Lists what changed: the rates of repeated tests, then each kind of change, tests with the same cause as one entry. */
export function comparisonSections(comparison: Comparison, limit: number): ReportSection[] {
  const { rates } = comparison;
  const section = (id: string, mark: string, title: string, body: readonly ReportBlock[]) => [
    { id, mark, title, body, rank: 0 },
  ];
  const title = `Rates of repeated tests (${rates?.tests.length})`;
  return [
    ...(rates === null ? [] : section('rates', '🎲', title, rateBlocks(listRateChanges(comparison)))),
    ...CHANGE_KINDS.flatMap((kind) => {
      const changes = comparison.changes[kind];
      if (changes.length === 0) return [];
      const groups = groupByCause(changes);
      const isExplained = whereBroken(kind) !== null && groups.length < changes.length;
      const causes = isExplained ? `, ${countOf(groups.length, 'cause')}` : '';
      const { mark, title } = KINDS[kind];
      const body = listGroups(kind, groups, limit);
      // Of another selection, the names say nothing.
      if (kind.startsWith('only_') && changes.length > MOST_ALONE && !changes.some(isRed))
        return section(kind.replaceAll('_', '-'), mark, `${title} (${changes.length})`, [
          paragraph(own(`${changes.length} tests: see the JSON`)),
        ]);
      return section(kind.replaceAll('_', '-'), mark, `${title} (${changes.length})${causes}`, body);
    }),
  ];
}

/** So many tests that only one of the runs has are named. */
const MOST_ALONE = 20;

const RED: readonly Standing[] = ['failed', 'error', 'inconclusive'];

function isRed({ before, after }: Change): boolean {
  return [before, after].some((standing) => standing !== null && RED.includes(standing));
}

/** Lists groups of tests; what does not fit is counted in tests, like the title. */
function listGroups(kind: ChangeKind, groups: readonly (readonly Change[])[], limit: number): ReportBlock[] {
  const more = (left: number) => `${groups.slice(-left).flat().length} more: see the JSON`;
  return bulleted(
    groups.flatMap((group) => describeChanges(kind, group)),
    { limit, more },
  );
}

function rateBlocks(changes: readonly RateChange[]): ReportBlock[] {
  if (changes.length === 0) return [paragraph(own('No rate differs.'))];
  return table(
    ['Test', 'Before', 'After', 'Verdict'],
    changes.map((change) => [
      nameOf(change),
      own(describeOneRate(change.before)),
      own(describeOneRate(change.after)),
      own(`${RATE_VERDICTS[change.verdict]} (p = ${formatP(change.p)})`),
    ]),
  );
}

function nameOf({ scenario_id, backend }: { readonly scenario_id: string; readonly backend: string }): Line {
  return words`${strong(cut(scenario_id, 120))} on ${cut(backend, 40)}`;
}

function describeChanges(kind: ChangeKind, changes: readonly Change[]): Item[] {
  const [first] = changes;
  if (first === undefined) return [];
  const detail = describeGroup(kind, first);
  const { before, after } = first;
  const because = detail !== '' && quiet(words`: ${cut(detail, 400)}`);
  if (changes.length > 1) {
    const names = headAndTail(changes.map(nameOf), SHOWN_TESTS);
    return [{ line: words`${strong(own(`${changes.length} tests`))}${because}`, below: [listed(names)] }];
  }
  const isOther = before !== null && after !== null && before !== after;
  const outcome = isOther ? words`${badge(before)} → ${badge(after)}` : badge(after ?? before);
  return [words`${outcome}${outcome !== false && own(': ')}${nameOf(first)}${because}`];
}

function badge(standing: Change['before']): Line {
  return standing !== null && { kind: 'badge', outcome: standing };
}

/** The kinds of change for people, each with its mark. */
const KINDS = {
  new_failures: { mark: '🔴', title: 'New failures' },
  fixed: { mark: '🟢', title: 'Fixed' },
  still_failing: { mark: '🟠', title: 'Still failing' },
  newly_inconclusive: { mark: INCONCLUSIVE_MARK, title: `${nameStanding('inconclusive')} now` },
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

/** Groups changes by cause, the most frequent first. Without a cause, those belong together that say the same. */
function groupByCause(changes: readonly Change[]): (readonly Change[])[] {
  const groups = groupBy(changes, ({ cause, detail }) => cause ?? detail);
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Says why tests are or were broken, with what the first of them shows. */
function describeGroup(kind: ChangeKind, { cause, detail }: Change): string {
  if (cause === null) return detail;
  const why = `${whereBroken(kind) === 'before' ? 'was: ' : ''}${cause}`;
  return detail === '' ? why : `${endSentence(why)} Such as: ${detail}`;
}

/** Describes one of the two runs. */
function describeRun(run: Comparison['before']): string {
  const { run_id, ralph_version, build, lane, timestamp, results, passed, failed, inconclusive } = run;
  const unclear = inconclusive > 0 ? `, ${inconclusive} ${INCONCLUSIVE}` : '';
  const counts = `${countOf(results, 'result')} (${passed} passed, ${failed} failed${unclear})`;
  return `ralph ${ralph_version}${build === null ? '' : ` (${build})`}, ${lane} lane, ${counts}, run ${run_id}, ${timestamp}`;
}

/** Summarizes a comparison in one line. */
export function summarise(comparison: Comparison): string {
  const { changes, unchanged, no_verdict } = comparison;
  const rates = summariseRates(comparison);
  const { new_failures, fixed, still_failing } = changes;
  const lacking = no_verdict.length === 0 ? '' : `no verdict: ${no_verdict.join('; ')}. `;
  return `${new_failures.length > 0 ? '' : lacking}${countOf(new_failures.length, 'new failure')}, ${fixed.length} fixed, ${still_failing.length} still failing, ${unchanged} unchanged${rates === '' ? '' : `; ${rates}`}`;
}

const RATE_VERDICTS = {
  worse: '🔴 worse',
  better: '🟢 better',
  'no-evidence': '⚪ no evidence',
} as const satisfies Record<RateVerdict, string>;

/** Says what the comparison of rates shows as a whole: `rates of 12 tests: 1 worse, 0 better, 11 without evidence`. */
function summariseRates({ rates }: Comparison): string {
  if (rates === null) return '';
  const count = (verdict: RateVerdict) => rates.tests.filter((test) => test.verdict === verdict).length;
  return `rates of ${countOf(rates.tests.length, 'repeated test')}: ${count('worse')} worse, ${count('better')} better, ${count('no-evidence')} without evidence of a change`;
}

/** Describes one rate: `38 of 40 (84 to 99 %)`. */
function describeOneRate({ passed, counted, interval }: RateChange['before']): string {
  return `${passed} of ${counted} (${formatShare(passed / counted)}, interval ${formatInterval(interval)})`;
}

/** Lists the tests whose rates differ; the others have nothing to show. */
function listRateChanges({ rates }: Comparison): readonly RateChange[] {
  return (rates?.tests ?? []).filter(
    ({ before, after }) => before.passed / before.counted !== after.passed / after.counted,
  );
}

function formatP(p: number): string {
  return p < 0.0001 ? 'less than 0.0001' : p.toFixed(p < 0.01 ? 4 : 2);
}
