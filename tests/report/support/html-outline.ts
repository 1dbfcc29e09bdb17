/** What stands in a page: enough to notice text that broke out of its place. */
export interface HtmlOutline {
  readonly elements: readonly HtmlElement[];
  /** What a reader sees, style and script aside. */
  readonly text: string;
  readonly problems: readonly string[];
}

interface HtmlElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const VOID = new Set(['meta', 'br', 'input']);
const TOKEN =
  /<!doctype html>|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?:\s+[A-Za-z-]+(?:="[^"<>]*")?)*)\s*(\/?)>|[^<]+|</gy;

/** Reads HTML as strictly as XML: whatever our templates did not write on purpose is a problem. */
export function readHtml(page: string): HtmlOutline {
  const elements: HtmlElement[] = [];
  const problems: string[] = [];
  const open: string[] = [];
  let text = '';
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(page); match !== null; match = TOKEN.exec(page)) {
    const [token, closing, tag, attributes = '', selfClosing] = match;
    if (closing !== undefined) {
      if (open.pop() !== closing) problems.push(`</${closing}> closes something else`);
    } else if (tag !== undefined) {
      elements.push({ tag, attributes: readAttributes(attributes, problems) });
      if (tag === 'style' || tag === 'script') {
        const end = page.indexOf(`</${tag}>`, TOKEN.lastIndex);
        TOKEN.lastIndex = end === -1 ? page.length : end;
      }
      if (!VOID.has(tag) && selfClosing !== '/') open.push(tag);
    } else if (token === '<') problems.push(`a bare < before ${page.slice(match.index, match.index + 40)}`);
    else if (token !== '<!doctype html>') text += readText(token, problems);
  }
  if (open.length > 0) problems.push(`not closed: ${open.join(', ')}`);
  return { elements, text, problems };
}

function readAttributes(source: string, problems: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of source.matchAll(/\s+([A-Za-z-]+)(?:="([^"]*)")?/g)) {
    if (found.has(name)) problems.push(`${name} stands twice`);
    found.set(name, readText(value, problems));
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function readText(source: string, problems: string[]): string {
  if (source.includes('>')) problems.push(`a bare > in ${source.slice(0, 40)}`);
  return source.replace(/&([a-z0-9#]*;?)/gi, (whole, name: string) => {
    const character = name.endsWith(';') ? ENTITIES[name.slice(0, -1)] : undefined;
    if (character === undefined) problems.push(`a bare & in ${whole}`);
    return character ?? whole;
  });
}
