import type { ReportAssertion, ReportResult } from '../../../domain/report/report.js';
import { splitFailed } from '../../model/divergence.js';
import { describeConsequences } from '../../words/failure-words.js';
import { countOf } from '../../words/words.js';
import { html, type Markup, NOTHING } from '../page/markup.js';
import { type LinkBase, namedLink } from '../page/paths.js';
import { diffBox, expectation, folded, line, quoteBox } from '../parts.js';
import { spellOut } from '../words.js';
import type { Detail } from './detail.js';

/** Renders the checks: those that failed in the order in which the run went wrong, the others folded. */
export function renderAssertions(
  result: ReportResult,
  { detail, root }: { readonly detail: Detail; readonly root: LinkBase },
): Markup {
  const { assertions } = result;
  if (assertions.length === 0) return NOTHING;
  const { shown: failed, consequences } = splitFailed(result);
  const passed = assertions.filter((assertion) => assertion.passed);
  const note = `${passed.length} of ${assertions.length} passed`;
  const shown = failed.slice(0, detail.rows);
  const left = failed.length - shown.length;
  return html`<h4>Checks <span class="quiet">${note}${failed.length > 1 && ', the earliest failure first'}</span></h4>
${
  failed.length > 0 &&
  html`<ul class="assertions">${shown.map((assertion) => renderFailed(assertion, detail))}${
    left > 0 && html`<li class="quiet">${left} more failed, see report.json</li>`
  }</ul>`
}
${
  consequences.length > 0 &&
  folded(
    describeConsequences(consequences),
    html`<ul class="assertions">${consequences.slice(0, detail.rows).map((assertion) => renderFailed(assertion, detail))}</ul>`,
  )
}
${failed.length > 0 && renderOutputLinks(result, root)}
${renderPassed(passed, { detail, isFolded: failed.length > 0 })}`;
}

function renderFailed(assertion: ReportAssertion, detail: Detail): Markup {
  const { name, about, actual, category, diff, suggestion } = assertion;
  return html`<li class="broken"><span class="mark">failed</span> ${line(name, 200)} <span class="quiet">${spellOut(category)}</span>
${
  about?.unanswered === undefined
    ? expectation(assertion, detail.text)
    : quoteBox('Received', actual, { limit: detail.text, whole: null })
}
${suggestion !== null && html`<p class="hint">${line(suggestion, 400)}</p>`}
${diff !== null && diffBox(`Difference in ${name.slice(0, 80)}`, diff, detail.text)}</li>`;
}

function renderPassed(
  passed: readonly ReportAssertion[],
  { detail, isFolded }: { readonly detail: Detail; readonly isFolded: boolean },
): Markup {
  if (passed.length === 0) return NOTHING;
  const left = passed.length - detail.rows;
  const list = html`<ul class="assertions">${passed
    .slice(0, detail.rows)
    .map(
      ({ name, category }) =>
        html`<li class="held"><span class="mark">passed</span> ${line(name, 200)} <span class="quiet">${spellOut(category)}</span></li>`,
    )}${left > 0 && html`<li class="quiet">${left} more passed, see report.json</li>`}</ul>`;
  return isFolded ? folded(`${countOf(passed.length, 'check')} passed`, list) : list;
}

/** Renders links to the whole output next to the checks that failed. */
function renderOutputLinks({ context, artifacts }: ReportResult, root: LinkBase): Markup {
  if (context === null) return NOTHING;
  const links = [
    namedLink('stdout', context.stdout_path, root),
    namedLink('stderr', context.stderr_path, root),
    artifacts === null ? null : namedLink('evidence', artifacts, root),
  ].filter((link) => link !== null);
  return links.length === 0
    ? NOTHING
    : html`<p class="outputs"><span class="quiet">Files of this test:</span> ${links.map((link, place) => [place > 0 && ', ', link])}</p>`;
}
