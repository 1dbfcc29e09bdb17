import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText, StreamRedactor } from '../../src/exec/redact.js';

const SECRET = 'pässwort-with-$pecials';

function redactInPieces(data: Buffer, cuts: readonly number[], secrets: readonly string[]): Buffer {
  const redactor = new StreamRedactor(secrets);
  const borders = [0, ...[...cuts].sort((a, b) => a - b), data.length];
  const out = borders.slice(1).map((end, index) => redactor.push(data.subarray(borders[index], end)));
  return Buffer.concat([...out, redactor.end()]);
}

// Put together here, so that no scanner takes this file for a leak.
const KEYS = {
  anthropic: `sk-${'ant-api03-'}abc_DEF-123`,
  openai: `sk-${'proj-'}Abcdefghijklmnop1234`,
  github: `gh${'p_'}abcdefghijklmnopqrstuvwxyz0123456789`,
  'github, fine-grained': `github_${'pat_'}11ABCDEFG0abcdefghijkl_mnop`,
  aws: `AK${'IA'}IOSFODNN7EXAMPLE`,
  slack: `xox${'b-'}123456789012-abcdefGHIJ`,
  google: `AI${'za'}SyA1234567890abcdefghijklmnopqrstuv`,
  jwt: `ey${'J'}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123`,
};

describe('redactText', () => {
  test.each(Object.entries(KEYS))('replaces a key of %s and nothing around it', (_name, key) => {
    expect(redactText(`before "${key}" after`, [])).toBe('before "[redacted]" after');
  });

  test.each([
    'Authorization: Bearer ',
    'authorization:bearer ',
    '"Authorization": "Basic ',
    'AUTHORIZATION: BEARER ',
  ])('replaces what follows %s', (header) => {
    expect(redactText(`-H ${header}abcd.efgh+1234== x`, [])).toBe(`-H ${header}[redacted] x`);
  });

  test('leaves words alone that only look a little like keys', () => {
    const text =
      'task-list-with-a-very-long-name-in-it, sk-short, mask-ant-abcdefgh, AKIAs, eyJ.a.b, authorization: none';
    expect(redactText(text, ['short'])).toBe(text);
  });

  test('replaces known values as they are, in JSON and in URLs', () => {
    const secret = 'line one\n"two" & three';
    const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    expect(redactText(spellings.join(' | '), [secret])).toBe('[redacted] | [redacted] | [redacted]');
  });

  test('prefers the longer of two values', () => {
    expect(redactText('token-one-and-more', ['token-one', 'token-one-and-more'])).toBe('[redacted]');
  });

  test('changes nothing the second time', () => {
    const once = redactText(`Authorization: Bearer ${KEYS.jwt} ${SECRET}`, [SECRET]);
    expect(redactText(once, [SECRET])).toBe(once);
  });
});

describe('StreamRedactor', () => {
  const text = `x ${SECRET} y ${Object.values(KEYS).join(' ')} Authorization: Bearer abcdefgh12345 z`;
  const whole = redactText(text, [SECRET]);

  test('finds a secret wherever the chunks are cut', () => {
    const data = Buffer.from(text);
    for (let cut = 0; cut <= data.length; cut += 1) {
      expect(redactInPieces(data, [cut], [SECRET]).toString(), `cut at ${cut}`).toBe(whole);
    }
    const everywhere = Array.from({ length: data.length }, (_, index) => index);
    expect(redactInPieces(data, everywhere, [SECRET]).toString()).toBe(whole);
  });

  test('passes any other bytes unchanged, however they are cut', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const piece = fc.oneof(
      bytes,
      fc.constantFrom(...Object.values(KEYS), SECRET, 'Authorization: Bearer ').map((s) => Buffer.from(s)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.nat(2000), { maxLength: 20 }),
        (pieces, cuts) => {
          const data = Buffer.concat(pieces);
          const inRange = cuts.map((cut) => Math.min(cut, data.length));
          expect(redactInPieces(data, inRange, [SECRET])).toEqual(redactInPieces(data, [], [SECRET]));
        },
      ),
    );
    const plain = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
    expect(redactInPieces(plain, [1, 5000, 70_000], [SECRET]).equals(plain)).toBe(true);
  });

  test('hides a credential that itself begins like another, whose words ended in an earlier chunk', () => {
    const data = Buffer.from('Authorization: Bearer Authorization: Bearer ');
    const whole = redactInPieces(data, [], [SECRET]);
    expect(`${whole}`).toContain('[redacted]');
    for (let cut = 0; cut <= data.length; cut += 1)
      expect(redactInPieces(data, [cut], [SECRET])).toEqual(whole);
  });

  test('holds back no more than what may become a secret', () => {
    const redactor = new StreamRedactor([SECRET]);
    expect(redactor.push(Buffer.from('a whole line\n')).toString()).toBe('a whole line\n');
    expect(redactor.push(Buffer.alloc(100_000, 'x')).length).toBeGreaterThan(90_000);
  });

  test('remembers that a word goes on when it lets go of its beginning', () => {
    const redactor = new StreamRedactor([]);
    const word = `${'x'.repeat(1000)}sk-${'a'.repeat(4093)}`;
    const out = [redactor.push(Buffer.from(word)), redactor.push(Buffer.from(' end')), redactor.end()];
    expect(Buffer.concat(out).toString()).toBe(`${word} end`);
  });

  test('drops a key without end instead of keeping it in memory', () => {
    const redactor = new StreamRedactor([]);
    const out = [redactor.push(Buffer.from('a sk-'))];
    for (let chunk = 0; chunk < 10; chunk += 1) out.push(redactor.push(Buffer.alloc(50_000, 'kL3mN9pQ')));
    expect(Buffer.concat(out).toString()).toBe('a [redacted]');
    out.push(redactor.push(Buffer.from(' b')), redactor.end());
    expect(Buffer.concat(out).toString()).toBe('a [redacted] b');
  });
});
