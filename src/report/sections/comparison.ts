import type { Change, ChangeKind, Comparison } from '../../domain/report/compare.js';
import type { RateChange } from '../../domain/report/rates/rate-changes.js';
import type { Fact, Item, Line, ReportBlock } from '../content/content.js';
import {
  bulleted,
  cut,
  facts,
  listed,
  own,
  paragraph,
  quiet,
  strong,
  table,
  words,
} from '../content/content.js';
import { headAndTail } from '../text/fit.js';
import { describeGroup, describeRun, groupByCause, groupChanges, KINDS } from '../words/comparison-words.js';
import { describeOneRate, describeRateVerdict, listRateChanges, RATE_VERDICTS } from '../words/rate-words.js';

/** So many tests of a cause are named; the JSON has the others. */
const SHOWN_TESTS = 100;

/** A part of a comparison. */
interface ComparisonSection {
  readonly id: string;
  readonly mark: string;
  readonly title: string;
  readonly body: readonly ReportBlock[];
}

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
export function comparisonSections(comparison: Comparison, limit: number): ComparisonSection[] {
  const { rates } = comparison;
  return [
    ...(rates === null
      ? []
      : [
          {
            id: 'rates',
            mark: '🎲',
            title: `Rates of repeated tests (${rates.tests.length})`,
            body: rateBlocks(listRateChanges(comparison)),
          },
        ]),
    ...groupChanges(comparison).map(({ kind, changes }) => ({
      id: kind.replaceAll('_', '-'),
      mark: KINDS[kind].mark,
      title: `${KINDS[kind].title} (${changes.length})`,
      body: listGroups(kind, groupByCause(changes), limit),
    })),
  ];
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
      own(`${RATE_VERDICTS[change.verdict].mark} ${describeRateVerdict(change)}`),
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
    const { kept, left } = headAndTail(changes, SHOWN_TESTS);
    return [
      {
        line: words`${strong(own(`${changes.length} tests`))}${because}`,
        below: [listed({ kept: kept.map(nameOf), left })],
      },
    ];
  }
  const isOther = before !== null && after !== null && before !== after;
  const outcome = isOther ? words`${badge(before)} → ${badge(after)}` : badge(after ?? before);
  return [words`${outcome}${outcome !== false && own(': ')}${nameOf(first)}${because}`];
}

function badge(standing: Change['before']): Line {
  return standing !== null && { kind: 'badge', outcome: standing };
}
