import { code } from '../parts.js';
import type { PageIndex } from './address.js';
import { type Content, html, type Markup } from './markup.js';

/** Renders the label of a test, such as `hooks-run [claude]`, as a link to its card. */
export function testLink(label: string, { testOf, addressOf }: PageIndex): Markup {
  const found = testOf(label);
  return found === null ? code(label, 100) : html`<a href="#${addressOf(found)}">${code(label, 100)}</a>`;
}

/** Renders links to tests, separated by commas. */
export function testLinks(labels: readonly string[], index: PageIndex): Content {
  return labels.map((label, place) => [place > 0 && ', ', testLink(label, index)]);
}
