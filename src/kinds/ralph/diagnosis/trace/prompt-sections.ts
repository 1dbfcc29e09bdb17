/** A part of a prompt: a heading and the text below it, up to the next heading. */
export interface PromptSection {
  readonly heading: string;
  readonly text: string;
}

/** Headings of Markdown, and the tags in which Ralph encloses files such as the scratchpad. */
const HEADING = /^(?:#{1,3} .+|<[a-z][a-z-]*(?: [^>]*)?>)$/;
const FENCE = /^\s*```/;

/** Splits a prompt at its headings. Lines in code blocks are no headings. */
export function splitSections(prompt: string): PromptSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of prompt.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (!isCode && HEADING.test(line)) sections.push({ heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}
