// Starts programs, or takes seconds: in the project `whole`.
import { describe, expect, test } from 'vitest';
import { SHAPES } from '../src/exec/redact/shapes.js';
import { findSlowText } from './support/patterns/growth.js';
import { BUILT, built, EXCUSED, written } from './support/patterns/scope.js';

describe('patterns', () => {
  test('take linear time on the worst text that can be derived from each', { timeout: 180_000 }, () => {
    const slow = written
      .filter(({ file }) => EXCUSED[file] === undefined)
      .flatMap(({ file, line, pattern }) => {
        const text = findSlowText(pattern);
        return text === null ? [] : [`${file}:${line}: ${pattern} on ${JSON.stringify(text)}`];
      });
    expect(slow).toEqual([]);
    expect(written.length).toBeGreaterThan(300);
  });

  test('are excused only where one is slow', () => {
    const slow = written
      .filter(({ file }) => EXCUSED[file] !== undefined)
      .filter(({ pattern }) => findSlowText(pattern));
    expect([...new Set(slow.map(({ file }) => file))].toSorted()).toEqual(Object.keys(EXCUSED).toSorted());
  });

  test('are built at run time only where the parts are known', () => {
    expect([...new Set(built.map(({ file }) => file))].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  test.each(SHAPES)('the family "$kind" takes linear time', ({ pattern, begun }) => {
    expect(findSlowText(pattern)).toBeNull();
    expect(findSlowText(begun)).toBeNull();
  });
});

describe('the measure itself', () => {
  test.each([
    /(?<![A-Za-z0-9])eyJ[\w-]{10,}\.[\w-]{4,}\.[\w-]{4,}/g,
    /^ ITERATION (\d+) \| \S+ (.+?) \| .* elapsed \| \d+\/\d+$/,
    /(a+)+$/,
    /\s+$/,
    /\d+\.\d+/,
    /<a>[\s\S]*?<\/a>/g,
    /(?:a|ab|b)*c/,
    /a.*b.*c/s,
  ])('finds that %s is slow', (pattern) => {
    expect(findSlowText(pattern)).not.toBeNull();
  });

  test.each([/^a+b/, /(?<!\d)\d+\.\d+/, /[^"]*"/y, /"(?:[^"\\]|\\.)*"/y, /a{1,10}b/g])(
    'finds nothing wrong with %s',
    (pattern) => {
      expect(findSlowText(pattern)).toBeNull();
    },
  );
});
