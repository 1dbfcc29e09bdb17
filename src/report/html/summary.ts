import { involvesRalph } from '../../domain/attempt.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import { type Outcome, standingOf } from '../../domain/vocabulary.js';
import { renderAgentPrompt } from '../agent.js';
import {
  bulleted,
  cut,
  facts,
  fold,
  heading,
  inCode,
  type Line,
  listed,
  own,
  paragraph,
  quiet,
  type ReportBlock,
  testName,
  words,
} from '../content/content.js';
import { causeBlocks } from '../sections/causes.js';
import { formatBytes } from '../sections/context.js';
import { groupBlocks, runFacts } from '../sections/run.js';
import { countsOf, meaningOf, nameCounted, nameVerdict, OUTCOMES, reasonOf } from '../words/outcomes.js';
import { countOf, describeBlame } from '../words/words.js';
import { bulletList, fitList, folded, oneForeign, writeHtml } from './content.js';
import { bytesOf, html, type Markup, NOTHING } from './page.js';
import type { PageIndex } from './places.js';

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

/** Renders the counts as tiles, what did not simply pass, and the counts of tiers and backends. */
export function renderSummarySection(report: Report, index: PageIndex): Markup {
  return html`${renderTiles(report)}
<div class="attention">${writeHtml(troubledBlocks(report, index), index)}</div>
${writeHtml(groupBlocks(report), index)}`;
}

/** Each tile links to the tests; with scripts, to those of its outcome. */
function renderTiles({ summary }: Report): Markup {
  const counts = { ...countsOf(summary), failed: summary.failed };
  const always: readonly Outcome[] = ['failed', 'passed', 'skipped'];
  const shown = OUTCOMES.filter((outcome) => counts[outcome] > 0 || always.includes(outcome));
  return html`<ul class="tiles">${shown.map(
    (outcome) =>
      html`<li><a class="tile ${outcome}${counts[outcome] === 0 ? ' none' : ''}" href="#tests" data-show="${outcome}"><b>${counts[outcome]}</b> <span>${nameCounted(outcome, counts[outcome])}</span> <small>${meaningOf(outcome)}</small></a></li>`,
  )}</ul>`;
}

/** Lists what did not simply pass. Tests whose cause is known are in the next section. */
function troubledBlocks({ results }: Report, { causeOf }: PageIndex): ReportBlock[] {
  const troubled = (['failed', 'error', 'flaky'] as const)
    .flatMap((outcome) => results.filter((result) => result.outcome === outcome && causeOf(result) === null))
    .toSorted((a, b) => Number(a.inconclusive) - Number(b.inconclusive));
  const items = troubled.map((test): Line => {
    const label = cut(labelOf(test), 100);
    return words`${{ kind: 'badge', outcome: standingOf(test) }} ${{ kind: 'page', test, line: label }} ${quiet(cut(reasonOf(test, 160) ?? '', 160))}`;
  });
  return bulleted(items, { limit: 6_000, more: (left) => `${left} more below` });
}

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
  const prompts = renderPrompts(report, causes);
  const items = causes.map((entry) => {
    const isOpen = entry.number === 1 || causes.length <= OPEN_CAUSES;
    return renderCause(report, entry, { index, isOpen, prompt: prompts.get(entry) ?? NOTHING });
  });
  const more = (left: number) => `${countOf(left, 'more cause')} in report.json`;
  return bulletList(fitList(items, { limit: ROOM.causes, more }), 'causes');
}

interface CauseOptions {
  readonly index: PageIndex;
  readonly prompt: Markup;
  readonly isOpen: boolean;
}

function renderCause(
  report: Report,
  { cause, number, address }: Numbered,
  { index, prompt, isOpen }: CauseOptions,
): Markup {
  const first = index.testOf(cause.tests[0] ?? '');
  const body = [
    ...facts([
      ['Area', cause.areas.length > 0 && cut(cause.areas.join(', '), 200)],
      ['Blames', own(first?.diagnosis ? describeBlame(first.diagnosis.blames) : '')],
      ['Rule', cause.rule !== '' && inCode(cause.rule, 80)],
    ]),
    heading(4, own('What is known')),
    ...causeBlocks(report, cause, {
      hypothesis: 600,
      tests: SHOWN_TESTS,
      again: ({ repeat_command }) => index.runAnywhere(repeat_command),
      againTitle: 'Run it again',
    }),
    ...nameOthers(cause.tests.slice(SHOWN_TESTS)),
  ];
  return html`<details class="cause failed" id="${address}"${isOpen && html` open`}>
<summary><span class="badge failed">${countOf(cause.tests.length, 'test')}</span> <h3><span class="quiet">${number}.</span> ${oneForeign(cause.hypothesis, 600)}</h3></summary>
<div class="body">
${writeHtml(body, index)}
${prompt}
</div></details>`;
}

function nameOthers(labels: readonly string[]): ReportBlock[] {
  if (labels.length === 0) return [];
  const names = headAndTail(labels.map(testName), 400);
  return fold('', `${labels.length} more tests`, [paragraph(listed(names))]);
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
