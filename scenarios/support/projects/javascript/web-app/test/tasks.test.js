import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tasks } from '../src/tasks.js';

test('ids count from one', () => {
  const tasks = new Tasks();
  assert.deepEqual([tasks.add('a').id, tasks.add('b').id], [1, 2]);
});

test('complete', () => {
  const tasks = new Tasks();
  tasks.add('a');
  tasks.add('b');
  tasks.complete(tasks.items[0].id);
  assert.deepEqual(tasks.remaining().map(({ title }) => title), ['b']);
});

test('complete unknown', () => assert.throws(() => new Tasks().complete(7), RangeError));
