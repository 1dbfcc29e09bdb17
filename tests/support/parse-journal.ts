import { createJournalReader, type ParsedJournal } from '../../src/domain/journal.js';

/** Reads a whole journal. */
export function parseJournal(text: string): ParsedJournal {
  const reader = createJournalReader((event) => event);
  for (const line of text.split('\n')) reader.add(line);
  return reader.end({ complete: text.endsWith('\n') });
}
