import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/domain/journal.js';
import { readJournal } from '../../src/journal/reader.js';
import { createSealer } from '../../src/journal/seal.js';
import { reopenJournal } from '../../src/journal/writer.js';
import { journal } from '../report/support/journal.js';
import { tempFolder } from '../support/cli.js';

const EVENTS = journal({ tests: [{ attempts: [{}] }, { unfinished: true }], end: null });
const seal = createSealer();
const LINES = EVENTS.map((event) => `${seal(JSON.stringify(event))}\n`);
const LAST = LINES.at(-1) ?? '';
const RESUMED: JournalEvent = {
  type: 'run-resumed',
  at: '2026-01-20T15:00:00.000Z',
  activeSeconds: 3,
  takenOver: 1,
  left: 1,
  endedOrphans: [],
};

/** The folder of a run whose journal has this text. */
function leave(text: string | Buffer) {
  const path = join(tempFolder(), 'run');
  mkdirSync(path);
  writeFileSync(join(path, 'journal.jsonl'), text);
  return { id: 'run', path };
}

const textOf = (run: { path: string }) => readFileSync(join(run.path, 'journal.jsonl'), 'utf8');

describe('a journal that goes on', () => {
  test.each([
    { what: 'is whole', text: LINES.join(''), kept: LINES.join('') },
    {
      what: 'lost the end of its last line',
      text: LINES.join('').slice(0, -20),
      kept: LINES.slice(0, -1).join(''),
    },
    { what: 'lacks only its last line feed', text: LINES.join('').slice(0, -1), kept: LINES.join('') },
    {
      what: 'was torn inside a character',
      text: Buffer.from(`${LINES.join('')}{"type":"🧪`).subarray(0, -2),
      kept: LINES.join(''),
    },
  ])('and $what keeps its whole records, and its hash holds for all of it', async ({ text, kept }) => {
    const run = leave(text);
    const reopened = reopenJournal(run);
    expect(readFileSync(join(run.path, 'journal.jsonl'))).toEqual(Buffer.from(text));
    const writer = reopened.goOn();
    writer.append(RESUMED);
    await writer.close();
    expect(textOf(run).startsWith(kept)).toBe(true);
    expect(textOf(run).slice(kept.length)).toMatch(
      /^\{"type":"run-resumed",[^\n]*,"seal":"[0-9a-f]{32}"\}\n$/,
    );
    const { events, torn } = await readJournal(writer.path);
    expect(torn).toBe(false);
    expect(events.at(-1)).toEqual(RESUMED);
    expect(writer.records).toHaveLength(events.length);
  });

  test('and that somebody changes is written again, with a record that says so', async () => {
    const run = leave(LINES.join(''));
    const writer = reopenJournal(run).goOn();
    writeFileSync(writer.path, textOf(run).replace('"passed"', '"failed"'));
    writer.append(RESUMED);
    await writer.close();
    const { events } = await readJournal(writer.path);
    expect(events.at(-1)).toMatchObject({ type: 'journal-changed' });
    expect(events).toContainEqual(expect.objectContaining({ outcome: 'passed' }));
  });

  test.each([
    { what: 'a bad line in the middle', text: LINES.toSpliced(1, 0, 'nonsense\n').join('') },
    { what: 'a bad line with its end', text: `${LINES.join('')}${LAST.slice(0, -9)}\n` },
  ])('but not one with $what', ({ text }) => {
    const run = leave(text);
    expect(() => reopenJournal(run)).toThrow(/Line \d of the journal: expected a record/);
    expect(textOf(run)).toBe(text);
  });

  test('but not one that is a link', () => {
    const run = { id: 'run', path: tempFolder() };
    appendFileSync(join(run.path, 'elsewhere'), LINES.join(''));
    symlinkSync('elsewhere', join(run.path, 'journal.jsonl'));
    expect(() => reopenJournal(run)).toThrow(/found a symbolic link/);
  });
});
