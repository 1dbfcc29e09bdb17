import { groupBy } from '../../../domain/common/group-by.js';
import type { FailureCause } from '../../../domain/report/failure-cause.js';
import type { Report, ReportResult } from '../../../domain/report/report.js';
import { testLabel } from '../../../domain/vocabulary.js';
import { commandAnywhere } from '../../model/places.js';

/** Returns the anchor of a test in the page. */
export type AddressOf = (result: ReportResult) => string;

/** A cause, its number in the page and its anchor. */
interface NumberedCause {
  readonly cause: FailureCause;
  readonly number: number;
  readonly address: string;
}

/** What the parts of the page share: where tests and causes are, and commands that work anywhere. */
export interface PageIndex {
  readonly addressOf: AddressOf;
  /** The test with a label such as `hooks-run [claude]`, or with an id that no other test has; null if there is none. */
  readonly testOf: (label: string) => ReportResult | null;
  /** The cause of a failed test; null if it has none. */
  readonly causeOf: (result: ReportResult) => NumberedCause | null;
  readonly causes: readonly NumberedCause[];
  /** Returns a command of the report as it works in any folder. */
  readonly runAnywhere: (command: string) => string;
  readonly target: Report['target'];
}

/** Finds the place of every test and every cause. */
export function indexPage(report: Report): PageIndex {
  const { results, causes } = report;
  const byLabel = new Map<string, ReportResult>();
  for (const result of results) {
    const label = testLabel(result.scenario_id, result.backend);
    if (!byLabel.has(label)) byLabel.set(label, result);
  }
  const byId = groupBy(results, ({ scenario_id }) => scenario_id);
  const ofId = (id: string) => {
    const [only = null, another] = byId.get(id) ?? [];
    return another === undefined ? only : null;
  };
  const numbered = causes.map((cause, index) => ({
    cause,
    number: index + 1,
    address: `cause-${index + 1}`,
  }));
  const byTest = new Map(numbered.flatMap((entry) => entry.cause.tests.map((label) => [label, entry])));
  return {
    addressOf: nameCards(results),
    testOf: (label) => byLabel.get(label) ?? ofId(label),
    causeOf: ({ scenario_id, backend }) => byTest.get(testLabel(scenario_id, backend)) ?? null,
    causes: numbered,
    runAnywhere: (command) => commandAnywhere(report, command),
    target: report.target,
  };
}

/** Gives each test an anchor of plain characters that stays the same from run to run. */
function nameCards(results: readonly ReportResult[]): AddressOf {
  const names = new Map<ReportResult, string>();
  const counts = new Map<string, number>();
  for (const result of results) {
    const plain = `test-${result.scenario_id.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 80)}-${result.backend}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    // No plain name contains a dot, so a duplicate cannot collide with another name.
    names.set(result, count === 1 ? plain : `${plain}.${count}`);
  }
  return (result) => names.get(result) ?? 'tests';
}
