import { expect, test } from 'vitest';
import { fingerprint } from '../../../src/domain/text/fingerprint.js';

test('a fingerprint is 16 digits, the same for the same text', () => {
  expect(fingerprint('one prompt')).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprint('one prompt')).toBe(fingerprint(['one', 'prompt'].join(' ')));
});

test.each([
  ['one character', 'a prompt of some length!', 'a prompt of some length?'],
  ['two places that change in the same way', 'xAAAAxAAAA', 'xAABAxAABA'],
  ['words that change places', 'AAAABBBB', 'BBBBAAAA'],
  ['zeros at the end', 'abc', 'abc\0'],
  ['only zeros', '', '\0\0\0\0'],
  ['characters of several bytes', 'größe', 'grösse'],
])('texts differ in %s', (_what, one, other) => {
  expect(fingerprint(one)).not.toBe(fingerprint(other));
});

test('100,000 similar texts have fingerprints of their own, in each half', () => {
  const all = Array.from({ length: 100_000 }, (_, index) => fingerprint(`prompt of iteration ${index}`));
  expect(new Set(all).size).toBe(all.length);
  // A few of so many meet in 32 bits by chance.
  for (const half of [0, 8])
    expect(new Set(all.map((text) => text.slice(half, half + 8))).size).toBeGreaterThan(all.length - 20);
});
