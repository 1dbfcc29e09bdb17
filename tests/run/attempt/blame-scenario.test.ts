import { expect, test } from 'vitest';
import { blameScenario } from '../../../src/run/attempt/blame-scenario.js';

function thrownAt(...frames: readonly string[]): Error {
  return Object.assign(new TypeError('no such thing'), {
    stack: ['TypeError: no such thing', ...frames.map((frame) => `    at ${frame}`)].join('\n'),
  });
}

const PACKAGE = 'parse (/project/node_modules/commander/lib/command.js:1:2)';

test('an error is blamed on the line of the author, not on a package that it called', () => {
  expect(blameScenario(thrownAt(PACKAGE, 'file:///project/mine.mjs:10:3'))).toMatchObject({
    message: 'TypeError: no such thing, at /project/mine.mjs:10',
  });
});

test('a package that an author names is theirs', () => {
  expect(blameScenario(thrownAt('file:///project/node_modules/team/index.mjs:3:1'))).toMatchObject({
    message: 'TypeError: no such thing, at /project/node_modules/team/index.mjs:3',
  });
});

test('an error in a package that no author called stays what it is', () => {
  const error = thrownAt(PACKAGE, 'async Promise.all (index 0)');
  expect(blameScenario(error)).toBe(error);
});
