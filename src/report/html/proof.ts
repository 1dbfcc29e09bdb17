import { involvesRalph } from '../../domain/attempt.js';
import type { Report, ReportProof } from '../../domain/report/report.js';
import { countOf } from '../words/words.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, factList, fitList, line } from './parts.js';
import { formatTime } from './words.js';

type ProvedScenario = ReportProof['scenarios'][number];

/** Renders whether you can trust a pass: how many checks were shown to fail. */
export function renderProof({ proof, target: tested }: Report): Markup {
  if (proof === null) return NOTHING;
  const { timestamp, lane, target, checks, proved, saboteurs, guards, survivors, scenarios } = proof;
  return html`${factList([
    ['Shown to fail', `${proved} of ${countOf(checks, 'check')}`],
    [
      'Shown on',
      involvesRalph(tested)
        ? line(`${target.kind === 'real' ? 'ralph' : 'the stand-in'} ${target.version}, lane ${lane}`, 120)
        : `lane ${lane}`,
    ],
    ['When', timestamp === '' ? null : line(formatTime(timestamp), 40)],
    ['Saboteurs tried', saboteurs],
    ['Guards', guards],
  ])}
${
  survivors.length > 0 &&
  html`<h3>Nobody noticed</h3>${bulletList(
    fitList(
      survivors.map((name) => html`${line(name, 200)}`),
      { limit: 20_000, more: (left) => `${left} more in report.json` },
    ),
  )}`
}
${renderMatrix(scenarios)}`;
}

/** Renders a table of scenarios by backend. */
function renderMatrix(scenarios: readonly ProvedScenario[]): Markup {
  if (scenarios.length === 0) return NOTHING;
  const backends = [...new Set(scenarios.map(({ backend }) => backend))].slice(0, 8);
  const byName = new Map<string, Map<string, ProvedScenario>>();
  for (const scenario of scenarios) {
    const row = byName.get(scenario.scenario_id) ?? new Map<string, ProvedScenario>();
    byName.set(scenario.scenario_id, row.set(scenario.backend, scenario));
  }
  const rows = [...byName].map(
    ([name, row]) =>
      html`<tr><th scope="row">${line(name, 80)}</th>${backends.map((backend) => renderCell(row.get(backend)))}</tr>`,
  );
  const more = (left: number) =>
    html`<tr><td colspan="${backends.length + 1}">${left} more in report.json</td></tr>`;
  return html`<table class="matrix"><caption>Checks that were shown to fail, of all</caption>
<thead><tr><th scope="col">Scenario</th>${backends.map((backend) => html`<th scope="col">${line(backend, 30)}</th>`)}</tr></thead>
<tbody>${fitList(rows, { limit: 40_000, more })}</tbody></table>`;
}

function renderCell(scenario: ProvedScenario | undefined): Markup {
  if (scenario === undefined) return html`<td class="quiet">–</td>`;
  const { proved, checks } = scenario;
  return html`<td><span class="count ${proved >= checks ? 'passed' : 'flaky'}">${proved} of ${checks}</span></td>`;
}
