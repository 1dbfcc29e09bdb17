import { capText, oneLine } from '../text/safe-text.js';
import { formatNumber } from '../words/words.js';
import { bytesOf, type Content, html, isEmpty, type Markup, NOTHING } from './page/markup.js';

/** The building blocks of the page. */

/** A heading inside a test, with what stands under it; nothing without content. */
export function titled(title: string, body: Markup): Markup {
  return isEmpty(body) ? NOTHING : html`<h4>${title}</h4>${body}`;
}

/** Names and values; a value of null leaves out its line. */
export function factList(facts: readonly (readonly [string, Content])[]): Markup {
  const shown = facts.filter(([, value]) => value !== null && value !== '');
  if (shown.length === 0) return NOTHING;
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A list; nothing without items. */
export function bulletList(items: readonly Content[], className = 'plain'): Markup {
  if (items.length === 0) return NOTHING;
  return html`<ul class="${className}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Code on one line. */
export function code(text: string, limit = 200): Markup {
  return html`<code>${oneLine(text, limit)}</code>`;
}

/** A line that somebody else wrote, cut to `limit` characters. */
export function line(text: string, limit = 200): Markup {
  return html`<bdi>${oneLine(text, limit)}</bdi>`;
}

export interface QuoteOptions {
  readonly limit: number;
  /** Where a reader finds the whole when it is cut. */
  readonly whole: Markup | null;
}

/** From this size on a quoted text scrolls in its own box, and the box takes the keyboard's focus. */
const SCROLLS_FROM = { characters: 1_600, lines: 24 };

/** A text that somebody else wrote, in a box of its own. */
export function quoteBox(name: string, text: string, { limit, whole }: QuoteOptions): Markup {
  const shown = capText(text, { limit, whole: null }).replace(/\n+$/, '');
  if (shown === '') return html`<p class="quiet">(empty)</p>`;
  const box = renderBox(name, shown, html`${shown}`);
  const cut = text.length > limit && whole !== null;
  return cut ? html`${box}<p class="quiet">The whole is in ${whole}</p>` : box;
}

/** A quoted text behind its name; null where there is none. */
export function foldedQuote(name: string, text: string | null, options: QuoteOptions): Markup {
  if (text === null) return NOTHING;
  return folded(name, quoteBox(name, text, options), `${formatNumber(text.length)} characters`);
}

/** A part that opens when it is asked for. */
export function folded(name: string, body: Markup, note = ''): Markup {
  return html`<details class="fold"><summary>${name}${note === '' ? null : html` <span class="quiet">${note}</span>`}</summary>${body}</details>`;
}

/** Lines of a unified diff, marked by what they do. */
export function diffBox(name: string, diff: string, limit: number): Markup {
  const shown = capText(diff, { limit, whole: 'report.json' }).replace(/\n+$/, '');
  const marked = shown.split('\n').map((text) => {
    if (text.startsWith('+')) return html`<ins>${text}</ins>\n`;
    return text.startsWith('-') ? html`<del>${text}</del>\n` : html`${text}\n`;
  });
  return renderBox(name, shown, html`${marked}`);
}

/** A command to paste. The button appears where scripts run. */
export function commandBox(command: string): Markup {
  return html`<div class="command"><code>${oneLine(command, 4_000)}</code><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** As many items as fit into `limit` bytes; `more` tells how many were left out. */
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

function renderBox(name: string, text: string, body: Markup): Markup {
  const scrolls = text.length > SCROLLS_FROM.characters || text.split('\n').length > SCROLLS_FROM.lines;
  return scrolls
    ? html`<pre class="quote scrolls" tabindex="0" role="group" aria-label="${name}"><code>${body}</code></pre>`
    : html`<pre class="quote"><code>${body}</code></pre>`;
}
