import { groupBy } from '../../domain/common/group-by.js';
import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { testLabel } from '../../domain/vocabulary.js';
import { commandAnywhere } from '../model/places.js';
import { oneLine } from '../text/safe-text.js';
import { html, type Markup } from './page.js';

/** A cause, its number in the page and its anchor. */
interface NumberedCause {
  readonly cause: FailureCause;
  readonly number: number;
  readonly address: string;
}

/** What the parts of the page share: where tests, causes and files are, and commands that work anywhere. */
export interface PageIndex {
  /** The anchor of a test in the page. */
  readonly addressOf: (result: ReportResult) => string;
  /** The test with a label such as `hooks-run [claude]`, or with an id that no other test has; null if there is none. */
  readonly testOf: (label: string) => ReportResult | null;
  /** The cause of a failed test; null if it has none. */
  readonly causeOf: (result: ReportResult) => NumberedCause | null;
  readonly causes: readonly NumberedCause[];
  /** Returns a command of the report as it works in any folder. */
  readonly runAnywhere: (command: string) => string;
  /** Renders a path, as a link if it is one of the run's own files near the report. */
  readonly linkOf: (path: string, name?: string) => Markup;
  readonly target: Report['target'];
}

/** Finds the place of every test, cause and file. */
export function indexPage(report: Report, place: ReportPlace): PageIndex {
  const { results, causes, environment } = report;
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
  const runs = place === 'top' ? 'runs/' : '../';
  return {
    addressOf: nameCards(results),
    testOf: (label) => byLabel.get(label) ?? ofId(label),
    causeOf: ({ scenario_id, backend }) => byTest.get(testLabel(scenario_id, backend)) ?? null,
    causes: numbered,
    runAnywhere: (command) => commandAnywhere(report, command),
    linkOf: (path, name) => {
      const shown = name === undefined ? html`<code>${oneLine(path, 400)}</code>` : html`${name}`;
      const href = relativeLink(path, environment.workspace, runs);
      return href === null ? shown : html`<a href="${href}">${shown}</a>`;
    },
    target: report.target,
  };
}

/** Gives each test an anchor of plain characters that stays the same from run to run. */
function nameCards(results: readonly ReportResult[]): PageIndex['addressOf'] {
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

/**
 * Returns the link to a file below `runs/`, relative to the report. Anything else gets none: workspaces contain what
 * agents wrote, and a path that is not made of plain names could leave the folder or not be a path at all.
 */
function relativeLink(path: string, root: string, runs: string): string | null {
  const inside = `${root}/runs/`;
  if (root === '' || !path.startsWith(inside)) return null;
  const names = path.slice(inside.length).split('/');
  const plain = names.every((name) => /^[\w@+-][\w.@+-]*$/.test(name));
  return plain ? `${runs}${names.join('/')}` : null;
}
