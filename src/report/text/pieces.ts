/**
 * A long text, told piece after piece: a report of ten thousand results is too much to hold as one text beside the
 * results themselves. (A type of its own, because a string is a row of strings too, of one character each.)
 */
export type Pieces = Generator<string>;

/** Blocks with an empty line between them, empty ones left out, as `blocks` joins those that are few. */
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

/** The same text in pieces that are worth a write each. */
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
