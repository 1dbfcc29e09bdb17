import { expect, test } from 'vitest';
import { assembleIterations } from '../../src/ralph/iterations.js';

const output = (number: number, line: string) => ({ number, hat: 'ralph', lines: [line], stderr: [] });

test('the form of an answer tells Claude from a CLI that prints plain text', () => {
  const spoken = '{"type":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}';
  const { iterations } = assembleIterations([output(1, spoken), output(2, 'Hello.')], [], new Map());
  expect(iterations.map(({ form, said }) => [form, said])).toEqual([
    ['claude-stream', 'Hello.'],
    ['text', 'Hello.'],
  ]);
});
