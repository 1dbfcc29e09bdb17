import { describe, expect, test } from 'vitest';
import { isSpeech, says } from '../../../src/domain/checks/speech.js';

describe('an answer counts', () => {
  test.each([
    ['in bold', '**ANSWER=1201**'],
    ['in backticks', 'ANSWER=`1201`'],
    ['in italics', '*ANSWER=1201*'],
    ['in a code fence', '```text\nANSWER=1201\n```'],
    ['in a fence on one line', '```ANSWER=1201```'],
    ['in a list', '- ANSWER=1201'],
    ['in a heading', '## ANSWER=1201'],
    ['in a quotation', '> ANSWER=1201'],
    ['with grouped digits', 'ANSWER=1,201'],
    ['in another letter case', 'Answer=1201'],
    ['with a sentence around it', 'Here it is: ANSWER=1201. Anything else?'],
  ])('%s', (_, text) => {
    expect(says(text, 'ANSWER=1201')).toBe(true);
  });

  test('if a pattern matches it without its decoration', () => {
    expect(says('There is no `PLAN.md` here.', /no PLAN\.md/)).toBe(true);
    expect(says('**READY**', /^READY$/m)).toBe(true);
  });

  test('if a pattern asks for the decoration itself', () => {
    expect(says('It is **DONE**.', /\*\*DONE\*\*/)).toBe(true);
  });
});

describe('an answer does not count', () => {
  test.each([
    ['with another sum', 'ANSWER=1202'],
    ['as part of a longer number', 'ANSWER=12019'],
    ['as part of a grouped number', 'ANSWER=1201,000'],
    ['with a decimal comma', 'ANSWER=1,20'],
    ['with spaces that were not asked for', 'ANSWER = 1201'],
    ['if it is missing', ''],
  ])('%s', (_, text) => {
    expect(says(text, 'ANSWER=1201')).toBe(false);
  });

  test('with a code in another case: making it uppercase may be the work', () => {
    expect(says('READY abc123', 'READY ABC123')).toBe(false);
    expect(says('ready ABC123', 'READY ABC123')).toBe(true);
  });

  test('with an underscore missing from a name', () => {
    expect(says('LOOPCOMPLETE', 'LOOP_COMPLETE')).toBe(false);
    expect(says('LOOP_COMPLETE', 'LOOP_COMPLETE')).toBe(true);
  });
});

test('a number counts alone, but not within another', () => {
  expect(says('777. That is the sum.', '777')).toBe(true);
  expect(says('The sum is 777.', '777')).toBe(true);
  expect(says('1777', '777')).toBe(false);
  expect(says('1,777', '777')).toBe(false);
  expect(says('7,770', '777')).toBe(false);
});

test('decoration counts if it is wanted', () => {
  expect(says('It is **DONE** now', '**DONE** now')).toBe(true);
  expect(says('It is DONE now', '**DONE** now')).toBe(false);
});

test('a name with an underscore must be exact', () => {
  expect(says('loop_complete', 'LOOP_COMPLETE')).toBe(false);
});

test('a line says a text if nothing else is on it', () => {
  expect(isSpeech('  **BEFORE X1**', 'BEFORE X1')).toBe(true);
  expect(isSpeech('1. AFTER 1,201  ', 'AFTER 1201')).toBe(true);
  expect(isSpeech('not AFTER 1201', 'AFTER 1201')).toBe(false);
});
