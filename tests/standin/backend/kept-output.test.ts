import { expect, test } from 'vitest';
import { KeptOutput } from '../../../src/standin/backend/kept-output.js';

function keep(lines: readonly string[]): KeptOutput {
  const output = new KeptOutput({ limit: 20, block: 5 });
  for (const line of lines) output.add(line);
  return output;
}

test('everything is kept up to the limit', () => {
  const output = keep(['one\n', 'two\n', 'three\n', '4\n']);
  expect(output.toString()).toBe('one\ntwo\nthree\n4\n');
  expect(output.cut).toBe(false);
});

test('beyond the limit the first whole lines go and the last stay', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `${index}\n`);
  const output = keep(lines);
  const text = output.toString();
  expect(output.cut).toBe(true);
  expect(text.length).toBeLessThanOrEqual(20 + 5);
  expect(lines.join('').endsWith(`\n${text}`)).toBe(true);
});

test('a single line beyond the limit is kept whole', () => {
  const long = `${'x'.repeat(50)}\n`;
  expect(keep(['a\n', 'bcd\n', long]).toString()).toBe(long);
});
