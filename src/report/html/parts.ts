import { capText, linePair, oneLine } from '../text/safe-text.js';
import { formatNumber } from '../words/words.js';
import { bytesOf, type Content, html, isEmpty, type Markup, NOTHING } from './page/markup.js';

/** The building blocks of the page. */

/** Renders a heading inside a test and its content; nothing if there is no content. */
export function titled(title: string, body: Markup): Markup {
  return isEmpty(body) ? NOTHING : html`<h4>${title}</h4>${body}`;
}

/** Renders names and values; a null value omits its line. */
export function factList(facts: readonly (readonly [string, Content])[]): Markup {
  const shown = facts.filter(([, value]) => value !== null && value !== '');
  if (shown.length === 0) return NOTHING;
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Renders a list; nothing if there are no items. */
export function bulletList(items: readonly Content[], className = 'plain'): Markup {
  if (items.length === 0) return NOTHING;
  return html`<ul class="${className}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Renders code on one line. */
export function code(text: string, limit = 200): Markup {
  return html`<code>${oneLine(text, limit)}</code>`;
}

/** Renders a foreign line, cut to `limit` characters. */
export function line(text: string, limit = 200): Markup {
  return html`<bdi>${oneLine(text, limit)}</bdi>`;
}

export interface QuoteOptions {
  readonly limit: number;
  /** Where to find the whole text if it is cut. */
  readonly whole: Markup | null;
}

/** A longer quoted text scrolls in its own box, which takes the keyboard focus. */
const SCROLLS_FROM = { characters: 1_600, lines: 24 };

/** Renders a foreign text in its own box. */
export function quoteBox(name: string, text: string, { limit, whole }: QuoteOptions): Markup {
  const shown = capText(text, { limit, whole: null }).replace(/(?<!\n)\n+$/, '');
  if (shown === '') return html`<p class="quiet">(empty)</p>`;
  const box = renderBox(name, shown, html`${shown}`);
  const cut = text.length > limit && whole !== null;
  return cut ? html`${box}<p class="quiet">The whole is in ${whole}</p>` : box;
}

/** Renders a folded quoted text; nothing if there is none. */
export function foldedQuote(name: string, text: string | null, options: QuoteOptions): Markup {
  if (text === null) return NOTHING;
  return folded(name, quoteBox(name, text, options), `${formatNumber(text.length)} characters`);
}

/** Renders a part that opens on demand. */
export function folded(name: string, body: Markup, note = ''): Markup {
  return html`<details class="fold"><summary>${name}${note === '' ? null : html` <span class="quiet">${note}</span>`}</summary>${body}</details>`;
}

/** Renders a unified diff, with added and removed lines marked. */
export function diffBox(name: string, diff: string, limit: number): Markup {
  const shown = capText(diff, { limit, whole: 'report.json' }).replace(/(?<!\n)\n+$/, '');
  const marked = shown.split('\n').map((text) => {
    if (text.startsWith('+')) return html`<ins>${text}</ins>\n`;
    return text.startsWith('-') ? html`<del>${text}</del>\n` : html`${text}\n`;
  });
  return renderBox(name, shown, html`${marked}`);
}

/** Renders a command to paste. Its button appears only if scripts run. */
export function commandBox(command: string): Markup {
  return html`<div class="command"><code>${oneLine(command, 4_000)}</code><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** Renders what a check expected and what it received. */
export function expectation(
  { expected, actual }: { readonly expected: string; readonly actual: string },
  limit: number,
): Markup {
  const [wanted, found] = linePair(expected, actual, limit);
  return html`<dl class="sides"><div><dt>Expected</dt><dd>${line(wanted, limit)}</dd></div><div><dt>Received</dt><dd>${line(found, limit)}</dd></div></dl>`;
}

/** Renders as many items as fit into `limit` bytes; `more` says how many are missing. */
export function fitList(
  items: readonly Markup[],
  options: { limit: number; more: (left: number) => Content },
): readonly Content[] {
  let used = 0;
  const overflow = items.findIndex((item) => {
    used += bytesOf(item);
    return used > options.limit;
  });
  return overflow === -1 ? items : [...items.slice(0, overflow), options.more(items.length - overflow)];
}

/** Draws a dot in a chart. */
export function drawDot(x: number, y: number): Markup {
  return html`<rect x="${(x - 4).toFixed(1)}" y="${(y - 4).toFixed(1)}" width="8" height="8" rx="4" fill="currentColor"/>`;
}

function renderBox(name: string, text: string, body: Markup): Markup {
  const scrolls = text.length > SCROLLS_FROM.characters || text.split('\n').length > SCROLLS_FROM.lines;
  return scrolls
    ? html`<pre class="quote scrolls" tabindex="0" role="group" aria-label="${name}"><code>${body}</code></pre>`
    : html`<pre class="quote"><code>${body}</code></pre>`;
}
