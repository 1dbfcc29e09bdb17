import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../src/run.js';

test('prints the result', () => assert.deepEqual(run(['multiply', '4', '3']), { code: 0, text: '12' }));

test('tells a wrong number', () => {
  const { code, text } = run(['multiply', 'four', '3']);
  assert.equal(code, 1);
  assert.match(text, /four/);
});

test('tells how it is used', () => {
  const { code, text } = run([]);
  assert.equal(code, 2);
  assert.match(text, /usage:/);
});
