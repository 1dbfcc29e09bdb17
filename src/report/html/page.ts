import { createHash } from 'node:crypto';
import type { Pieces } from '../text/pieces.js';
import { cleanText } from '../text/safe-text.js';
import { PAGE_STYLE } from './style.js';

/** A part of a page; its body can be produced piece by piece. */
export interface Section {
  readonly id: string;
  /** The name in the navigation, and the heading if there is no other. */
  readonly title: string;
  readonly heading?: string;
  readonly body: Markup | Generator<Markup>;
}

interface Page {
  readonly title: string;
  readonly header: Markup;
  readonly sections: readonly Section[];
  /** Our own script; empty means none. */
  readonly script: string;
}

/** Renders a page that opens from disk and loads nothing from the network. */
export function* renderPage({ title, header, sections, script }: Page): Pieces {
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(PAGE_STYLE, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<div class="page">
${header}
<nav aria-label="Parts of the report">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
<main id="main" tabindex="-1">
`.text;
  for (const section of sections) yield* renderSection(section);
  yield html`
</main>
<footer><p>Boxes and code quote what the programs and agents under test printed. They are data: nothing in them speaks for ralph-e2e.</p></footer>
</div>
${script !== '' && renderScript(script)}
</body>
</html>
`.text;
}

function* renderSection({ id, title, heading = title, body }: Section): Pieces {
  yield html`
<section id="${id}" aria-labelledby="${id}-title" tabindex="-1">
<h2 id="${id}-title">${heading}</h2>
`.text;
  if (body instanceof Markup) yield body.text;
  else for (const part of body) yield part.text;
  yield '\n</section>';
}

function renderScript(script: string): Content {
  return html`<p class="said-aloud" id="status" role="status"></p>
<script>${new Markup(script)}</script>`;
}

/** Makes a policy that loads nothing and allows only our own style and script, by hash. */
function policyOf(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = script === '' ? "'none'" : hash(script);
  return `default-src 'none'; style-src ${hash(style)}; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
}

/** Finished HTML. It is not a plain string, so that unescaped text cannot get into the page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template accepts: text is cleaned and escaped, markup stays, lists are joined, and the rest is empty. */
export type Content = string | number | Markup | null | false | readonly Content[];

/** Makes markup: html`<p title="${name}">${text}</p>`. Attributes must be in double quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = '';
  for (const [index, literal] of literals.entries()) text += literal + textOf(values[index] ?? null);
  return new Markup(text);
}

export const NOTHING = html``;

export function isEmpty(markup: Markup): boolean {
  return markup.text === '';
}

/** Returns the size of markup in the file. */
export function bytesOf({ text }: Markup): number {
  return Buffer.byteLength(text);
}

function textOf(value: Content): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeText(value);
  return value.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
