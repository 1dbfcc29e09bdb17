import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/domain/journal.js';
import { readJournal } from '../../src/journal/reader.js';
import { createSealer } from '../../src/journal/seal.js';
import { tempFolder } from '../support/cli.js';
import { parseJournal } from '../support/parse-journal.js';

const skipped = (reason: string): JournalEvent => ({
  type: 'scenario-skipped',
  at: 't',
  scenarioId: 'a',
  backend: 'claude',
  reason,
  cause: { kind: 'not-ready' },
});
const write = (text: string): string => {
  const path = join(tempFolder(), 'journal.jsonl');
  writeFileSync(path, text);
  return path;
};

describe('readJournal', () => {
  test('reads what parseJournal reads, also where lines and characters span several pieces', async () => {
    const events = ['short', 'é🧪'.repeat(700_000), 'x'.repeat(1 << 20), ''].map(skipped);
    const seal = createSealer();
    const text = events.map((event) => `${seal(JSON.stringify(event))}\n`).join('');
    expect(await readJournal(write(text))).toEqual({ ...parseJournal(text), own: false });
    expect(await readJournal(write(text))).toMatchObject({ events, torn: false });
  });

  test.each([
    ['a journal', 6 * 1024 ** 3, 'Expected at most 2147483648 bytes in'],
    ['a record', 300 * 1024 ** 2, 'Expected records of at most 268435456 bytes in'],
  ])('refuses %s that is too long', async (_, size, message) => {
    const path = write('');
    truncateSync(path, size);
    await expect(readJournal(path)).rejects.toThrow(message);
  });

  test('leaves out a torn last line, and refuses any other', async () => {
    const seal = createSealer();
    const [line = '', other = ''] = ['one', 'two'].map((reason) => seal(JSON.stringify(skipped(reason))));
    expect(await readJournal(write(`${line}\n${line.slice(0, 20)}`))).toMatchObject({ torn: true });
    expect((await readJournal(write(`${line}\n${other}`))).events).toHaveLength(2);
    await expect(readJournal(write(`${line.slice(0, 20)}\n${line}\n`))).rejects.toThrow(
      /Line 1 of the journal/,
    );
    await expect(readJournal(write(`${line}\n${line.slice(0, 20)}\n`))).rejects.toThrow(
      /Line 2 of the journal/,
    );
    expect(await readJournal(write(''))).toMatchObject({ events: [], torn: false });
  });
});
