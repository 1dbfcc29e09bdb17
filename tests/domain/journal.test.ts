import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/domain/common/format-version.js';
import { type JournalEvent, parseJournal } from '../../src/domain/journal.js';
import { journal } from '../report/support/journal.js';

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

describe('a journal of another version', () => {
  const [started] = journal({ tests: [] });
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const minor = FORMATS.journal.minor + 1;

  test('is read in a newer minor one, but for the fields and records that it added', () => {
    const target = { kind: 'real', path: '/opt/ralph', version: '2.10.1' };
    const newer = { ...started, minor, mood: 'sunny', target: { ...target, moon: 'full' } };
    const { events } = parseJournal(lines(newer, { type: 'sung', song: 1 }, { ...skipped('one'), by: 'me' }));
    expect(events).toEqual([{ ...started, target, minor }, skipped('one')]);
  });

  test('says that it is newer where a record that we know has become another', () => {
    const text = lines({ ...started, minor }, { ...skipped('one'), backend: 'new' }, skipped('two'));
    expect(() => parseJournal(text)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^Line 2 of the journal: /),
        hint: expect.stringMatching(/It has format 1\.\d+, and .*\. Update ralph-e2e\./),
      }),
    );
  });

  test('is changed, and not newer, where it has records that this version does not know', () => {
    expect(() => parseJournal(lines({ ...started }, { type: 'sung', song: 1 }))).toThrow(/^Line 2 of/);
  });

  test.each(['\n', ''])('is refused with a sentence in another major one, whole or torn: %j', (end) => {
    const text = lines({ type: 'begun', version: 2 }).replace('\n', end);
    expect(() => parseJournal(text)).toThrow(
      expect.objectContaining({
        message: 'The journal has format 2.0; this ralph-e2e reads journals 1.x.',
        hint: 'Update ralph-e2e.',
      }),
    );
  });
});
