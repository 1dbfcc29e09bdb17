import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { backendIdSchema, isFailure, standingOf } from '../../domain/vocabulary.js';
import type { Detail } from '../content/content.js';
import { needsDiagnosis } from '../model/describe-result.js';
import { contextBlocks } from '../sections/context.js';
import { testBlocks } from '../sections/test.js';
import { oneLine } from '../text/safe-text.js';
import { groupWord, nameStanding, OUTCOMES, reasonOf } from '../words/outcomes.js';
import { backendName, countOf, formatDuration } from '../words/words.js';
import { oneForeign, writeHtml } from './content.js';
import { bytesOf, html, type Markup } from './page.js';
import type { PageIndex } from './places.js';
import { renderTimeline } from './timeline.js';

/** Up to this many failures are open at first, so that a red page shows its reason without a click. */
const OPEN_FAILURES = 3;

/** Renders the filter and all tests, those that need attention first, in as much detail as the space allows. */
export function* renderTests(
  report: Report,
  { room, index }: { readonly room: number; readonly index: PageIndex },
): Generator<Markup> {
  const ordered = OUTCOMES.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome),
  );
  const broken = ordered.filter(isFailure).length;
  const render = (result: ReportResult) => (detail: Detail | null) =>
    renderCard(result, { index, detail, isOpen: isFailure(result) && broken <= OPEN_FAILURES });
  const groups = [
    ordered.filter(needsDiagnosis).map(render),
    ordered.filter((result) => !needsDiagnosis(result)).map(render),
  ];
  yield html`${renderFilter(report)}<ul class="tests" id="list">`;
  for (const [place, detail] of chooseDetails(groups, room).entries())
    for (const card of groups[place] ?? []) yield card(detail);
  yield html`</ul><p class="quiet" id="none" hidden>No test fits these filters.</p>`;
}

/** The filter is hidden until its script has started. */
function renderFilter({ results, summary }: Report): Markup {
  const outcomes = OUTCOMES.filter((outcome) => results.some((result) => result.outcome === outcome));
  const backends = backendIdSchema.options.filter((backend) => Object.hasOwn(summary.by_backend, backend));
  const tiers = Object.keys(summary.by_tier)
    .slice(0, 50)
    .map((tier) => oneLine(tier, 60));
  return html`<form class="filter" id="filter" role="search" aria-label="Filter tests" hidden>
<div class="search"><label for="words">Search</label><input id="words" type="search" placeholder="Words in names, prompts, outputs" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div>
<fieldset><legend>Outcome</legend>${outcomes.map(
    (outcome) =>
      html`<label class="choice ${outcome}"><input type="checkbox" name="outcome" value="${outcome}"><span>${nameStanding(outcome)}</span></label>`,
  )}</fieldset>
<div class="selects"><label>${groupWord(results)} <select id="tier"><option value="">all</option>${tiers.map((tier) => html`<option>${tier}</option>`)}</select></label>
<label>Backend <select id="backend"><option value="">all</option>${backends.map(
    (backend) => html`<option value="${backend}">${backendName(backend)}</option>`,
  )}</select></label></div>
<p class="found"><output id="found" for="words tier backend"></output> <button type="reset">Reset</button> <button type="button" id="open-all">Open all</button> <button type="button" id="close-all">Close all</button></p>
<p class="keys">Keys: <kbd>/</kbd> search, <kbd>j</kbd> next test, <kbd>k</kbd> previous test, <kbd>Enter</kbd> opens it. The address of this page keeps what you filter: share it to show the same.</p>
</form>`;
}

interface CardOptions {
  /** Null: there is space only for its row. */
  readonly detail: Detail | null;
  readonly isOpen: boolean;
  readonly index: PageIndex;
}

