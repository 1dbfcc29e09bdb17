import { describe, expect, test } from 'vitest';
import { type JournalEvent, parseJournal } from '../../src/domain/journal.js';

const skipped = (scenarioId: string): JournalEvent => ({
  type: 'scenario-skipped',
  at: '2026-11-15T00:00:00.000Z',
  scenarioId,
  backend: 'claude',
  reason: 'because',
});
const text = [skipped('one'), skipped('two')].map((event) => `${JSON.stringify(event)}\n`).join('');

describe('parseJournal', () => {
  test('tolerates a last line that was torn at any byte', () => {
    const first = text.indexOf('\n') + 1;
    for (let length = first; length < text.length; length += 1) {
      const { events, torn } = parseJournal(text.slice(0, length));
      // A record whose line feed alone is missing is complete.
      const complete = length === text.length - 1;
      expect(events).toHaveLength(complete ? 2 : 1);
      expect(torn).toBe(!complete && length > first);
    }
    expect(parseJournal(text)).toEqual({ events: [skipped('one'), skipped('two')], torn: false });
  });

  test('says which other line is broken', () => {
    expect(() => parseJournal(`nonsense\n${text}`)).toThrow(/Line 1 of the journal/);
  });
});
