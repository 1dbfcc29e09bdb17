/**
 * A long text, produced piece by piece: a report of ten thousand results is too large to hold as one string in addition
 * to the results. (A separate type, because a string is also an iterable of strings, one per character.)
 */
export type Pieces = Generator<string>;

/** Joins blocks with empty lines and skips empty ones, like `blocks` for short texts. */
export function* inBlocks(parts: Iterable<string | Pieces>): Pieces {
  let isFirst = true;
  for (const part of parts) {
    for (const block of typeof part === 'string' ? [part] : part) {
      if (block === '') continue;
      yield isFirst ? block : `\n\n${block}`;
      isFirst = false;
    }
  }
}

const CHUNK = 1 << 17;

/** Joins pieces into chunks that are worth a write each. */
export function* inChunks(pieces: Pieces): Pieces {
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < CHUNK) continue;
    yield waiting.join('');
    waiting = [];
    length = 0;
  }
  if (length > 0) yield waiting.join('');
}
