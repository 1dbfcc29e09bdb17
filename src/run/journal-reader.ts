import { createReadStream } from 'node:fs';
import { createJournalReader, type JournalEvent, type ParsedJournal } from '../domain/journal.js';

/** Reads the journal of a run from disk, a line at a time: one of ten thousand results is too long for one string. */
export async function readJournal(
  path: string,
  keep?: (event: JournalEvent) => JournalEvent,
): Promise<ParsedJournal> {
  const reader = createJournalReader(keep);
  // Bytes until a line is whole: text of whole pieces would be long-lived garbage, several times the journal's size.
  let begun: Buffer[] = [];
  for await (const piece of createReadStream(path)) {
    const rest = eachLine(piece, (end) => {
      reader.add(Buffer.concat([...begun, end]).toString('utf8'));
      begun = [];
    });
    if (rest.length > 0) begun.push(rest);
  }
  if (begun.length > 0) reader.add(Buffer.concat(begun).toString('utf8'));
  return reader.end({ complete: begun.length === 0 });
}

/** Calls with the bytes of each line that ends in this piece, and gives those after the last line feed. */
function eachLine(piece: Buffer, take: (line: Buffer) => void): Buffer {
  let from = 0;
  for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
    take(piece.subarray(from, end));
    from = end + 1;
  }
  return piece.subarray(from);
}
