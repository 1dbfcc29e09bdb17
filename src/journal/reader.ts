import { KnownError } from '../domain/common/known-error.js';
import { createJournalReader, type JournalEvent, type ParsedJournal } from '../domain/journal.js';
import { hasErrorCode } from '../exec/error-code.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { createContradictionFinder } from './contradictions.js';
import { isOwnRun } from './own-runs.js';
import { createSealChecker } from './seal.js';

/** Larger than any journal that fits into memory, and read in seconds. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Larger than any record, and small enough for a string. */
const MAX_LINE = 256 * 1024 ** 2;

/** The journal of a run on disk. */
interface ReadJournal extends ParsedJournal {
  /** Whether this user started the run on this machine. */
  readonly own: boolean;
}

/** Reads the journal of a run from disk. If somebody changed it since, its last record says so. */
export async function readJournal(
  path: string,
  keep?: (event: JournalEvent) => JournalEvent,
): Promise<ReadJournal> {
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
  keep: (event: JournalEvent) => JournalEvent = (event) => event,
): Promise<ReadJournal> {
  const contradictions = createContradictionFinder();
  const reader = createJournalReader((event) => keep(contradictions.add(event)));
  const seals = createSealChecker();
  let own: boolean | null = null;
  const add = (line: string) => {
    own ??= isOwnRun(line);
    seals.add(line);
    reader.add(line);
  };
  // Keep bytes until a line is complete: decoding whole pieces would leave garbage several times the journal's size.
  let begun: Buffer[] = [];
  const file = await openPlainFile(path, MAX_BYTES);
  for await (const piece of file.createReadStream()) {
    const rest = eachLine(piece, (end) => {
      add(Buffer.concat([...begun, end]).toString('utf8'));
      begun = [];
    });
    if (rest.length > 0) begun.push(rest);
    if (begun.length * rest.length > MAX_LINE)
      throw new KnownError(`Expected records of at most ${MAX_LINE} bytes in ${path}, found a longer one.`, {
        hint: 'ralph-e2e did not write it. Remove the folder of this run.',
      });
  }
  if (begun.length > 0) add(Buffer.concat(begun).toString('utf8'));
  const parsed = reader.end({ complete: begun.length === 0 });
  const found = seals.end({ torn: begun.length > 0 }) ?? contradictions.end();
  if (found !== null) parsed.events.push({ type: 'journal-changed', at: '', what: 'journal-later', found });
  return { ...parsed, own: own ?? false };
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
