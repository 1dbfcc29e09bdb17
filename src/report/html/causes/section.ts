import type { Report, ReportResult } from '../../../domain/report/report.js';
import { renderAgentPrompt } from '../../agent/prompt.js';
import { headAndTail } from '../../markdown/parts.js';
import { findDivergence } from '../../model/divergence.js';
import { findWrongMoment, nameMoment } from '../../model/wrong-moment.js';
import { sourcesOf } from '../../words/cause-words.js';
import { countOf, describeBlame } from '../../words/words.js';
import type { PageIndex } from '../page/address.js';
import { testLink, testLinks } from '../page/links.js';
import { bytesOf, html, type Markup, NOTHING } from '../page/markup.js';
import { bulletList, code, commandBox, expectation, factList, fitList, folded, line } from '../parts.js';
import { formatBytes } from '../words.js';

/** Up to so many causes are all open at first; of more, only the largest is, so that the tests begin on the first screens. */
const OPEN_CAUSES = 2;
/** So many tests of a cause are named at once; the rest opens on demand. */
const SHOWN_TESTS = 12;
/** Limits in bytes: all causes, and the prompts for agents in them. */
const ROOM = { causes: 240_000, prompts: 80_000 };

type Numbered = PageIndex['causes'][number];

/** Renders why tests failed: one entry for each cause, however many tests it breaks. */
export function renderCausesSection(report: Report, index: PageIndex): Markup {
  const { causes } = index;
  if (causes.length === 0) return NOTHING;
  const prompts = renderPrompts(report, causes);
  const items = causes.map((entry) =>
    renderCauseEntry(entry, {
      index,
      prompt: prompts.get(entry) ?? NOTHING,
      isOpen: entry.number === 1 || causes.length <= OPEN_CAUSES,
    }),
  );
  const more = (left: number) =>
    html`<span class="quiet">${countOf(left, 'more cause')} in report.json</span>`;
  return bulletList(fitList(items, { limit: ROOM.causes, more }), 'causes');
}

interface EntryOptions {
  readonly index: PageIndex;
  readonly prompt: Markup;
  readonly isOpen: boolean;
}

function renderCauseEntry(
  { cause, number, address }: Numbered,
  { index, prompt, isOpen }: EntryOptions,
): Markup {
  const [label = ''] = cause.tests;
  const first = index.testOf(label);
  return html`<details class="cause failed" id="${address}"${isOpen && html` open`}>
<summary><span class="badge failed">${countOf(cause.tests.length, 'test')}</span> <h3><span class="quiet">${number}.</span> ${line(cause.hypothesis, 600)}</h3></summary>
<div class="body">
${factList([
  ['Area', cause.areas.length === 0 ? null : line(cause.areas.join(', '), 200)],
  ['Blames', first?.diagnosis ? describeBlame(first.diagnosis.blames) : null],
  ['Look at', renderSources(cause)],
  ['Rule', cause.rule === '' ? null : code(cause.rule, 80)],
])}
${renderPromises(cause)}
${cause.contrast.map((text) => html`<p class="hint"><strong>In common:</strong> ${line(text, 300)}</p>`)}
${first !== null && renderFirstTest(label, first, index)}
<h4>Tests</h4>
${renderCauseTests(cause.tests, index)}
${prompt}
</div></details>`;
}

function renderSources(cause: Numbered['cause']): Markup | null {
  const sources = sourcesOf(cause).slice(0, 5);
  return sources.length === 0
    ? null
    : html`${sources.map((source, place) => [place > 0 && html`<br>`, code(source, 200)])}`;
}

/** Renders the broken promises, without those that the hypothesis quotes. */
function renderPromises({ promises, hypothesis }: Numbered['cause']): Markup {
  const further = promises.filter(({ promise }) => !hypothesis.includes(promise)).slice(0, 5);
  return html`${further.map(({ promise }) => html`<p class="hint"><strong>Ralph promises:</strong> ${line(promise, 300)}</p>`)}`;
}

/** Renders where the test that shows the cause best went wrong first, and how to run it again. */
function renderFirstTest(label: string, result: ReportResult, index: PageIndex): Markup {
  const check = findDivergence(result);
  const moment = nameMoment(findWrongMoment(result), result);
  return html`${
    check !== undefined &&
    html`<h4>First divergence <span class="quiet">in ${testLink(label, index)}${moment !== null && `, ${moment}`}</span></h4>
<div class="divergence"><p>${line(check.name, 300)}</p>${expectation(check, 600)}</div>`
  }${result.repeat_command !== '' && html`<h4>Run it again</h4>${commandBox(index.runAnywhere(result.repeat_command))}`}`;
}

function renderCauseTests(labels: readonly string[], index: PageIndex): Markup {
  const shown = html`<p class="links">${testLinks(labels.slice(0, SHOWN_TESTS), index)}</p>`;
  const rest = labels.slice(SHOWN_TESTS);
  if (rest.length === 0) return shown;
  const { kept, left } = headAndTail(rest, 400);
  return html`${shown}${folded(
    `${rest.length} more`,
    html`<p class="links">${testLinks(kept, index)}${left > 0 && `, ${left} more in report.json`}</p>`,
  )}`;
}

/** Renders the prompts for agents, the first causes first, as far as there is space for them. */
function renderPrompts(report: Report, causes: readonly Numbered[]): ReadonlyMap<Numbered, Markup> {
  const prompts = new Map<Numbered, Markup>();
  let room = ROOM.prompts;
  for (const entry of causes) {
    const text = renderAgentPrompt(report, entry.cause);
    if (text === '') continue;
    const prompt = renderPrompt(text, `prompt-${entry.number}`);
    room -= bytesOf(prompt);
    if (room < 0) break;
    prompts.set(entry, prompt);
  }
  return prompts;
}

/** The button appears only if scripts run. Without them, the prompt can be read and selected. */
function renderPrompt(prompt: string, id: string): Markup {
  const size = formatBytes(Buffer.byteLength(prompt));
  return html`<div class="handover"><button type="button" class="copy" data-copy="${id}" hidden>Copy for an agent</button>
${folded('The prompt for an agent', html`<pre class="quote scrolls" id="${id}" tabindex="0" role="group" aria-label="The prompt for an agent"><code>${prompt}</code></pre>`, size)}</div>`;
}
