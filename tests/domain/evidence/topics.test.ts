import { expect, test } from 'vitest';
import { matchesTopic } from '../../../src/domain/evidence/topics.js';

test.each([
  ['audit.*', 'audit.a', true],
  ['audit.*', 'audit.a.b', false],
  ['audit.*', 'audit', false],
  ['*.done', 'audit.done', true],
  ['*.done', 'audit.a.done', false],
  ['*.*', 'a.b', true],
  ['*', 'a.b.c', true],
  ['a.b', 'a.b', true],
  ['a.b', 'a.bc', false],
  // A star is only a star if it is a whole part.
  ['au*', 'audit', false],
])('%s against %s: %s', (trigger, topic, expected) => {
  expect(matchesTopic(trigger, topic)).toBe(expected);
});
