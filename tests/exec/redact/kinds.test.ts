import { describe, expect, test } from 'vitest';
import { FORMS, INNOCENT, KNOWN, SHAPED } from '../../../scripts/secrets/kinds.mjs';
import { findCredentials, redactText, StreamRedactor } from '../../../src/exec/redact.js';

const VALUES = Object.values(KNOWN);

/** Redacts in two pieces, cut everywhere, and one byte at a time. */
function redactCut(text: string, step: number): string[] {
  const data = Buffer.from(text);
  const results: string[] = [];
  for (let cut = 0; cut <= data.length; cut += step) results.push(redactPieces(data, [cut]));
  return [...results, redactPieces(data, [...data.keys()])];
}

function redactPieces(data: Buffer, cuts: readonly number[]): string {
  const redactor = new StreamRedactor(VALUES);
  const out = [...cuts, data.length].map((end, index) =>
    redactor.push(data.subarray(index === 0 ? 0 : cuts[index - 1], end)),
  );
  return Buffer.concat([...out, redactor.end()]).toString();
}

describe('by form', () => {
  test('there are at least 60 kinds', () => {
    expect(new Set(SHAPED.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60);
  });

  test.each(SHAPED)('$kind: is hidden in text, in JSON and after a color', ({ text, secret }) => {
    const json = JSON.stringify({ out: `a line\n${text}\nmore` });
    for (const context of [`it is ${text} there`, `${text}`, `\u001b[32m${text}\u001b[0m`])
      expect(redactText(context, [])).not.toContain(secret);
    expect(redactText(json, [])).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(redactText(`it is ${text}\nthere`, [])).toMatch(/^it is .*\nthere$/s);
  });

  test.each(SHAPED)('$kind: is the same however the stream is cut', ({ text }) => {
    const context = `before\n${text}\nafter`;
    const whole = redactText(context, VALUES);
    expect(new Set(redactCut(context, 7))).toEqual(new Set([whole]));
  });
});

test('what is hidden in JSON leaves the JSON as it is', () => {
  for (const { text } of SHAPED) {
    const line = JSON.stringify({ content: text, more: { stdout: text, n: 1 }, end: 'kept' });
    expect(JSON.parse(redactText(line, [])), text.slice(0, 40)).toMatchObject({
      more: { n: 1 },
      end: 'kept',
    });
  }
});

describe('by value', () => {
  const cases = Object.entries(KNOWN).flatMap(([source, value]) =>
    Object.entries(FORMS).map(([form, spell]) => ({ source, form, text: spell(value) })),
  );

  test.each(cases)('$source $form: is hidden, however the stream is cut', ({ form, text }) => {
    const context = `before ${text} after`;
    const whole = redactText(context, VALUES);
    const shown = whole.replace('before ', '').replace(' after', '');
    // Around a value in base64 some characters belong to its neighbors.
    const most = form.includes('lines') ? 130 : 14;
    expect(shown).toContain('[redacted]');
    expect(shown.replaceAll('[redacted]', '').length).toBeLessThan(most);
    expect(new Set(redactCut(context, 5))).toEqual(new Set([whole]));
  });

  test('short values are not hunted', () => {
    expect(redactText('a true word', ['true', 'a', ''])).toBe('a true word');
  });

  test('a value that begins like a key is hidden whole', () => {
    const value = `sk-${'abc123DEF456ghi789JKL'}$and the rest`;
    expect(redactText(`x ${value} y`, [value])).toBe('x [redacted] y');
  });
});

test.each(INNOCENT)('stays as it is: %s', (text) => {
  expect(findCredentials(text, VALUES)).toEqual([]);
  expect(redactText(text, VALUES)).toBe(text);
  expect(redactPieces(Buffer.from(text), [3, 10])).toBe(text);
});

test('a line that ends with the beginning of something is not held back', () => {
  for (const line of [
    'it listens at http://localhost:3000\n',
    'the password\n',
    'Use a cookie\n',
    'task\n',
  ]) {
    expect(new StreamRedactor(VALUES).push(Buffer.from(line)).toString()).toBe(line);
  }
});

test('what is hidden stays hidden if it is redacted again', () => {
  for (const { text } of SHAPED) {
    const once = redactText(text, []);
    expect(redactText(once, [])).toBe(once);
  }
});
