import type { Recommendation } from '../../domain/report/analysis.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { headAndTail } from '../markdown/parts.js';
import { describeGone, isGoodNews } from '../words/failure-words.js';
import type { AddressOf } from './page/address.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, code, commandBox, fitList, line } from './parts.js';

const SEVERITIES = ['Critical', 'Warning', 'Info'] as const satisfies readonly Recommendation['severity'][];

/** Renders what to do, most urgent first, and commands to paste. */
export function renderAdvice(report: Report, addressOf: AddressOf): Markup {
  const items = SEVERITIES.flatMap((severity) =>
    report.recommendations
      .filter((item) => item.severity === severity)
      .map((item) => renderRecommendation(item, report.results, addressOf)),
  );
  const commands = report.quick_fix_commands.map(
    ({ description, command }) => html`<p>${line(description, 200)}</p>${commandBox(command)}`,
  );
  const advice = bulletList(fitList(items, { limit: 100_000, more }), 'advice');
  if (commands.length === 0) return advice;
  return html`${advice}<h3>Commands</h3>${bulletList(fitList(commands, { limit: 60_000, more }), 'commands')}`;
}

function renderRecommendation(
  item: Recommendation,
  results: readonly ReportResult[],
  addressOf: AddressOf,
): Markup {
  const { kept, left } = headAndTail([...new Set(item.affected_tests)], 12);
  const tests: Content[] = kept.map((id, index) => [index > 0 && ', ', renderTest(id, results, addressOf)]);
  return html`<span class="severity ${item.severity.toLowerCase()}">${item.severity}</span> <strong>${line(item.title, 160)}</strong> <span class="quiet">${line(item.category, 40)}</span>
<p>${line(item.description, 400)}</p>
${item.suggested_fix !== null && html`<p class="hint">${line(item.suggested_fix, 400)}</p>`}
${tests.length > 0 && html`<p class="quiet">Affects ${tests}${left > 0 && `, ${left} more`}</p>`}`;
}

/** Renders a test, with or without its backend; as a link if the name is unique. */
function renderTest(name: string, results: readonly ReportResult[], addressOf: AddressOf): Markup {
  const [found, another] = results.filter(
    ({ scenario_id, backend }) => scenario_id === name || testLabel(scenario_id, backend) === name,
  );
  if (found === undefined || another !== undefined) return code(name, 80);
  return html`<a href="#${addressOf(found)}">${code(name, 80)}</a>`;
}

function more(left: number): Content {
  return html`<span class="quiet">${left} more in report.json</span>`;
}

/** Renders promises that this version is known to break, and those that it now keeps. They do not fail the run. */
export function renderKnownIssuesSection(report: Report, addressOf: AddressOf): Markup {
  const known = report.results.filter(({ outcome }) => outcome === 'known-issue');
  const gone = report.results.filter(isGoodNews);
  if (known.length === 0 && gone.length === 0) return NOTHING;
  const items = [
    ...gone.map(
      (result) =>
        html`<a href="#${addressOf(result)}">${code(result.scenario_id, 80)}</a> 🎉 ${line(describeGone(result), 600)}`,
    ),
    ...known.map((result) => renderKnownIssue(result, addressOf)),
  ];
  return bulletList(fitList(items, { limit: 50_000, more }), 'spaced');
}

function renderKnownIssue(result: ReportResult, addressOf: AddressOf): Markup {
  return html`<a href="#${addressOf(result)}">${code(result.scenario_id, 80)}</a> ${line(result.known_issue?.reason ?? '', 400)} <span class="quiet">up to version ${line(result.known_issue?.up_to ?? '', 40)}, see ${line(result.known_issue?.link ?? '', 200)}</span>`;
}
