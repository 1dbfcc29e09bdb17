import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';

const LIMIT_MS = 10_000;
const STYLE = /\brel=["']?stylesheet\b/i;
const HREF = /\bhref=["']?([^"'\s>]+)/i;

/** Opens a page over HTTP and returns the style sheet that it links to. */
export async function openServedPage(
  url: string | undefined,
): Promise<{ readonly css: string; readonly source: string }> {
  if (url === undefined) throw new KnownError('Expected the address of the page as url, found none.');
  const page = await load(url);
  // Tag by tag: one pattern for all of it would take quadratic time on a page that an agent wrote.
  const links = page.split(/<link\b/i).slice(1);
  const tag = links.map((rest) => rest.split('>', 1)[0] ?? '').find((text) => STYLE.test(text));
  const href = HREF.exec(tag ?? '')?.[1];
  if (href === undefined) throw new KnownError(`The page at ${url} links to no style sheet.`);
  const source = new URL(href, url).href;
  return { css: await load(source), source };
}

async function load(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (answer.ok) return await answer.text();
    throw new KnownError(`${url} answered with status ${answer.status}.`);
  } catch (error) {
    if (error instanceof KnownError) throw error;
    throw new KnownError(`${url} cannot be opened: ${messageOf(error)}.`, { cause: error });
  }
}
