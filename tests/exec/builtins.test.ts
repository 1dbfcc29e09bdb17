import { afterEach, expect, test } from 'vitest';
import { requireBuiltins } from '../../src/exec/builtins.js';

const { includes } = String.prototype;
const { stringify } = JSON;

afterEach(() => {
  Reflect.set(String.prototype, 'includes', includes);
  JSON.stringify = stringify;
  Reflect.deleteProperty(Object.prototype, 'passed');
});

test('nothing is wrong if nobody replaced anything', () => {
  expect(() => requireBuiltins('mine.mjs')).not.toThrow();
});

test('a replaced method is put back and named', () => {
  Reflect.set(String.prototype, 'includes', () => true);
  expect(() => requireBuiltins('mine.mjs')).toThrow('mine.mjs replaced String.prototype.includes');
  expect(String.prototype.includes).toBe(includes);
  expect(() => requireBuiltins('mine.mjs')).not.toThrow();
});

test('so is a replaced function, and a property that every object would inherit', () => {
  JSON.stringify = () => '';
  expect(() => requireBuiltins('it')).toThrow('it replaced JSON.stringify');
  Reflect.set(Object.prototype, 'passed', true);
  expect(() => requireBuiltins('it')).toThrow('it replaced Object.prototype.passed');
  expect(Reflect.has({}, 'passed')).toBe(false);
});
