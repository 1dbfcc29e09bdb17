import { expect, test } from 'vitest';
import { readRecordedInput, writeRecordedStep } from '../../src/agent/recorded.js';

test.each([
  ['{"a":{"b":1}}', { a: { b: 1 } }],
  ['', {}],
  ['{"a":', {}],
  ['[1]', {}],
  ['"a"', {}],
])('the input %j of a recorded tool call is %j', (json, input) => {
  expect(readRecordedInput(json)).toEqual(input);
});

test('recorded texts become steps that no template changes, however deep they are', () => {
  expect(writeRecordedStep({ kind: 'said', text: 'Use {{1}}.' })).toEqual({ do: 'say', text: 'Use {{=1}}.' });
  expect(writeRecordedStep({ kind: 'thought', text: '{{cwd}}?' })).toEqual({
    do: 'think',
    text: '{{=cwd}}?',
  });
  expect(writeRecordedStep({ kind: 'used', tool: 'T', input: { a: ['{{1}}', 2] } })).toEqual({
    do: 'tool',
    name: 'T',
    input: { a: ['{{=1}}', 2] },
  });
});
