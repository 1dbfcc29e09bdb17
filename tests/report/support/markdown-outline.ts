/** What a markdown reader sees of the structure of a page: enough to notice text that broke out of its place. */
export interface Outline {
  readonly headings: string[];
  /** Lines outside of fenced blocks. */
  readonly prose: string[];
  /** The same without what is in code. */
  readonly bare: string[];
  /** The content of each fenced block. */
  readonly fenced: string[];
  readonly problems: string[];
}

/** Reads fences as CommonMark does, and complains about whatever is not closed or does not belong. */
export function readOutline(markdown: string): Outline {
  const headings: string[] = [];
  const prose: string[] = [];
  const bare: string[] = [];
  const fenced: string[] = [];
  const problems: string[] = [];
  let fence: { mark: string; lines: string[] } | null = null;
  let depth = 0;
  let tableWidth: number | null = null;
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence) {
      const closes = mark?.[1]?.startsWith(fence.mark) && mark[2]?.trim() === '';
      if (closes) {
        fenced.push(fence.lines.join('\n'));
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    if (mark?.[1] && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) {
      fence = { mark: mark[1], lines: [] };
      continue;
    }
    prose.push(line);
    if (/^ {0,3}#{1,6}(\s|$)/.test(line)) headings.push(line);
    if (/^ {0,3}=+\s*$/.test(line)) problems.push(`a line that makes a heading of the one before: ${line}`);
    const plain = withoutCode(line.replace(/<code>[^<>]*<\/code>/g, ''));
    bare.push(plain);
    if (line === '<details>') depth += 1;
    else if (line === '</details>') depth -= 1;
    else if (!/^<summary>(?:[^<>]|<\/?code>)*<\/summary>$/.test(line) && /<[a-z!/?]/i.test(plain))
      problems.push(`HTML in ${line}`);
    if (depth < 0) problems.push('a </details> too many');
    const width = line.startsWith('|') ? cellsOf(line) : null;
    if (width !== null && tableWidth !== null && width !== tableWidth)
      problems.push(`a row of ${width} cells in a table of ${tableWidth}: ${line}`);
    tableWidth = width === null ? null : (tableWidth ?? width);
  }
  if (fence) problems.push(`a fence that is not closed: ${fence.mark}`);
  if (depth !== 0) problems.push(`${depth} <details> that are not closed`);
  return { headings, prose, bare, fenced, problems };
}

/** Splits at pipes as GFM does: before code spans are looked at, `\|` alone does not count. */
function cellsOf(row: string): number {
  return row.replace(/\\\|/g, '').split('|').length - 2;
}

/** The line without its code spans and backslash escapes. */
function withoutCode(line: string): string {
  let rest = line;
  let out = '';
  while (rest !== '') {
    const escaped = /^\\[!-/:-@[-`{-~]/.exec(rest);
    const ticks = /^`+/.exec(rest)?.[0];
    if (escaped) rest = rest.slice(2);
    else if (ticks) {
      const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(ticks.length));
      rest = end ? rest.slice(ticks.length + end.index + ticks.length) : rest.slice(ticks.length);
    } else {
      out += rest.charAt(0);
      rest = rest.slice(1);
    }
  }
  return out;
}
