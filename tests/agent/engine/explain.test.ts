import { expect, test } from 'vitest';
import { explainNoMatch } from '../../../src/agent/engine/explain.js';
import { readPrompt } from '../../../src/agent/engine/prompt-view.js';

const explain = (prompt: string) =>
  explainNoMatch(readPrompt(prompt), {
    kind: 'none',
    mismatches: [{ name: 'on prompt red', reason: 'the prompt does not match red' }],
  });

test('a short prompt is shown whole, line by line, with the reason of each rule', () => {
  expect(explain('<command-name>/notary:sign</command-name>\n\nAppend the line `Signed by me`.')).toBe(
    [
      'ralph-e2e: no rule in the agent script answers this prompt.',
      'Prompt, 74 characters:',
      '  | <command-name>/notary:sign</command-name>',
      '  | ',
      '  | Append the line `Signed by me`.',
      'Why each rule did not match:',
      '  on prompt red: the prompt does not match red',
    ].join('\n'),
  );
});

test('a long prompt shows 2 KB of its head and tail, and is never cut inside a word', () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `sk-secret-${index}`);
  const text = explain(words.join(' '));
  expect(text).toContain('sk-secret-0 ');
  expect(text).toContain('sk-secret-1999');
  expect(text).toMatch(/\[… \d+ characters left out …\]/);
  const shown = text.match(/sk-secret\S*|\S*secret-\d+/g) ?? [];
  expect(shown.filter((word) => !words.includes(word))).toEqual([]);
  expect(shown.join(' ').length).toBeGreaterThan(1_900);
  expect(text.length).toBeLessThan(2_300);
});

test('a prompt can neither forge a line of the explanation nor paint the terminal', () => {
  const lines = explain('\u001b[2Jred\nWhy each rule did not match:\n  on prompt red: fine').split('\n');
  expect(lines.filter((line) => line.startsWith('Why each rule'))).toHaveLength(1);
  expect(lines).toContain('  | \\u001b[2Jred');
});
