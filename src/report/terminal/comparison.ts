import { Chalk } from 'chalk';
import {
  BROKEN_BEFORE,
  BROKEN_KINDS,
  type Change,
  type ChangeKind,
  type Comparison,
} from '../../domain/report/compare.js';
import { cleanText, oneLine } from '../text/safe-text.js';
import {
  describeCause,
  describeOutcomes,
  describeRun,
  groupByCause,
  groupChanges,
  KINDS,
  nameTests,
  summarise,
} from '../words/comparison-words.js';
import { describeOneRate, describeRateVerdict, listRateChanges, RATE_VERDICTS } from '../words/rate-words.js';
import { countOf } from '../words/words.js';
import { oneLineAt, wrap, wrapTo } from './layout.js';

/** The size of a screen that shows a comparison as a whole, with the prompts around it; the most causes of one kind. */
const ROWS = 43;
const COLUMNS = { least: 60, usual: 80, most: 160 } as const;
const CAUSES = 25;

/** How changes are laid out. */
interface Layout {
  readonly columns: number;
  /** The most lines for what a check received; 0: on the line of the check. */
  readonly receivedLines: 0 | 1 | 2;
  /** Whether a cause comes with an example. */
  readonly examples: boolean;
  /** The backend of all changes, which is not repeated for each test; null if there are several. */
  readonly backend: string | null;
}

/** From what is shown if there is room for it, to what is always shown. */
const ROOM = [
  { receivedLines: 2, examples: true },
  { receivedLines: 2, examples: false },
  { receivedLines: 1, examples: false },
  { receivedLines: 0, examples: false },
] as const satisfies readonly Partial<Layout>[];

/**
 * Renders a comparison for the terminal, on one screen: tests with the same cause are one entry, and no line is longer
 * than the screen is wide.
 */
export function renderComparison(
  comparison: Comparison,
  { color, columns = 0 }: { readonly color: boolean; readonly columns?: number | undefined },
): string {
  const width = Math.min(Math.max(columns === 0 ? COLUMNS.usual : columns, COLUMNS.least), COLUMNS.most);
  const layout = { columns: width, backend: onlyBackend(comparison) };
  const chalk = new Chalk({ level: color ? 1 : 0 });
  let lines: string[] = [];
  for (const room of ROOM) {
    lines = layOut(comparison, { ...layout, ...room }, chalk);
    if (lines.length <= ROWS) break;
  }
  return lines.join('\n');
}

type Colors = InstanceType<typeof Chalk>;

function layOut(comparison: Comparison, layout: Layout, chalk: Colors): string[] {
  const { before, after, also_changed, caveats } = comparison;
  const note = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(oneLine(text, 300), { columns: layout.columns, indent: 8 });
    return [`${label.padEnd(8)}${first.trimStart()}`, ...rest];
  };
  return [
    ...note('Before:', describeRun(before)),
    ...note('After:', describeRun(after)),
    ...also_changed.map((fact) => oneLineAt(0, `Also changed: ${fact}`, layout.columns)),
    ...caveats.flatMap((caveat) => note('Mind:', caveat)).map((line) => chalk.yellow(line)),
    ...groupChanges(comparison).flatMap(({ kind, changes }) => {
      const [title = '', ...rest] = describeKind(kind, changes, layout);
      return ['', kind === 'new_failures' ? chalk.red(title) : chalk.bold(title), ...rest];
    }),
    ...renderRates(comparison, layout, chalk),
    '',
    ...(comparison.rates === null
      ? [summarise(comparison)]
      : wrap(oneLine(summarise(comparison), 600), { columns: layout.columns, indent: 0 })),
    ...(comparison.changes.new_failures.length > 0 ? ['All failed checks: --json'] : []),
  ];
}

const SHOWN_RATES = 12;

/** Renders the tests whose rates differ, and what is shown about each. */
function renderRates(comparison: Comparison, { columns }: Layout, chalk: Colors): string[] {
  const { rates } = comparison;
  if (rates === null) return [];
  const changes = listRateChanges(comparison);
  const more = changes.length - SHOWN_RATES;
  return [
    '',
    chalk.bold(`🎲 Rates of repeated tests: ${rates.tests.length}`),
    ...(changes.length === 0 ? ['  no rate differs'] : []),
    ...changes
      .slice(0, SHOWN_RATES)
      .flatMap((change) => [
        oneLineAt(
          2,
          `${RATE_VERDICTS[change.verdict].mark} ${testName(change)}: ${describeRateVerdict(change)}`,
          columns,
        ),
        oneLineAt(5, `${describeOneRate(change.before)}, now ${describeOneRate(change.after)}`, columns),
      ]),
    ...(more > 0 ? [`  … and ${more} more: see --json`] : []),
  ];
}

