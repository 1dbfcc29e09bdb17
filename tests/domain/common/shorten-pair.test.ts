import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortenPair } from '../../../src/domain/common/shorten-pair.js';

it('leaves short texts alone', () => {
  expect(shortenPair('a', 'bc', 10)).toEqual(['a', 'bc']);
});

it('keeps what is around the first difference of two long texts', () => {
  const call = (flag: string) => `kiro-cli chat --no-interactive ${flag}--agent critic --deep <prompt>`;
  expect(shortenPair(call('--trust-all-tools '), call(''), 40)).toEqual([
    '…teractive --trust-all-tools --agent cr…',
    '…teractive --agent critic --deep <promp…',
  ]);
});

it('never makes two different texts read the same, nor longer than the limit', () => {
  const text = fc.string({ maxLength: 120, unit: fc.constantFrom('a', 'b', ' ') });
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 12, max: 60 }), (start, one, other, limit) => {
      const [first, second] = shortenPair(start + one, start + other, limit);
      expect(Math.max(first.length, second.length)).toBeLessThanOrEqual(limit);
      expect(first === second).toBe(one === other);
    }),
  );
});
