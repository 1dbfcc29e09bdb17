import { groupBy } from '../../domain/common/group-by.js';
import type { Recommendation } from '../../domain/report/analysis.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { headAndTail } from '../markdown/parts.js';
import { describeGone, isGoodNews } from '../words/failure-words.js';
import { backendName } from '../words/words.js';
import type { AddressOf, PageIndex } from './page/address.js';
import { testLinks } from './page/links.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, code, commandBox, fitList, folded, line } from './parts.js';

const SEVERITIES = ['Critical', 'Warning', 'Info'] as const satisfies readonly Recommendation['severity'][];

/** Up to so many commands for single tests are shown at once. */
const SHOWN_COMMANDS = 2;

/** Renders one command for everything that failed, what to do besides, and the commands for single tests. */
export function renderAdvice(report: Report, index: PageIndex): Markup {
  const items = SEVERITIES.flatMap((severity) =>
    report.recommendations
      .filter((item) => item.severity === severity && !isCause(item, report))
      .map((item) => renderRecommendation(item, index)),
  );
  return html`${renderCommands(report, index)}${bulletList(fitList(items, { limit: 100_000, more }), 'advice')}`;
}

/** Whether a recommendation repeats an entry of the causes. */
function isCause({ affected_tests }: Recommendation, { causes }: Report): boolean {
  const tests = new Set(affected_tests);
  return causes.some(
    (cause) => cause.tests.length === tests.size && cause.tests.every((label) => tests.has(label)),
  );
}

function renderCommands({ quick_fix_commands, results }: Report, { runAnywhere }: PageIndex): Markup {
  const single = new Set(results.map(({ repeat_command }) => repeat_command));
  const whole = quick_fix_commands.filter(({ command }) => !single.has(command));
  const rest = quick_fix_commands.filter(({ command }) => single.has(command));
  const list = (commands: typeof rest) =>
    bulletList(
      fitList(
        commands.map(
          ({ description, command }) =>
            html`<p>${line(description, 200)}</p>${commandBox(runAnywhere(command))}`,
        ),
        { limit: 60_000, more },
      ),
      'commands',
    );
  if (whole.length === 0 && rest.length <= SHOWN_COMMANDS) return list(rest);
  return html`${list(whole)}${rest.length > 0 && folded('Commands for single tests', list(rest), String(rest.length))}`;
}

function renderRecommendation(item: Recommendation, index: PageIndex): Markup {
  const { kept, left } = headAndTail([...new Set(item.affected_tests)], 12);
  return html`<span class="severity ${item.severity.toLowerCase()}">${item.severity}</span> <strong>${line(item.title, 160)}</strong> <span class="quiet">${line(item.category, 40)}</span>
<p>${line(item.description, 400)}</p>
${item.suggested_fix !== null && html`<p class="hint">${line(item.suggested_fix, 400)}</p>`}
${kept.length > 0 && html`<p class="quiet">Affects ${testLinks(kept, index)}${left > 0 && `, ${left} more`}</p>`}`;
}

function more(left: number): Content {
  return html`<span class="quiet">${left} more in report.json</span>`;
}

/** Renders promises that this version is known to break, and those that it now keeps. They do not fail the run. */
export function renderKnownIssuesSection(report: Report, { addressOf }: PageIndex): Markup {
  const known = report.results.filter(({ outcome }) => outcome === 'known-issue');
  const gone = report.results.filter(isGoodNews);
  if (known.length === 0 && gone.length === 0) return NOTHING;
  const items = [
    ...gone.map(
      (result) =>
        html`<a href="#${addressOf(result)}">${code(result.scenario_id, 80)}</a> 🎉 ${line(describeGone(result), 600)}`,
    ),
    ...[...groupBy(known, keyOfIssue).values()].map((group) => renderKnownIssue(group, addressOf)),
  ];
  return bulletList(fitList(items, { limit: 50_000, more }), 'spaced');
}

/** The same scenario has the same issue on several backends. */
function keyOfIssue({ scenario_id, known_issue }: ReportResult): string {
  return JSON.stringify([scenario_id, known_issue]);
}

function renderKnownIssue(group: readonly ReportResult[], addressOf: AddressOf): Markup {
  const [first] = group;
  if (first === undefined) return NOTHING;
  const { scenario_id, known_issue } = first;
  const places = group.map((result, place) => [
    place > 0 && ', ',
    html`<a href="#${addressOf(result)}">${backendName(result.backend)}</a>`,
  ]);
  return html`${code(scenario_id, 80)} <span class="quiet">on</span> ${places}: ${line(known_issue?.reason ?? '', 400)} <span class="quiet">Up to version ${line(known_issue?.up_to ?? '', 40)}, see ${line(known_issue?.link ?? '', 200)}</span>`;
}
