import type { Report } from '../../domain/report/report.js';
import { formatDuration } from '../words/words.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, code, fitList, line } from './parts.js';
import { spellOut } from './words.js';

type Analyst = NonNullable<Report['analyst']>;
type Answer = NonNullable<Analyst['answer']>;

const ROOM = 40_000;

/** Renders Ralph's own analysis of the run. It is next to the rules' diagnosis and changes no verdict. */
export function renderAnalystSection({ analyst }: Report): Markup {
  if (analyst === null) return NOTHING;
  const items = analyst.answer === null ? [] : listFindings(analyst.answer);
  return html`${analyst.by === 'script' && html`<p class="notice">Scripted: no model was asked.</p>`}
<p>${describeCourse(analyst)}</p>
${bulletList(analyst.notes.slice(0, 20).map((note) => line(note, 300)))}
${bulletList(fitList(items, { limit: ROOM, more }), 'advice')}`;
}

function describeCourse({ outcome, backend, duration_seconds }: Analyst): Content {
  const on = backend !== null && html` on ${line(backend, 40)}`;
  if (outcome === 'done') return html`Done${on} in ${formatDuration(duration_seconds)}.`;
  return html`${outcome === 'failed' ? 'It failed' : 'It was skipped'}${on}. That says nothing about the tests.`;
}

function listFindings({ failed_analyses, patterns, recommendations, passed_analyses }: Answer): Markup[] {
  return [
    ...failed_analyses.map(renderFailed),
    ...patterns.map(
      ({
        description,
        affected_tests,
        suggested_fix,
      }) => html`<strong>Pattern</strong> ${line(description, 400)}
${affected_tests.length > 0 && html`<p class="quiet">Affects ${line(affected_tests.join(', '), 300)}</p>`}
${suggested_fix !== null && html`<p class="hint">${line(suggested_fix, 400)}</p>`}`,
    ),
    ...recommendations.map(
      ({ severity, title, description }) =>
        html`<span class="severity ${severity.toLowerCase()}">${severity}</span> <strong>${line(title, 160)}</strong><p>${line(description, 400)}</p>`,
    ),
    ...passed_analyses
      .filter(({ quality_score, warnings }) => quality_score === 'Suboptimal' || warnings.length > 0)
      .map(
        ({ scenario_id, quality_score, warnings }) =>
          html`${code(scenario_id, 80)} ${quality_score ?? 'not scored'}${bulletList(warnings.slice(0, 5).map(({ message }) => line(message, 240)))}`,
      ),
  ];
}

function renderFailed(found: Answer['failed_analyses'][number]): Markup {
  const { scenario_id, backend, failure_type, root_cause_hypothesis, potential_fixes } = found;
  return html`<strong>${code(scenario_id, 80)}</strong>${backend !== null && html` on ${line(backend, 40)}`} <span class="quiet">${failure_type === null ? 'no type' : spellOut(failure_type)}</span>
<p>${line(root_cause_hypothesis ?? 'no hypothesis', 600)}</p>
${potential_fixes.slice(0, 3).map(({ description, confidence }) => html`<p class="hint">${line(description, 300)} <span class="quiet">confidence ${confidence.toFixed(1)}</span></p>`)}`;
}

function more(left: number): Content {
  return html`<span class="quiet">${left} more in report.json</span>`;
}
