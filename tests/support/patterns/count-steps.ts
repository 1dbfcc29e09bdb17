import type { Node } from './parse-pattern.js';

type Captures = ReadonlyMap<number | string, string>;
type Continue = (at: number, captures: Captures) => number | null;

/** The pattern needed more steps than it was allowed. */
class TooManySteps extends Error {}

/**
 * Searches a text as a backtracking engine does and counts its steps, so that the growth of a pattern's time can be
 * measured without a clock. Returns the limit if the search was given up there.
 */
export function countSteps(tree: Node, flags: string, text: string, limit: number): number {
  let steps = 0;
  const search = (from: number): { readonly end: number; readonly start: number } | null => {
    for (let start = from; start <= text.length; start += 1) {
      const end = match(tree, start, new Map(), (at) => at);
      if (end !== null) return { start, end };
      if (flags.includes('y')) return null;
    }
    return null;
  };

  function match(node: Node, at: number, captures: Captures, next: Continue): number | null {
    steps += 1;
    if (steps > limit) throw new TooManySteps();
    switch (node.type) {
      case 'character': {
        const letter = text[at];
        return letter !== undefined && node.accepts(letter) ? next(at + 1, captures) : null;
      }
      case 'sequence':
        return matchItems(node.items, 0, at, captures, next);
      case 'choice':
        for (const option of node.options) {
          const end = match(option, at, captures, next);
          if (end !== null) return end;
        }
        return null;
      case 'group':
        return match(node.body, at, captures, (end, inner) => {
          const texts = new Map(inner).set(node.number, text.slice(at, end));
          return next(end, node.name === null ? texts : texts.set(node.name, text.slice(at, end)));
        });
      case 'repeat':
        return matchRepeat(node, 0, at, captures, next);
      case 'look': {
        const found = node.ahead
          ? match(node.body, at, captures, (end) => end)
          : lookBehind(node.body, at, captures);
        return (found !== null) === node.negative ? null : next(at, captures);
      }
      case 'place':
        return isAt(node.kind, at) ? next(at, captures) : null;
      case 'back': {
        const wanted = captures.get(node.to) ?? '';
        return text.startsWith(wanted, at) ? next(at + wanted.length, captures) : null;
      }
      default:
        return node satisfies never;
    }
  }

  function matchItems(
    items: readonly Node[],
    index: number,
    at: number,
    captures: Captures,
    next: Continue,
  ): number | null {
    const item = items[index];
    if (item === undefined) return next(at, captures);
    return match(item, at, captures, (end, inner) => matchItems(items, index + 1, end, inner, next));
  }

  function matchRepeat(
    node: Extract<Node, { type: 'repeat' }>,
    count: number,
    at: number,
    captures: Captures,
    next: Continue,
  ): number | null {
    steps += 1;
    if (steps > limit) throw new TooManySteps();
    const again = () =>
      count >= node.max
        ? null
        : match(node.body, at, captures, (end, inner) =>
            end === at && count >= node.min ? null : matchRepeat(node, count + 1, end, inner, next),
          );
    if (count < node.min) return again();
    if (node.lazy) return next(at, captures) ?? again();
    return again() ?? next(at, captures);
  }

  /** Tries each beginning: our lookbehinds are short. */
  function lookBehind(body: Node, at: number, captures: Captures): number | null {
    for (let start = at; start >= Math.max(0, at - 40); start -= 1)
      if (match(body, start, captures, (end) => (end === at ? end : null)) !== null) return at;
    return null;
  }

  function isAt(kind: '^' | '$' | 'b' | 'B', at: number): boolean {
    const multiline = flags.includes('m');
    if (kind === '^') return at === 0 || (multiline && text[at - 1] === '\n');
    if (kind === '$') return at === text.length || (multiline && text[at] === '\n');
    const isWord = (letter: string | undefined) => letter !== undefined && /\w/.test(letter);
    return (isWord(text[at - 1]) !== isWord(text[at])) === (kind === 'b');
  }

  try {
    for (let found = search(0); found !== null && flags.includes('g'); ) {
      const from = found.end > found.start ? found.end : found.end + 1;
      found = from > text.length ? null : search(from);
    }
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return limit;
  }
  return steps;
}
