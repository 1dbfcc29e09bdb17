import { cleanText } from '../../text/safe-text.js';

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
  return new Markup(literals.map((literal, index) => literal + textOf(values[index] ?? null)).join(''));
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

/** A fast path: most texts need no cleaning, and ten thousand tests have many. */
const PLAIN = /^[\n\t -~]*$/;

function escapeText(text: string): string {
  return (PLAIN.test(text) ? text : cleanText(text)).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? '',
  );
}
