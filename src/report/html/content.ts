import type { Report } from '../../domain/report/report.js';
import { takeFitting } from '../../domain/text/fit.js';
import { type Checks, type Item, joinNames, type Line, type ReportBlock } from '../content/content.js';
import { moreInReport } from '../content/markdown.js';
import { capText, linePair, oneLine } from '../text/safe-text.js';
import { describeConsequences, nameStanding, spellOut } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { bytesOf, type Content, html, type Markup, NOTHING } from './page.js';
import type { PageIndex } from './places.js';

/** Where the parts of a page are, for links; null on a page without tests. */
type HtmlPlace = Pick<PageIndex, 'addressOf' | 'testOf' | 'linkOf'> | null;

/** Writes blocks as HTML. */
export function writeHtml(body: readonly ReportBlock[], place: HtmlPlace): Markup {
  return html`${body.map((block) => writeBlock(block, place))}`;
}

function writeBlock(block: ReportBlock, place: HtmlPlace): Markup {
  switch (block.kind) {
    case 'heading': {
      const words = writeLine(block.line, place);
      if (block.level === 5) return html`<h5>${words}</h5>\n`;
      return block.level === 4 ? html`<h4>${words}</h4>\n` : html`<h3>${words}</h3>\n`;
    }
    case 'paragraph':
      return html`<p>${writeLine(block.line, place)}</p>\n`;
    case 'list': {
      const { limit = Number.POSITIVE_INFINITY, more = moreInReport } = block;
      const items = block.items.map((item) => writeItem(item, place));
      return bulletList(fitList(items, { limit, more }), 'spaced');
    }
    case 'facts':
      return factList(
        block.facts.map(([name, value, below = []]) => [
          name,
          html`${writeLine(value, place)}${below.map((line) => html`<br><span class="quiet">${writeLine(line, place)}</span>`)}`,
        ]),
      );
    case 'table':
      return html`<table><thead><tr>${block.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${writeLine(cell, place)}</td>`)}</tr>`)}</tbody></table>\n`;
    case 'quote':
      return quoteBox(block.name, block.text, { ...block, whole: wholeOf(block.whole, place) });
    case 'command':
      return commandBox(block.command);
    case 'checks':
      return writeChecks(block);
    case 'fold':
      return folded(block.name, writeHtml(block.body, place), block.note);
    default:
      return block satisfies never;
  }
}

function writeItem(item: Item, place: HtmlPlace): Markup {
  if (typeof item !== 'object' || item === null || !('below' in item)) return html`${writeLine(item, place)}`;
  return html`${writeLine(item.line, place)}${bulletList(item.below.map((line) => writeLine(line, place)))}`;
}

/** Writes one line as HTML. */
function writeLine(line: Line, place: HtmlPlace): Content {
  if (line === null || line === false || typeof line === 'number') return line;
  if (typeof line === 'string') return oneForeign(line, LINE_LIMIT);
  if (!('kind' in line)) return line.map((part) => writeLine(part, place));
  switch (line.kind) {
    case 'own':
      return line.text;
    case 'text':
      return oneForeign(`${line.text}`, line.limit);
    case 'code':
      return htmlCode(`${line.text}`, line.limit);
    case 'strong':
      return html`<strong>${writeLine(line.line, place)}</strong>`;
    case 'quiet':
      return html`<span class="quiet">${writeLine(line.line, place)}</span>`;
    case 'time':
      return html`<time datetime="${oneLine(line.text, 40)}">${oneLine(formatTime(line.text), 40)}</time>`;
    case 'file':
      return place === null ? htmlCode(line.text, 400) : place.linkOf(line.text);
    case 'badge': {
      const tone = line.outcome === 'inconclusive' ? 'failed' : line.outcome;
      return html`<span class="badge ${tone}">${nameStanding(line.outcome)}</span>`;
    }
    case 'test': {
      const test = place?.testOf(line.label) ?? null;
      const name = htmlCode(line.label, 100);
      return test === null || place === null ? name : html`<a href="#${place.addressOf(test)}">${name}</a>`;
    }
    case 'names':
      return writeLine(joinNames(line), place);
    case 'page': {
      const words = writeLine(line.line, place);
      return place === null ? words : html`<a href="#${place.addressOf(line.test)}">${words}</a>`;
    }
    default:
      return line satisfies never;
  }
}

const LINE_LIMIT = 400;

/** A file has a link if it is one of the run's own. */
function wholeOf(whole: string | null, place: HtmlPlace): Markup | null {
  if (whole === null) return null;
  return place === null ? htmlCode(whole, 400) : place.linkOf(whole);
}

