import { involvesRalph } from '../../domain/attempt.js';
import type { Counts, Report } from '../../domain/report/report.js';
import { backendIdSchema, type Outcome, testLabel } from '../../domain/vocabulary.js';
import { facts } from '../content/content.js';
import { runFacts } from '../sections/run.js';
import { oneLine } from '../text/safe-text.js';
import {
  countFailureTypes,
  groupWord,
  meaningOf,
  nameCounted,
  nameOutcome,
  nameVerdict,
  OUTCOMES,
  reasonOf,
  spellOut,
} from '../words/outcome-words.js';
import { backendName, countOf } from '../words/words.js';
import { bulletList, fitList, oneForeign, writeHtml } from './content.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import type { PageIndex } from './page/places.js';

/** Renders the verdict, and what it is about. */
export function renderReportHeader(report: Report, index: PageIndex): Markup {
  const { word, tone } = nameVerdict(report);
  return html`<header class="verdict ${tone}">
<p class="kicker">${involvesRalph(report.target) ? 'Ralph end-to-end' : 'End-to-end'} tests</p>
<h1>${word}</h1>
<p class="sentence">${oneForeign(report.verdict, 300)}</p>
${writeHtml(facts(runFacts(report)), index)}
</header>`;
}

/** Renders the counts: as tiles, by tier and backend, by failure type, by quality. */
export function renderSummarySection(report: Report, index: PageIndex): Markup {
  return html`${renderTiles(report)}
${renderBar(report.summary)}
${renderAttention(report, index)}
<div class="columns">${renderMatrix(report)}${renderKinds(report)}${renderQualities(report)}</div>`;
}

function countsOf(summary: Counts): Record<Outcome, number> {
  return {
    failed: summary.failed,
    error: summary.errors,
    flaky: summary.flaky,
    'known-issue': summary.known_issues,
    passed: summary.passed,
    skipped: summary.skipped,
  };
}

/** Each tile links to the tests; with scripts, to those of its outcome. */
function renderTiles({ summary }: Report): Markup {
  const counts = countsOf(summary);
  const always: readonly Outcome[] = ['failed', 'passed', 'skipped'];
  const shown = OUTCOMES.filter((outcome) => counts[outcome] > 0 || always.includes(outcome));
  return html`<ul class="tiles">${shown.map(
    (outcome) =>
      html`<li><a class="tile ${outcome}${counts[outcome] === 0 ? ' none' : ''}" href="#tests" data-show="${outcome}"><b>${counts[outcome]}</b> <span>${nameCounted(outcome, counts[outcome])}</span> <small>${meaningOf(outcome)}</small></a></li>`,
  )}</ul>`;
}

function renderBar(summary: Counts): Markup {
  const counts = countsOf(summary);
  const all = summary.total + summary.skipped;
  if (all === 0) return NOTHING;
  let x = 0;
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const width = (counts[outcome] / all) * 1_000;
    const part = html`<rect class="${outcome}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`;
    x += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Renders what did not simply pass, with links. Tests whose cause is known are in the next section. */
function renderAttention({ results }: Report, { addressOf, causeOf }: PageIndex): Markup {
  const troubled = (['failed', 'error', 'flaky'] as const)
    .flatMap((outcome) => results.filter((result) => result.outcome === outcome && causeOf(result) === null))
    .toSorted((a, b) => Number(a.inconclusive) - Number(b.inconclusive));
  const items = troubled.map(
    (result) =>
      html`<span class="badge ${result.outcome}">${nameOutcome(result)}</span><a href="#${addressOf(result)}">${oneLine(testLabel(result.scenario_id, result.backend), 100)}</a><span class="quiet">${oneForeign(reasonOf(result, 160) ?? '', 160)}</span>`,
  );
  const more = (left: number) => `${left} more below`;
  return bulletList(fitList(items, { limit: 6_000, more }), 'attention');
}

/** Renders a table of tiers by backend. */
function renderMatrix({ results, summary }: Report): Markup {
  const tiers = Object.keys(summary.by_tier).slice(0, 20);
  const backends = backendIdSchema.options.filter((backend) => Object.hasOwn(summary.by_backend, backend));
  if (tiers.length === 0) return NOTHING;
  const word = groupWord(results);
  const cells = new Map<string, Record<Outcome, number>>();
  for (const { tier, backend, outcome } of results) {
    const key = `${backend} ${tier}`;
    const cell = cells.get(key) ?? { failed: 0, error: 0, flaky: 0, 'known-issue': 0, passed: 0, skipped: 0 };
    cell[outcome] += 1;
    cells.set(key, cell);
  }
  return html`<div><table class="matrix tiers"><caption>By ${word.toLowerCase()} and backend</caption>
<thead><tr><th scope="col">${word}</th>${backends.map((backend) => html`<th scope="col">${backendName(backend)}</th>`)}</tr></thead>
<tbody>${tiers.map(
    (tier) =>
      html`<tr><th scope="row">${oneForeign(tier, 60)}</th>${backends.map((backend) => renderCell(cells.get(`${backend} ${tier}`)))}</tr>`,
  )}</tbody></table></div>`;
}

function renderCell(counts: Record<Outcome, number> | undefined): Markup {
  if (counts === undefined) return html`<td class="quiet">–</td>`;
  return html`<td>${OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) =>
      html`<span class="count ${outcome}">${counts[outcome]} <span>${nameCounted(outcome, counts[outcome]).toLowerCase()}</span></span> `,
  )}</td>`;
}

/** Without causes, the kinds of failure are all that is known. */
function renderKinds({ results, causes }: Report): Markup {
  if (causes.length > 0) return NOTHING;
  const rows = countFailureTypes(results);
  if (rows.length === 0) return NOTHING;
  return html`<div><h3>Kinds of failure</h3>${bulletList(
    rows.map(
      ([kind, count]) =>
        html`<strong>${spellOut(kind)}</strong> <span class="quiet">${countOf(count, 'test')}</span>`,
    ),
  )}</div>`;
}

function renderQualities({ summary }: Report): Markup {
  const rows = Object.entries(summary.quality_breakdown).filter(([, count]) => count > 0);
  if (rows.length === 0) return NOTHING;
  return html`<div><h3>Quality of what passed</h3>${bulletList(
    rows.map(
      ([score, count]) =>
        html`<span class="score ${score}">${score}</span> <span class="quiet">${countOf(count, 'test')}</span>`,
    ),
  )}</div>`;
}
