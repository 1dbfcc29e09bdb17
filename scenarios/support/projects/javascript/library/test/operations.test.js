import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as operations from '../src/operations.js';

test('add', () => assert.equal(operations.add(2, 3), 5));

test('subtract', () => assert.equal(operations.subtract(5, 3), 2));

test('multiply', () => assert.equal(operations.multiply(4, 3), 12));

test('divide', () => assert.equal(operations.divide(8, 2), 4));

test('divide by zero', () => assert.throws(() => operations.divide(1, 0), RangeError));

test('total', () => assert.equal(operations.total([1, 2, 3]), 6));
