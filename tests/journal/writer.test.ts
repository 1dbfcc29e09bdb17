import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../src/journal/reader.js';
import { openJournal } from '../../src/journal/writer.js';
import { attempt, journal } from '../report/support/journal.js';
import { tempFolder } from '../support/cli.js';

const EVENTS = journal({ tests: [{ attempts: [{ outcome: 'failed' }] }] });

/** A journal with these records, to which something is done before it is closed. */
async function writeJournal(deed: (path: string) => void) {
  const path = join(tempFolder(), 'run');
  mkdirSync(path);
  const writer = openJournal({ id: 'run', path });
  for (const event of EVENTS) writer.append(event);
  deed(writer.path);
  await writer.close();
  return writer;
}

describe('the journal of a run', () => {
  test('that nobody touched is what was written, and a reader gets the same records', async () => {
    const { path, records } = await writeJournal(() => {});
    expect(records).toHaveLength(EVENTS.length);
    expect((await readJournal(path)).events).toEqual(records);
  });

  test.each([
    ['truncated', (path: string) => truncateSync(path, 0), 'it has 0 bytes'],
    ['longer', (path: string) => appendFileSync(path, '\n'), 'bytes, and'],
    [
      'changed, with its length',
      (path: string) => {
        const text = readFileSync(path, 'utf8').replace('"failed"', '"passed"');
        writeFileSync(path, text, { flag: 'r+' });
      },
      'its content was changed',
    ],
    [
      'replaced by a copy',
      (path: string) => {
        writeFileSync(`${path}.copy`, readFileSync(path));
        renameSync(`${path}.copy`, path);
      },
      'it was replaced',
    ],
    ['removed', (path: string) => rmSync(path), 'it was removed'],
    [
      'a link to a device',
      (path: string) => replaceBy(path, () => symlinkSync('/dev/zero', path)),
      'something else',
    ],
    ['a pipe', (path: string) => replaceBy(path, () => execFileSync('mkfifo', [path])), 'something else'],
    [
      'a folder',
      (path: string) => replaceBy(path, () => mkdirSync(join(path, 'x'), { recursive: true })),
      'something else',
    ],
    ['gone with its folder', (path: string) => rmSync(dirname(path), { recursive: true }), 'it was removed'],
  ])('is written again from memory where it is %s at the end', async (_name, deed, found) => {
    const { path, records } = await writeJournal(deed);
    expect(records.at(-1)).toMatchObject({ type: 'journal-changed', found: expect.stringContaining(found) });
    expect((await readJournal(path)).events).toEqual(records);
    const outcomes = records.flatMap((record) =>
      record.type === 'attempt-finished' ? [record.outcome] : [],
    );
    expect(outcomes).toEqual(['failed']);
    // What was found there is kept, where there was anything.
    const aside = readdirSync(dirname(path)).filter((name) => name.startsWith('journal.changed-'));
    expect(aside).toHaveLength(found === 'it was removed' ? 0 : 1);
  });

  test('takes no record that could not be read back', () => {
    const path = tempFolder();
    const writer = openJournal({ id: 'run', path });
    expect(() => writer.append(attempt({ durationSeconds: Number.NaN }))).toThrow(/does not fit the journal/);
    expect(readFileSync(writer.path, 'utf8')).toBe('');
  });
});

function replaceBy(path: string, put: () => void): void {
  rmSync(path);
  put();
}