/** Renders one test: a row with its outcome, and all its details behind that row. */
function renderCard(result: ReportResult, { detail, isOpen, index }: CardOptions): Markup {
  const { outcome, scenario_id, backend, tier } = result;
  const reason = reasonOf(result, 200) ?? '';
  const state = html`data-outcome="${outcome}" data-tier="${oneLine(tier, 60)}" data-backend="${backend}"`;
  return html`
<li ${state}><details class="test ${outcome}" id="${index.addressOf(result)}"${isOpen && html` open`}>
<summary><span class="badge ${outcome}">${nameStanding(standingOf(result))}</span>
<h3>${oneLine(scenario_id, 80)}</h3><span class="where">${backendName(backend)} <span class="quiet">${oneLine(tier, 60)}</span></span>
<span class="time">${outcome === 'skipped' ? '' : formatDuration(result.duration_seconds)}</span>${
    reason !== '' && html`\n<span class="reason">${oneForeign(reason, 200)}</span>`
  }</summary>
<div class="body">
${detail === null ? renderBrief(result, index) : renderBody({ ...result }, detail, index)}
</div></details></li>`;
}

/** Renders a test for which the file has no more space. */
function renderBrief({ scenario_description, artifacts }: ReportResult, { linkOf }: PageIndex): Markup {
  return html`<p>${oneForeign(scenario_description, 200)}</p><p class="quiet">This report is full: the whole is in report.json${
    artifacts !== null && html` and ${linkOf(artifacts)}`
  }.</p>`;
}

/**
 * Renders what a reader of a failure needs first: the diagnosis, what failed, how to run it again, where it went wrong.
 * The result is a copy: what is made when it is read is then made once.
 */
function renderBody(result: ReportResult, detail: Detail, index: PageIndex): Markup {
  const entry = index.causeOf(result);
  const again = index.runAnywhere(result.repeat_command);
  return html`${writeHtml(testBlocks(result, { detail, target: index.target, again }), index)}${
    entry !== null &&
    html`<p class="links"><a href="#${entry.address}">Cause ${entry.number}: ${countOf(entry.cause.tests.length, 'test')}</a></p>`
  }
${renderTimeline(result, detail, index)}
${result.context !== null && html`<h4>More</h4>\n<div class="folds">\n${writeHtml(contextBlocks(result, detail, true), index)}\n</div>`}`;
}

/** From everything to the least that is worth opening. Below the last level, a test is only its row. */
export const DETAILS: readonly Detail[] = [
  { text: 24_000, rows: 200, iterations: 60 },
  { text: 8_000, rows: 80, iterations: 24 },
  { text: 3_000, rows: 30, iterations: 10 },
  { text: 1_200, rows: 12, iterations: 5 },
  { text: 500, rows: 6, iterations: 3 },
  { text: 160, rows: 4, iterations: 2 },
];

/** Renders a test. Null: as short as possible. */
type Render = (detail: Detail | null) => Markup;

/**
 * Chooses how much is shown of the tests of each group, so that all of them together take at most so many bytes: first as
 * much as possible of the first group, then of the next. Each text of a test is cut, so that an endless one costs the
 * others nothing. Keeps sizes, not texts: ten thousand tests would not fit into memory.
 */
function chooseDetails(groups: readonly (readonly Render[])[], room: number): (Detail | null)[] {
  const least = groups.map((group) => group.map((render) => bytesOf(render(null))));
  let left = room - least.flat().reduce((sum, size) => sum + size, 0);
  return groups.map((group, index) => {
    let chosen: Detail | null = null;
    let [from, to, rest] = [0, DETAILS.length, left];
    while (from < to) {
      // Most long reports have no room for the least, and most short ones have room for the most: that decides at once.
      const level = to === DETAILS.length ? to - 1 : from === 0 ? 0 : Math.floor((from + to) / 2);
      const detail = DETAILS[level] ?? null;
      const unused = roomAfter(group, least[index] ?? [], { detail, room: left });
      if (unused < 0) from = level + 1;
      else [chosen, to, rest] = [detail, level, unused];
    }
    left = rest;
    return chosen;
  });
}

/** Returns how much is left of the room for tests beyond their least sizes: less than nothing if they need more. */
function roomAfter(
  group: readonly Render[],
  least: readonly number[],
  { detail, room }: { readonly detail: Detail | null; readonly room: number },
): number {
  let left = room;
  for (const [index, render] of group.entries()) {
    left -= bytesOf(render(detail)) - (least[index] ?? 0);
    if (left < 0) break;
  }
  return left;
}
