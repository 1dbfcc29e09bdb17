import { describe, expect, test } from 'vitest';
import { createSealChecker, createSealer } from '../../src/journal/seal.js';

const RECORDS = [
  { type: 'run-started', format: 2 },
  { type: 'a', value: 1 },
  { type: 'b', value: 2 },
  { type: 'c', value: 3 },
];

function sealed(): string[] {
  const seal = createSealer();
  return RECORDS.map((record) => seal(JSON.stringify(record)));
}

function check(lines: readonly string[], torn = false): string | null {
  const checker = createSealChecker();
  for (const line of lines) checker.add(Buffer.from(line));
  return checker.end({ torn });
}

describe('the seals of a journal', () => {
  test('leave the records as they are', () => {
    expect(sealed().map((line) => JSON.parse(line))).toMatchObject(RECORDS);
    expect(check(sealed())).toBeNull();
    expect(check([...sealed(), ''])).toBeNull();
  });

  test.each([
    ['changed', (lines: string[]) => lines.with(1, lines[1]?.replace('1', '9') ?? ''), 2],
    ['dropped', (lines: string[]) => lines.toSpliced(1, 1), 2],
    ['dropped at the beginning', (lines: string[]) => lines.slice(1), 1],
    ['doubled', (lines: string[]) => lines.toSpliced(1, 0, lines[1] ?? ''), 3],
    ['moved', (lines: string[]) => lines.toReversed(), 1],
    ['added', (lines: string[]) => [...lines, '{"type":"d"}'], 5],
    ['without seals', () => RECORDS.map((record) => JSON.stringify(record)), 1],
  ])('show a line that was %s', (_name, change, line) => {
    expect(check(change(sealed()))).toBe(`line ${line} is not what was written there`);
  });

  test('show bytes that are no text where a text had the character for such bytes', () => {
    const line = createSealer()(JSON.stringify({ type: 'a', value: '\ufffd' }));
    const changed = Buffer.from(line.replace('\ufffd', '?'));
    changed[changed.indexOf('?')] = 0xff;
    const checker = createSealChecker();
    checker.add(changed);
    expect(checker.end({ torn: false })).toBe('line 1 is not what was written there');
  });

  test('do not call a line that a crash cut short damage', () => {
    const [last = ''] = sealed().slice(-1);
    expect(check([...sealed().slice(0, -1), last.slice(0, -9)], true)).toBeNull();
    expect(check([...sealed().slice(0, -1), last.slice(0, -9)])).not.toBeNull();
  });
});
