import { expect, test } from 'vitest';
import { drawContext } from '../../../src/run/attempt/attempt.js';

const LETTERS = [0, 1, 2, 3, 4, 5];

/** Plays these values one after the other; asked for one more, it fails. */
function drawing(...values: readonly number[]) {
  const left = [...values];
  return () => {
    const next = left.shift();
    if (next === undefined) throw new Error('drew more often than expected');
    return next;
  };
}

test('takes the first draw whose numbers and sums are all different', () => {
  const context = drawContext('claude', 'sim', { draw: drawing(...LETTERS, 1000, 111, 222, 444) });

  expect(context).toEqual({
    backend: 'claude',
    lane: 'sim',
    second: 'kiro',
    nonce: 'abcdef1000',
    numbers: [111, 222, 444],
  });
});

test.each([
  ['two numbers are equal', [1000, 111, 222, 222]],
  ['one number is the sum of the others', [1000, 111, 222, 333]],
  ['the nonce contains a number', [2220, 111, 222, 444]],
  ['the nonce contains a sum', [1333, 111, 222, 444]],
])('draws again where %s', (_, unlucky) => {
  const context = drawContext('claude', 'sim', {
    draw: drawing(...LETTERS, ...unlucky, ...LETTERS, 1000, 111, 222, 444),
  });

  expect(context).toMatchObject({ nonce: 'abcdef1000', numbers: [111, 222, 444] });
});
