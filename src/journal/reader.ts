import { KnownError } from '../domain/common/known-error.js';
import { createJournalReader, type JournalEvent, type ParsedJournal } from '../domain/journal.js';
import { hasErrorCode } from '../exec/error-code.js';
import { openPlainFile } from '../exec/files/plain-file.js';

/** Reads the journal of a run from disk. */
export async function readJournal(
  path: string,
  keep?: (event: JournalEvent) => JournalEvent,
): Promise<ParsedJournal> {
  try {
    return await readLineByLine(path, keep);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    throw new KnownError(`Expected the run's journal at ${path}, found none. Something removed it.`, {
      hint: 'An agent runs with your permissions and can remove it, except with --isolation bwrap or docker.',
    });
  }
}

/** Reads line by line: a journal with ten thousand results is too long for one string. */
async function readLineByLine(
  path: string,
  keep?: (event: JournalEvent) => JournalEvent,
): Promise<ParsedJournal> {
  const reader = createJournalReader(keep);
  // Keep bytes until a line is complete: decoding whole pieces would leave garbage several times the journal's size.
  let begun: Buffer[] = [];
  const file = await openPlainFile(path);
  for await (const piece of file.createReadStream()) {
    const rest = eachLine(piece, (end) => {
      reader.add(Buffer.concat([...begun, end]).toString('utf8'));
      begun = [];
    });
    if (rest.length > 0) begun.push(rest);
  }
  if (begun.length > 0) reader.add(Buffer.concat(begun).toString('utf8'));
  return reader.end({ complete: begun.length === 0 });
}

/** Passes on the bytes of each line that ends in this piece, and returns those after the last line feed. */
function eachLine(piece: Buffer, take: (line: Buffer) => void): Buffer {
  let from = 0;
  for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
    take(piece.subarray(from, end));
    from = end + 1;
  }
  return piece.subarray(from);
}
