import type { ReportAssertion } from '../../../domain/report/report.js';
import { html, type Markup, NOTHING } from '../page/markup.js';
import { diffBox, line } from '../parts.js';
import { spellOut } from '../words.js';
import type { Detail } from './detail.js';

/** Renders the assertions, failed ones first, with expected and actual. */
export function renderAssertions(assertions: readonly ReportAssertion[], detail: Detail): Markup {
  if (assertions.length === 0) return NOTHING;
  const ordered = assertions.toSorted((a, b) => Number(a.passed) - Number(b.passed));
  const shown = ordered.slice(0, detail.rows);
  const rest = ordered.slice(detail.rows);
  const broken = rest.filter(({ passed }) => !passed).length;
  const more =
    rest.length === 0
      ? null
      : html`<li class="quiet">${rest.length} more in report.json, ${broken} of them broken</li>`;
  return html`<h4>Assertions <span class="quiet">${countHeld(assertions)}</span></h4>
<ul class="assertions">${shown.map((assertion) => renderAssertion(assertion, detail))}${more}</ul>`;
}

function countHeld(assertions: readonly ReportAssertion[]): string {
  return `${assertions.filter(({ passed }) => passed).length} of ${assertions.length} held`;
}

function renderAssertion(assertion: ReportAssertion, detail: Detail): Markup {
  const { name, category, passed, expected, actual, diff, suggestion } = assertion;
  const head = html`<span class="mark">${passed ? 'held' : 'broken'}</span> ${line(name, 200)} <span class="quiet">${spellOut(category)}</span>`;
  if (passed) return html`<li class="held">${head}</li>`;
  return html`<li class="broken">${head}
<dl class="facts"><div><dt>Expected</dt><dd>${line(expected, detail.text)}</dd></div><div><dt>Found</dt><dd>${line(actual, detail.text)}</dd></div></dl>
${suggestion !== null && html`<p class="hint">${line(suggestion, 400)}</p>`}
${diff !== null && diffBox(`Difference in ${name.slice(0, 80)}`, diff, detail.text)}</li>`;
}
