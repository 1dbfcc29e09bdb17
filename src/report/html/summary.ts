import { involvesRalph } from '../../domain/attempt.js';
import type { Counts, Report } from '../../domain/report/report.js';
import { backendIdSchema, type Outcome, testLabel } from '../../domain/vocabulary.js';
import { commandAnywhere } from '../model/places.js';
import { oneLine } from '../text/safe-text.js';
import { summarizeCost } from '../words/money-words.js';
import { describeShard, describeShards } from '../words/shard-words.js';
import {
  backendName,
  countOf,
  describeConversationTarget,
  describeMissingRalph,
  describeResumption,
  formatDuration,
  laneMeaning,
} from '../words/words.js';
import type { PageIndex } from './page/address.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { bulletList, code, factList, fitList, line } from './parts.js';
import {
  formatTime,
  groupWord,
  nameCounted,
  nameOutcome,
  nameVerdict,
  OUTCOME_MEANINGS,
  OUTCOMES,
  reasonOf,
  spellOut,
} from './words.js';

/** Renders the verdict, and what it is about. */
export function renderReportHeader(report: Report): Markup {
  const { word, tone } = nameVerdict(report);
  const { target, lane, timestamp, run_id, harness_version } = report;
  return html`<header class="verdict ${tone}">
<p class="kicker">${involvesRalph(target) ? 'Ralph end-to-end' : 'End-to-end'} tests</p>
<h1>${word}</h1>
<p class="sentence">${line(report.verdict, 300)}</p>
${involvesRalph(target) && target.kind === 'stand-in' && html`<p class="notice">${describeStandInTarget(target)}</p>`}
${factList([
  [
    'Target',
    involvesRalph(target)
      ? html`${target.kind === 'real' ? 'ralph' : 'stand-in ralph'} ${line(target.version, 60)}`
      : describeConversationTarget(lane),
  ],
  ['Lane', html`${lane} <span class="quiet">${laneMeaning(lane)}</span>`],
  ['Took', formatDuration(report.duration_seconds)],
  ['Part', report.shard === null ? null : describeShard(report.shard)],
  ['Merged from', report.shards === null ? null : describeShards(report.shards)],
  ['Parts', report.resumed === null ? null : describeResumption(report.resumed)],
  [
    'Go on with',
    report.resume_command === null ? null : code(commandAnywhere(report, report.resume_command), 600),
  ],
  ['Cost', report.spending === null ? null : summarizeCost(report.spending)],
  [
    'When',
    timestamp === ''
      ? null
      : html`<time datetime="${oneLine(timestamp, 40)}">${oneLine(formatTime(timestamp), 40)}</time>`,
  ],
  ['Run', html`${code(run_id, 80)} <span class="quiet">ralph-e2e ${line(harness_version, 40)}</span>`],
])}
</header>`;
}

/** Says what a stand-in means for the run; the verdict says already that Ralph was not tested. */
function describeStandInTarget(target: Report['target']): string {
  return ['The target is the embedded stand-in, a test double.', describeMissingRalph(target) ?? '']
    .join(' ')
    .trim();
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
      html`<li><a class="tile ${outcome}${counts[outcome] === 0 ? ' none' : ''}" href="#tests" data-show="${outcome}"><b>${counts[outcome]}</b> <span>${nameCounted(outcome, counts[outcome])}</span> <small>${OUTCOME_MEANINGS[outcome]}</small></a></li>`,
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
      html`<span class="badge ${result.outcome}">${nameOutcome(result)}</span><a href="#${addressOf(result)}">${oneLine(testLabel(result.scenario_id, result.backend), 100)}</a><span class="quiet">${line(reasonOf(result, 160) ?? '', 160)}</span>`,
  );
  const more = (left: number) => html`<span class="quiet">${left} more below</span>`;
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
      html`<tr><th scope="row">${line(tier, 60)}</th>${backends.map((backend) => renderCell(cells.get(`${backend} ${tier}`)))}</tr>`,
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
  const kinds = new Map<string, number>();
  for (const { outcome, diagnosis } of results) {
    if (diagnosis === null || (outcome !== 'failed' && outcome !== 'error')) continue;
    kinds.set(diagnosis.failure_type, (kinds.get(diagnosis.failure_type) ?? 0) + 1);
  }
  if (kinds.size === 0) return NOTHING;
  const rows = [...kinds].sort(([, a], [, b]) => b - a);
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