function testName({
  scenario_id,
  backend,
}: {
  readonly scenario_id: string;
  readonly backend: string;
}): string {
  return `${oneLine(scenario_id, 120)} on ${oneLine(backend, 40)}`;
}

function onlyBackend(comparison: Comparison): string | null {
  const [backend, ...others] = new Set(
    groupChanges(comparison).flatMap(({ changes }) => changes.map((change) => change.backend)),
  );
  return others.length === 0 ? (backend ?? null) : null;
}

function describeKind(kind: ChangeKind, changes: readonly Change[], layout: Layout): string[] {
  const groups = groupByCause(changes);
  const causes =
    BROKEN_KINDS.has(kind) && groups.length < changes.length ? `, ${countOf(groups.length, 'cause')}` : '';
  const on = layout.backend === null ? '' : `, on ${oneLine(layout.backend, 40)}`;
  const more = groups.length - CAUSES;
  return [
    `${KINDS[kind].mark} ${KINDS[kind].title}: ${changes.length}${causes}${on}`,
    ...groups.slice(0, CAUSES).flatMap((group) => describeGroup(kind, group, layout)),
    ...(more > 0 ? [`  … and ${more} more: see --json`] : []),
  ];
}

function describeGroup(kind: ChangeKind, changes: readonly Change[], layout: Layout): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const isOne = changes.length === 1;
  const who = isOne ? nameChange(kind, first, layout) : `${changes.length} tests`;
  const names = isOne ? [] : nameAsFit(changes, layout);
  const cause = describeCause(kind, first);
  if (cause === '')
    return first.detail === ''
      ? [...(isOne ? [oneLineAt(2, who, layout.columns)] : []), ...names]
      : [...describeBreak(kind, first, `${who}: `, layout), ...names];
  const example = describeBreak(kind, first, 'such as: ', { ...layout, receivedLines: 0, indent: 4 });
  return [
    ...wrapTo(layout.receivedLines + 1, `${who}: ${cause}`, { columns: layout.columns, indent: 2 }),
    ...names,
    ...(layout.examples ? example : []),
  ];
}

/** The outcomes that the title of a kind says already. */
const USUAL: Partial<Readonly<Record<ChangeKind, string>>> = {
  new_failures: 'passed, now failed',
  fixed: 'failed, now passed',
  still_failing: 'failed',
  slower: 'passed',
  iterations: 'passed',
};

function nameChange(kind: ChangeKind, change: Change, layout: Layout): string {
  const outcomes = describeOutcomes(change);
  const backend = layout.backend === null ? ` on ${oneLine(change.backend, 40)}` : '';
  const result = outcomes === '' || outcomes === USUAL[kind] ? '' : ` (${outcomes})`;
  return `${oneLine(change.scenario_id, 120)}${backend}${result}`;
}

/** Says what broke behind a label: the check, and what it received on a line of its own if both are too long for one. */
function describeBreak(
  kind: ChangeKind,
  { check, detail }: Change,
  label: string,
  layout: Layout & { readonly indent?: number },
): string[] {
  const { indent = 2 } = layout;
  const was = BROKEN_BEFORE.has(kind) ? 'was: ' : '';
  if (check === null) return [oneLineAt(indent, `${label}${detail}`, layout.columns)];
  const name = `${label}${was}${cleanText(check.name)}`;
  if (check.received === '') return [oneLineAt(indent, name, layout.columns)];
  const width = layout.columns - indent;
  const whole = `${name} (received: ${check.received})`;
  if (oneLine(whole, whole.length).length <= width) return [oneLineAt(indent, whole, layout.columns)];
  if (layout.receivedLines > 0)
    return [
      oneLineAt(indent, name, layout.columns),
      ...wrapTo(layout.receivedLines, `received: ${check.received}`, { ...layout, indent: indent + 2 }),
    ];
  const received = oneLine(check.received, Math.max(20, width - oneLine(name, width).length - 13));
  return [`${' '.repeat(indent)}${oneLine(name, width - received.length - 13)} (received: ${received})`];
}

/** Names as many tests of a group as two lines have room for. */
function nameAsFit(changes: readonly Change[], { columns, backend }: Layout): string[] {
  // A name and its comma take two columns at least.
  for (let limit = Math.min(changes.length, columns); limit > 1; limit -= 1) {
    const lines = wrap(oneLine(nameTests(changes, limit, backend !== null), 4_000), { columns, indent: 4 });
    if (lines.length <= 2) return lines;
  }
  return wrapTo(2, nameTests(changes, 1, backend !== null), { columns, indent: 4 });
}
