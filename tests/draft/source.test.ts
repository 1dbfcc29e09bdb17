import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nameCheck,
  nameConstant,
  quoteText,
  writeCall,
  writeComment,
  writeValue,
} from '../../src/draft/source.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '\\',
      '\n',
      '\r',
      '\u2028',
      '\u202e',
      '`',
      '$',
      '{',
      '*',
      '/',
      'a',
      '\ud800',
    ),
  }),
);
const evaluate = (source: string): unknown => JSON.parse(JSON.stringify(runInNewContext(`(${source})`)));

describe('source made of what others wrote', () => {
  test('a text evaluates to itself and hides nothing', () => {
    fc.assert(
      fc.property(text, (value) => {
        const source = quoteText(value);
        expect(runInNewContext(source)).toBe(value);
        expect(source).not.toMatch(/[\u0000-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  });

  test('a value evaluates to itself, its keys included', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('any'), { maxLength: 4 }),
      map: fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor')), tie('any'), {
        maxKeys: 4,
      }),
    })).any;
    fc.assert(
      fc.property(value, (one) => {
        expect(evaluate(writeValue(one, '  '))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  test('a comment is comments only, however the text tries to leave it', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const line of writeComment(value, '  ')
          .join('\n')
          .split(/[\n\r\u2028\u2029]/))
          expect(line).toMatch(/^ {2}\/\/ /);
      }),
    );
  });

  test.each([
    ['hat-single', 'hatSingle'],
    ['loop', 'draftLoop'],
    ['new', 'draftNew'],
    ['2-hats', 'draft2Hats'],
  ])('the constant of %s is %s', (id, name) => {
    expect(nameConstant(id, new Set(['loop', 'scenario']))).toBe(name);
  });

  test.each([
    ['build.done', [], 'buildDone'],
    ['build.done', ['buildDone'], 'buildDone2'],
    ['LOOP_COMPLETE', [], 'loopComplete'],
    ['../../x y;', [], 'xY'],
    ['42', [], 'check'],
    ['⚙', [], 'check'],
  ])('the check of %s beside %j is %s', (topic, taken, name) => {
    expect(nameCheck(topic, new Set(taken))).toBe(name);
  });

  test('what fits stands on one line, what does not has lines of its own', () => {
    expect(writeCall('f', ['a', { iteration: 1 }], '')).toBe("f('a', { iteration: 1 })");
    expect(writeCall('f', ['a'.repeat(60), 'b'.repeat(60)], '')).toBe(
      `f(\n  '${'a'.repeat(60)}',\n  '${'b'.repeat(60)}',\n)`,
    );
    const lines = ['one'.repeat(10), 'two'.repeat(10), 'three'.repeat(10)];
    expect(writeCall('f', [lines.join('\n')], '  ')).toBe(
      `f([\n${lines.map((line) => `    '${line}',\n`).join('')}  ].join('\\n'))`,
    );
  });
});
