import { groupBy } from '../../domain/common/group-by.js';
import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import { commandAnywhere } from '../model/places.js';
import { oneLine } from '../text/safe-text.js';
import { html, type Markup } from './page.js';

/** What the parts of the page share: where tests, causes and files are, and commands that work anywhere. */
export type PageIndex = ReturnType<typeof indexPage>;

/** Finds the place of every test, cause and file. */
export function indexPage(report: Report, place: ReportPlace) {
  const { results, environment, target } = report;
  const byLabel = new Map(results.toReversed().map((result) => [labelOf(result), result]));
  const byId = groupBy(results, ({ scenario_id }) => scenario_id);
  const causes = report.causes.map((cause, index) => {
    return { cause, number: index + 1, address: `cause-${index + 1}` };
  });
  const byTest = new Map(causes.flatMap((entry) => entry.cause.tests.map((label) => [label, entry])));
  const runs = place === 'top' ? 'runs/' : '../';
  return {
    target,
    causes,
    /** The anchor of a test in the page. */
    addressOf: nameCards(results),
    /** The test with a label such as `hooks-run [claude]`, or an id that no other test has; else null. */
    testOf: (label: string): ReportResult | null => {
      const [only = null, another] = byId.get(label) ?? [];
      return byLabel.get(label) ?? (another === undefined ? only : null);
    },
    /** The cause of a failed test; null if it has none. */
    causeOf: (result: ReportResult) => byTest.get(labelOf(result)) ?? null,
    /** Returns a command of the report as it works in any folder. */
    runAnywhere: (command: string) => commandAnywhere(report, command),
    /** Renders a path, as a link if it is one of the run's own files near the report. */
    linkOf: (path: string): Markup => {
      const shown = html`<code>${oneLine(path, 400)}</code>`;
      const href = relativeLink(path, environment.workspace, runs);
      return href === null ? shown : html`<a href="${href}">${shown}</a>`;
    },
  };
}

/** Gives each test an anchor of plain characters that stays the same from run to run. */
function nameCards(results: readonly ReportResult[]): (result: ReportResult) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const result of results) {
    const plain = `test-${result.scenario_id.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 80)}-${result.backend}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    // No plain name contains a dot, so a duplicate cannot collide with another name.
    names.set(labelOf(result), count === 1 ? plain : `${plain}.${count}`);
  }
  return (result) => names.get(labelOf(result)) ?? 'tests';
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
