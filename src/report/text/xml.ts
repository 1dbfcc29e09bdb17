import type { Pieces } from './pieces.js';
import { capText, oneLine } from './safe-text.js';

/** An element of an XML document, made of parts that are already safe. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** Makes an element. Attribute values are plain text on one line; string children must come from `xmlText`. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (XmlElement | string)[]
): XmlElement {
  return { name, attributes, children };
}

/** Makes text for between tags: cleaned, shortened and escaped. */
export function xmlText(text: string, options: { readonly limit: number; readonly whole: string | null }) {
  return escapeXml(capText(text, options));
}

/** Renders an element, indented; text stays unchanged, because its white space matters. */
export function renderXml({ name, attributes, children }: XmlElement, indent = ''): string {
  const open = `${indent}${beginTag(name, attributes)}`;
  if (children.length === 0) return `${open}/>`;
  const texts = children.filter((child) => typeof child === 'string');
  if (texts.length > 0) return `${open}>${texts.join('')}</${name}>`;
  const inner = children.flatMap((child) =>
    typeof child === 'string' ? [] : [renderXml(child, `${indent}  `)],
  );
  return `${open}>\n${inner.join('\n')}\n${indent}</${name}>`;
}

/** Renders an element piece by piece; like the pieces of `inner`, it starts with a line feed. */
export function* wrapXml(
  name: string,
  attributes: Readonly<Record<string, string>>,
  { inner, indent = '' }: { readonly inner: Pieces; readonly indent?: string },
): Pieces {
  yield `\n${indent}${beginTag(name, attributes)}>`;
  yield* inner;
  yield `\n${indent}</${name}>`;
}

function beginTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(oneLine(value, ATTRIBUTE_LIMIT))}"`,
  );
  return `<${name}${given.join('')}`;
}

const ATTRIBUTE_LIMIT = 1_000;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 cannot represent U+FFFE and U+FFFF, not even escaped. Clean text has no control characters. */
function escapeXml(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? '');
}
