import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/domain/journal.js';
import { journal } from '../report/support/journal.js';
import { parseJournal } from '../support/parse-journal.js';

const skipped = (scenarioId: string): JournalEvent => ({
  type: 'scenario-skipped',
  at: '2026-11-15T00:00:00.000Z',
  scenarioId,
  backend: 'claude',
  reason: 'because',
  cause: { kind: 'not-ready' },
});
const text = [skipped('one'), skipped('two')].map((event) => `${JSON.stringify(event)}\n`).join('');

describe('parseJournal', () => {
  test('tolerates a last line that was torn at any byte', () => {
    const first = text.indexOf('\n') + 1;
    for (let length = first; length < text.length; length += 1) {
      const { events, torn } = parseJournal(text.slice(0, length));
      // A record that lacks only its line feed is complete.
      const complete = length === text.length - 1;
      expect(events).toHaveLength(complete ? 2 : 1);
      expect(torn).toBe(!complete && length > first);
    }
    expect(parseJournal(text)).toEqual({ events: [skipped('one'), skipped('two')], torn: false });
  });

  test('reports any other broken line by its number', () => {
    expect(() => parseJournal(`nonsense\n${text}`)).toThrow(/Line 1 of the journal/);
  });
});

describe('a journal of another ralph-e2e', () => {
  const [started] = journal({ tests: [] });
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  test('is read in this format, except for added fields', () => {
    const target = { kind: 'real', path: '/opt/ralph', version: '2.10.1' };
    const newer = { ...started, mood: 'sunny', target: { ...target, moon: 'full' } };
    const { events } = parseJournal(lines(newer, { ...skipped('one'), by: 'me' }));
    expect(events).toEqual([{ ...started, target }, skipped('one')]);
  });

  test('counts as changed if it has records that this one does not know', () => {
    expect(() => parseJournal(lines({ ...started }, { type: 'sung', song: 1 }))).toThrow(/^Line 2 of/);
  });

  test.each(['\n', ''])('is refused with a sentence in another format, whole or torn: %j', (end) => {
    const text = lines({ type: 'begun', format: 3 }).replace('\n', end);
    expect(() => parseJournal(text)).toThrow(
      expect.objectContaining({
        message: 'The journal has format 3; this ralph-e2e reads journals of format 2.',
        hint: 'Update ralph-e2e.',
      }),
    );
  });
});
