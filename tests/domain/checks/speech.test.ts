import { describe, expect, test } from 'vitest';
import { saidLines, says } from '../../../src/domain/checks/speech.js';

describe('an answer counts', () => {
  test.each([
    ['in bold', '**ANSWER=1201**'],
    ['in backticks', 'ANSWER=`1201`'],
    ['in italics', '*ANSWER=1201*'],
    ['in a code fence', '```text\nANSWER=1201\n```'],
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

test('lines lose their decoration and the space around them', () => {
  expect(saidLines('**BEFORE X1**\n\n  1. AFTER 1,201  ')).toEqual(['BEFORE X1', '', 'AFTER 1201']);
});