/** Renders names and values; a null value omits its line. */
function factList(all: readonly (readonly [string, Content])[]): Markup {
  const shown = all.filter(([, value]) => value !== null && value !== '');
  if (shown.length === 0) return NOTHING;
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>\n`;
}

/** Renders a list; nothing if there are no items. */
export function bulletList(items: readonly Content[], className = 'plain'): Markup {
  if (items.length === 0) return NOTHING;
  return html`<ul class="${className}">${items.map((item) => html`<li>${item}</li>`)}</ul>\n`;
}

/** Keeps as many items as fit into `limit` bytes; `more` says how many are missing. */
export function fitList(
  items: readonly Markup[],
  { limit, more = moreInReport }: { readonly limit: number; readonly more?: (left: number) => string },
): readonly Content[] {
  const { kept, left } = takeFitting(items, limit, bytesOf);
  return left === 0 ? kept : [...kept, html`<span class="quiet">${more(left)}</span>`];
}

/** Renders code on one line. */
export function htmlCode(text: string, limit = 200): Markup {
  return html`<code>${oneLine(text, limit)}</code>`;
}

/** Renders a foreign line, cut to `limit` characters. */
export function oneForeign(text: string, limit = 200): Markup {
  return html`<bdi>${oneLine(text, limit)}</bdi>`;
}

interface QuoteOptions {
  readonly limit: number;
  /** Where to find the whole text if it is cut. */
  readonly whole: Markup | null;
  readonly language?: string;
}

/** A longer quoted text scrolls in its own box, which takes the keyboard focus. */
const SCROLLS_FROM = { characters: 1_600, lines: 24 };

/** Renders a foreign text in its own box. In a diff, added and removed lines are marked. */
export function quoteBox(name: string, text: string, { limit, whole, language = '' }: QuoteOptions): Markup {
  const shown = capText(text, { limit, whole: null }).replace(/(?<!\n)\n+$/, '');
  if (shown === '') return html`<p class="quiet">(empty)</p>`;
  const body = language === 'diff' ? markChanges(shown) : html`${shown}`;
  const scrolls = shown.length > SCROLLS_FROM.characters || shown.split('\n').length > SCROLLS_FROM.lines;
  const box = scrolls
    ? html`<pre class="quote scrolls" tabindex="0" role="group" aria-label="${name}"><code>${body}</code></pre>`
    : html`<pre class="quote"><code>${body}</code></pre>`;
  return text.length > limit && whole !== null
    ? html`${box}<p class="quiet">The whole is in ${whole}</p>`
    : box;
}

function markChanges(diff: string): Markup {
  const lines = diff.split('\n').map((text) => {
    if (text.startsWith('+')) return html`<ins>${text}</ins>\n`;
    return text.startsWith('-') ? html`<del>${text}</del>\n` : html`${text}\n`;
  });
  return html`${lines}`;
}

/** Renders a part that opens on demand. */
export function folded(name: string, body: Markup, note = ''): Markup {
  return html`<details class="fold"><summary>${name}${note === '' ? null : html` <span class="quiet">${note}</span>`}</summary>${body}</details>`;
}

/** Renders a command to paste. Its button appears only if scripts run. */
function commandBox(command: string): Markup {
  return html`<div class="command"><code>${oneLine(command, 4_000)}</code><button type="button" class="copy" hidden>Copy</button></div>`;
}

type Compared = Pick<Report['results'][number]['assertions'][number], 'expected' | 'actual'>;

/** Renders what a check expected and what it received. */
export function expectation({ expected, actual }: Compared, limit: number): Markup {
  const [wanted, received] = linePair(expected, actual, limit);
  return html`<dl class="sides"><div><dt>Expected</dt><dd>${oneForeign(wanted, limit)}</dd></div><div><dt>Received</dt><dd>${oneForeign(received, limit)}</dd></div></dl>`;
}

/** Renders the checks that failed; the others are folded if some failed. */
function writeChecks(checks: Checks): Markup {
  const { failed, failedLeft, consequences, passed, passedLeft, detail } = checks;
  const held = html`<ul class="assertions">${passed.map(
    (name) => html`<li class="held"><span class="mark">passed</span> ${oneForeign(name, 200)}</li>`,
  )}${passedLeft > 0 && html`<li class="quiet">${passedLeft} more passed, see report.json</li>`}</ul>`;
  const list = (shown: Checks['failed'], left: number) =>
    html`<ul class="assertions">${shown.map((check) => writeFailed(check, detail.text))}${
      left > 0 && html`<li class="quiet">${left} more failed, see report.json</li>`
    }</ul>\n`;
  const count = passed.length + passedLeft;
  return html`${failed.length > 0 && list(failed, failedLeft)}${
    consequences.length > 0 &&
    folded(
      describeConsequences(consequences),
      list(consequences.slice(0, detail.rows), consequences.length - detail.rows),
    )
  }${count > 0 && (failed.length > 0 ? folded(`${countOf(count, 'check')} passed`, held) : held)}`;
}

function writeFailed(check: Checks['failed'][number], limit: number): Markup {
  const { name, about, actual, category, diff, suggestion } = check;
  return html`<li class="broken"><span class="mark">failed</span> ${oneForeign(name, 200)} <span class="quiet">${spellOut(category)}</span>
${about?.unanswered === undefined ? expectation(check, limit) : quoteBox('Received', actual, { limit, whole: null })}
${suggestion !== null && html`<p class="hint">${oneForeign(suggestion, 400)}</p>`}
${diff !== null && quoteBox(`Difference in ${name.slice(0, 80)}`, diff, { limit, whole: htmlCode('report.json'), language: 'diff' })}</li>`;
}

/** Formats a time: `2026-01-20 14:30 UTC`; returns an invalid one unchanged. */
function formatTime(timestamp: string): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return timestamp;
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
