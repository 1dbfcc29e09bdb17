import { describe, expect, it } from 'vitest';
import { errandAnswered, fileHasJson, type WantedJson } from '../../../src/domain/checks/index.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import { printedJson, printedOnlyJson } from '../../../src/kinds/ralph/checks/index.js';
import { attempt } from '../../report/support/journal.js';

const { evidence } = attempt();
if (evidence === null) throw new Error('an attempt with evidence expected');

/** Evidence in which this text is a file, what an errand printed, and what Ralph printed. */
function withText(text: string): Evidence {
  if (evidence === null) throw new Error('an attempt with evidence expected');
  return {
    ...evidence,
    files: [{ path: 'a.json', change: 'added', sizeBytes: text.length, preview: text }],
    errands: [{ when: 'after', command: ['ralph', 'ask'], exitCode: 0, stdout: text, stderr: '' }],
    stdout: { ...evidence.stdout, text },
  };
}

describe('JSON in files and output', () => {
  const WHOLE = JSON.stringify({ a: 1, b: { c: 'text', d: null }, e: [1, 'two'] }, null, 2);
  const cases: readonly (readonly [title: string, text: string, wanted: WantedJson, passes: boolean])[] = [
    ['some of the fields', WHOLE, { a: 1, b: { c: 'text' } }, true],
    ['another value', WHOLE, { a: 2 }, false],
    ['another type', WHOLE, { a: '1' }, false],
    ['a field that is missing', WHOLE, { z: null }, false],
    ['null is a value', WHOLE, { b: { d: null } }, true],
    ['a pattern for a text', WHOLE, { b: { c: /^te/ } }, true],
    ['a pattern for a number', WHOLE, { a: /^1$/ }, true],
    ['a pattern that does not match', WHOLE, { b: { c: /^xt/ } }, false],
    ['a whole list', WHOLE, { e: [1, /two/] }, true],
    ['a list with more in it', WHOLE, { e: [1] }, false],
    ['an object where a list is', WHOLE, { e: {} }, false],
    ['one line of several', '{"a":1}\nno json\n{"a":2}', { a: 2 }, true],
    ['no JSON at all', 'no json', {}, false],
  ];

  it.each(cases)('%s', (_title, text, wanted, passes) => {
    expect(fileHasJson('a.json', wanted).judge(withText(text)).passed).toBe(passes);
    expect(errandAnswered('ask', { json: wanted }).judge(withText(text)).passed).toBe(passes);
    expect(printedJson(wanted).judge(withText(text)).passed).toBe(passes);
  });

  it('counts the lines', () => {
    const text = '{"a":1}\n{"a":1}\n{"a":2}';
    for (const [times, passes] of [
      [1, false],
      [2, true],
      [3, false],
    ] as const) {
      expect(fileHasJson('a.json', { a: 1 }, { times }).judge(withText(text)).passed).toBe(passes);
      expect(printedJson({ a: 1 }, { times }).judge(withText(text)).passed).toBe(passes);
    }
  });

  it('has no file to look at', () => {
    expect(fileHasJson('b.json', {}, { times: 0 }).judge(withText('{}')).passed).toBe(false);
  });

  it('finds a line that is not JSON', () => {
    expect(printedOnlyJson().judge(withText('{"a":1}\n{"b":2}\n')).passed).toBe(true);
    expect(printedOnlyJson().judge(withText('{"a":1}\nINFO hello\n')).passed).toBe(false);
    expect(printedOnlyJson().judge(withText('')).passed).toBe(false);
  });
});
