/**
 * A long text, produced piece by piece: a report of ten thousand results is too large to hold as one string in addition
 * to the results. (A separate type, because a string is also an iterable of strings, one per character.)
 */
export type Pieces = Generator<string>;

const CHUNK = 1 << 17;

/** Joins pieces into chunks of whole lines that are worth a write each. */
export function* inChunks(pieces: Pieces): Pieces {
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    const end = piece.lastIndexOf('\n') + 1;
    length += piece.length;
    waiting.push(piece.slice(0, end), piece.slice(end));
    if (length < CHUNK || end === 0) continue;
    const rest = waiting.pop() ?? '';
    yield waiting.join('');
    waiting = [rest];
    length = rest.length;
  }
  if (length > 0) yield waiting.join('');
}
