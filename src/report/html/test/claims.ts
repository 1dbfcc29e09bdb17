import type { Loophole, Rationalization } from '../../../domain/report/analysis.js';
import type { Report } from '../../../domain/report/report.js';
import { type Content, html, type Markup, NOTHING } from '../page/markup.js';
import { bulletList, code, fitList, line } from '../parts.js';

const ROOM = { claims: 40_000, loopholes: 20_000 };

/** Renders claims that the evidence contradicts, and recurring ways around the instructions. */
export function renderClaims({ rationalizations, loopholes }: Report): Markup {
  if (rationalizations.length === 0 && loopholes.length === 0) return NOTHING;
  const claims = fitList(rationalizations.map(renderClaim), { limit: ROOM.claims, more });
  const ways = fitList(loopholes.map(renderLoophole), { limit: ROOM.loopholes, more });
  return html`${bulletList(claims, 'advice')}${ways.length > 0 && html`<h3>Loopholes</h3>${bulletList(ways, 'advice')}`}`;
}

function renderClaim({ scenario_id, backend, pattern, iteration, quote, reality, action }: Rationalization) {
  return html`<strong>“${line(quote, 300)}”</strong> <span class="quiet">${code(scenario_id, 80)} on ${line(backend, 40)}, iteration ${iteration}, ${line(pattern.replaceAll('-', ' '), 80)}</span>
<p>${line(reality, 400)}</p>
<p class="hint">${line(action, 300)}</p>`;
}

function renderLoophole({ name, pattern, evidence, suggested_counter, new_test }: Loophole): Markup {
  const seen = evidence
    .slice(0, 4)
    .map(({ scenario_id, text }) => html`${code(scenario_id, 80)} ${line(text, 240)}`);
  return html`<strong>${line(name, 120)}</strong>
<p>${line(pattern, 400)}</p>
${bulletList(seen)}
${suggested_counter.slice(0, 6).map((text) => html`<p class="hint">${line(text, 300)}</p>`)}
<p class="quiet">A test that would close it: ${code(new_test, 80)}</p>`;
}

function more(left: number): Content {
  return html`<span class="quiet">${left} more in report.json</span>`;
}
