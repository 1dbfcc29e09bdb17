import { createReadStream } from 'node:fs';
import { createJournalReader, type JournalEvent, type ParsedJournal } from '../domain/journal.js';

/** Reads the journal of a run from disk, a piece at a time: one of ten thousand results is too long for one string. */
export async function readJournal(
  path: string,
  keep?: (event: JournalEvent) => JournalEvent,
): Promise<ParsedJournal> {
  const reader = createJournalReader(keep);
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) reader.add(line);
  }
  if (rest !== '') reader.add(rest);
  return reader.end({ complete: rest === '' });
}
