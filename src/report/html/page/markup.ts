import { cleanText } from '../../text/safe-text.js';

/** Finished HTML. A plain string is none: the type keeps text that was not escaped out of the page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text is cleaned and escaped, markup stays, lists are joined, the rest is nothing. */
export type Content = string | number | Markup | null | false | readonly Content[];

/** The way to make markup: html`<p title="${name}">${text}</p>`. Attributes must stand in double quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(literals.map((literal, index) => literal + textOf(values[index] ?? null)).join(''));
}

export const NOTHING = html``;

export function isEmpty(markup: Markup): boolean {
  return markup.text === '';
}

/** How much room markup takes in the file. */
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

/** Most texts hold nothing to clean, and ten thousand tests hold many. */
const PLAIN = /^[\n\t -~]*$/;

function escapeText(text: string): string {
  return (PLAIN.test(text) ? text : cleanText(text)).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? '',
  );
}
