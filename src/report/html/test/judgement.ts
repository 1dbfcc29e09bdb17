import { quoteCheck } from '../../../domain/diagnosis/clues.js';
import type { Diagnosis } from '../../../domain/report/analysis.js';
import type { MetricComparison } from '../../../domain/report/expectation.js';
import type { ReportResult } from '../../../domain/report/report.js';
import { describeMetric } from '../../words/metric-words.js';
import { countOf, describeBlame } from '../../words/words.js';
import type { PageIndex } from '../page/address.js';
import { testLinks } from '../page/links.js';
import { type Content, html, type Markup, NOTHING } from '../page/markup.js';
import { bulletList, code, factList, line, titled } from '../parts.js';
import { spellOut } from '../words.js';
import type { Detail } from './detail.js';

/** So many similar failures are named; the entry of their cause has them all. */
const SHOWN_SIMILAR = 6;

/** Renders why it probably failed, and what to do about it. */
export function renderDiagnosisBox(
  result: ReportResult,
  { detail, index }: { readonly detail: Detail; readonly index: PageIndex },
): Markup {
  const { diagnosis } = result;
  if (diagnosis === null) return NOTHING;
  const { evidence, suggested_investigations, potential_fixes } = diagnosis;
  const some = <Item>(items: readonly Item[], render: (item: Item) => Content) =>
    bulletList(items.slice(0, detail.rows).map(render));
  // The failed checks are right below.
  const checks = new Set(result.assertions.filter(({ passed }) => !passed).map(quoteCheck));
  const facts = evidence.filter((text) => !checks.has(text));
  return html`<div class="diagnosis"><h4>Diagnosis</h4>
<p><strong>${spellOut(diagnosis.failure_type)}</strong> <span class="quiet">rule ${code(diagnosis.rule, 80)}</span> <span class="quiet">blames ${describeBlame(diagnosis.blames)}</span><br>${line(diagnosis.root_cause_hypothesis, 900)}</p>
${named(
  'Evidence',
  some(facts, (text) => code(text, 320)),
)}
${named('Potential fixes', some(potential_fixes, renderFix))}
${named(
  'Look at',
  some(suggested_investigations, (text) => line(text, 400)),
)}
${renderSimilar(result, index)}</div>`;
}

/** Renders links to tests that failed in the same way, and to the entry of their cause. */
function renderSimilar(result: ReportResult, index: PageIndex): Markup {
  const similar = result.diagnosis?.similar_failures ?? [];
  const entry = index.causeOf(result);
  const all =
    entry !== null &&
    html`<a href="#${entry.address}">Cause ${entry.number}: ${countOf(entry.cause.tests.length, 'test')}</a>`;
  if (similar.length === 0) return entry === null ? NOTHING : html`<h5>Cause</h5><p class="links">${all}</p>`;
  const shown = similar.slice(0, SHOWN_SIMILAR);
  return html`<h5>Similar failures</h5><p class="links">${testLinks(shown, index)}${
    similar.length > shown.length && ', …'
  }${entry !== null && html`<br>${all}`}</p>`;
}

function renderFix(fix: Diagnosis['potential_fixes'][number]): Markup {
  const level = fix.confidence >= 0.7 ? 'high' : fix.confidence >= 0.4 ? 'medium' : 'low';
  return html`${line(fix.description, 400)} <span class="quiet">${level} confidence</span>${
    fix.file_to_modify !== null && html`<br>in ${code(fix.file_to_modify, 200)}`
  }${fix.suggested_change !== null && html`<br>${line(fix.suggested_change, 400)}`}`;
}

/** Renders how well a test passed. */
export function renderQuality({ analysis, context }: ReportResult, detail: Detail): Markup {
  if (analysis === null || analysis.quality_score === null) return NOTHING;
  const { quality_score, metrics, warnings, optimizations } = analysis;
  return html`<h4>Quality <span class="score ${quality_score.toLowerCase()}">${quality_score}</span></h4>
${renderMetrics(metrics.against_expected, context?.conversation !== undefined)}
${named(
  'Warnings',
  bulletList(
    warnings
      .slice(0, detail.rows)
      .map(
        ({ category, message, evidence }) =>
          html`<strong>${spellOut(category)}</strong> ${line(message, 300)}<br>${code(evidence, 320)}`,
      ),
  ),
)}
${named(
  'Could be better',
  bulletList(
    optimizations
      .slice(0, detail.rows)
      .map(
        ({ category, description, potential_improvement, suggested_change }) =>
          html`<strong>${line(category, 80)}</strong> ${line(description, 300)}<br>${line(potential_improvement, 300)}${
            suggested_change !== null && html`<br>${line(suggested_change, 300)}`
          }`,
      ),
  ),
)}`;
}

/** Renders the measured metrics with their expected values; omits unmeasured ones. */
function renderMetrics(comparisons: readonly MetricComparison[], isConversation: boolean): Markup {
  return factList(
    comparisons.map((comparison) => {
      const { name, actual, expected, status } = describeMetric(comparison, { isConversation });
      if (status === 'not-measured') return [name, null];
      const isBare = comparison.basis === 'scenario' || comparison.basis === 'always';
      return [
        name,
        html`${actual} <span class="${status === 'above' ? 'above' : 'quiet'}">${isBare && 'expected '}${expected}</span>`,
      ];
    }),
  );
}

/** Renders what the scenario makes hard on purpose, and how well the run coped. */
export function renderPressure(result: ReportResult, detail: Detail): Markup {
  const factors = result.pressure_factors.slice(0, detail.rows);
  const criteria = result.quality_criteria.slice(0, detail.rows);
  return html`${titled(
    'Under pressure',
    bulletList(
      factors.map(
        ({ name, description, why_pressure }) =>
          html`<strong>${line(name, 80)}</strong><br>${line(description, 300)} <span class="quiet">${line(why_pressure, 300)}</span>`,
      ),
    ),
  )}${titled(
    'Quality criteria',
    bulletList(
      criteria.map(
        (criterion) =>
          html`<span class="grade ${criterion.grade}">${criterion.grade}</span> <strong>${line(criterion.name, 120)}</strong> <span class="quiet">${line(criterion[criterion.grade], 200)}</span>`,
      ),
    ),
  )}`;
}

/** Renders a short list under a name. */
function named(name: string, items: Markup): Markup {
  return items.text === '' ? NOTHING : html`<h5>${name}</h5>${items}`;
}
