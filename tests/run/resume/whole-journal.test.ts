import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { requireWhole } from '../../../src/run/resume/whole-journal.js';
import { journal } from '../../report/support/journal.js';

const [STARTED, BEGUN, ENDED, AGAIN, LAST] = journal({
  tests: [{ attempts: [{ outcome: 'failed' }, {}] }],
  end: null,
}) as [JournalEvent, JournalEvent, JournalEvent, JournalEvent, JournalEvent];

test('the records of a run are whole, wherever it was killed', () => {
  const all = [STARTED, BEGUN, ENDED, AGAIN, LAST];
  for (let count = 1; count <= all.length; count += 1)
    expect(requireWhole(all.slice(0, count), 'run-1')).toBe(STARTED);
});

test.each([
  { what: 'a lost beginning', records: [BEGUN, ENDED], found: 'no first record' },
  { what: 'a second beginning', records: [STARTED, STARTED], found: 'a second beginning' },
  { what: 'an end without its start', records: [STARTED, ENDED], found: 'the end of attempt 1' },
  { what: 'the same end twice', records: [STARTED, BEGUN, ENDED, ENDED], found: 'out of turn' },
  { what: 'a lost attempt', records: [STARTED, AGAIN, LAST], found: 'attempt 2 .* out of turn' },
  {
    what: 'a test that nobody planned',
    records: [{ ...STARTED, planned: [] }, BEGUN],
    found: 'not in the plan',
  },
  {
    what: 'a note that it was changed',
    records: [STARTED, { type: 'journal-changed', at: '', found: 'it was replaced' }],
    found: 'it was replaced',
  },
])('$what: nothing is taken over', ({ records, found }) => {
  expect(() => requireWhole(records as JournalEvent[], 'run-1')).toThrow(
    new RegExp(`^The journal of run run-1 is damaged: .*found .*${found}`),
  );
});

test('records of another run are not taken over', () => {
  expect(() => requireWhole([STARTED], 'run-2')).toThrow(/found those of another run/);
});
