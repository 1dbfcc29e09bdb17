import type { Report } from '../../domain/report/report.js';
import { renderAgentPrompt } from '../agent/prompt.js';
import type { ReportBlock } from '../content/content.js';
import { cut, facts, fold, heading, inCode, listed, own, paragraph, testName } from '../content/content.js';
import { causeBlocks } from '../sections/causes.js';
import { formatBytes } from '../sections/context.js';
import { headAndTail } from '../text/fit.js';
import { countOf, describeBlame } from '../words/words.js';
import { bulletList, fitList, folded, oneForeign, writeHtml } from './content.js';
import { bytesOf, html, type Markup, NOTHING } from './page/markup.js';
import type { PageIndex } from './page/places.js';

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
