import type { Report, ReportResult } from '../../../domain/report/report.js';
import { backendIdSchema } from '../../../domain/vocabulary.js';
import { oneLine } from '../../text/safe-text.js';
import { backendName } from '../../words/words.js';
import type { PageIndex } from '../page/address.js';
import { fitWithin } from '../page/fit.js';
import { html, type Markup } from '../page/markup.js';
import type { LinkBase } from '../page/paths.js';
import { groupWord, OUTCOME_WORDS, OUTCOMES } from '../words.js';
import { renderCard } from './card.js';

/** Up to this many failures are open at first, so that a red page shows its reason without a click. */
const OPEN_FAILURES = 3;
/** A test that did not pass can take as much space as this many that did. */
const WEIGHT_OF_TROUBLE = 4;

/** Renders the filter and all tests, those that need attention first, in as much detail as the space allows. */
export function* renderTests(
  report: Report,
  { room, index, root }: { room: number; index: PageIndex; root: LinkBase },
): Generator<Markup> {
  const ordered = OUTCOMES.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome),
  );
  const broken = ordered.filter(isBroken).length;
  const head = renderFilter(report);
  const cards = fitWithin(
    ordered.map((result) => ({
      weight: result.outcome === 'passed' || result.outcome === 'skipped' ? 1 : WEIGHT_OF_TROUBLE,
      render: (detail) =>
        renderCard(result, {
          index,
          detail,
          isOpen: isBroken(result) && broken <= OPEN_FAILURES,
          root,
        }),
    })),
    room,
  );
  yield html`${head}<ul class="tests" id="list">`;
  for (const render of cards) yield render();
  yield html`</ul><p class="quiet" id="none" hidden>No test fits these filters.</p>`;
}

function isBroken({ outcome }: ReportResult): boolean {
  return outcome === 'failed' || outcome === 'error';
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
      html`<label class="choice ${outcome}"><input type="checkbox" name="outcome" value="${outcome}"><span>${OUTCOME_WORDS[outcome]}</span></label>`,
  )}</fieldset>
<div class="selects"><label>${groupWord(results)} <select id="tier"><option value="">all</option>${tiers.map((tier) => html`<option>${tier}</option>`)}</select></label>
<label>Backend <select id="backend"><option value="">all</option>${backends.map(
    (backend) => html`<option value="${backend}">${backendName(backend)}</option>`,
  )}</select></label></div>
<p class="found"><output id="found" for="words tier backend"></output> <button type="reset">Reset</button> <button type="button" id="open-all">Open all</button> <button type="button" id="close-all">Close all</button></p>
<p class="keys">Keys: <kbd>/</kbd> search, <kbd>j</kbd> next test, <kbd>k</kbd> previous test, <kbd>Enter</kbd> opens it. The address of this page keeps what you filter: share it to show the same.</p>
</form>`;
}
