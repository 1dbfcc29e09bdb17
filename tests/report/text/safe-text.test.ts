import { describe, expect, it } from 'vitest';
import {
  capText,
  cleanText,
  codeSpan,
  fencedBlock,
  htmlText,
  inlineText,
  oneLine,
} from '../../../src/report/text/safe-text.js';

describe('cleanText', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a hyperlink', '\u001b]8;;https://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a device control string', 'a\u001bPq#0\u001b\\b', 'ab'],
    ['a sequence of one 8-bit control', 'a\u009b2Jb', 'ab'],
    ['a sequence that is cut off', 'a\u001b[', 'a'],
    ['a title that never ends, up to its line', 'a\u001b]0;title\nb', 'a\nb'],
    ['a reset', 'a\u001bcb', 'ab'],
    ['bells, backspaces and nulls', 'a\u0007\u0008\u0000b', 'ab'],
    ['bidi overrides', 'a\u202eevil\u202c\u2066b', 'aevilb'],
    ['invisible characters', 'a\u200b\u2060\ufeff\u00adb', 'ab'],
    ['hidden tags', `a${'\u{e0049}\u{e0067}'}b`, 'ab'],
    ['selectors', 'a\ufe00\ufe01b\ufe0fc\u{e0100}', 'abc'],
    ['all but one selector after an emoji', '✅\ufe0f\ufe0e\ufe0f!', '✅\ufe0f!'],
    ['joiners between other characters', 'a\u200db\ufe0f\u200d👩\u200d \u200d🚀', 'ab👩 🚀'],
    ['half a surrogate pair', 'a\ud83db', 'a\ufffdb'],
    ['old and odd line ends', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
  ])('takes out %s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('leaves readable text alone', () => {
    const text = 'tab\there, ünïcödé, 漢字, 👩‍🚀 👩🏽‍🚀 🏳️‍🌈 1️⃣ ❤︎ ✅️\nline';
    expect(cleanText(text)).toBe(text);
  });
});

describe('oneLine', () => {
  it('joins lines and cuts at the limit, never inside a character', () => {
    expect(oneLine(' a\n\n b\tc ')).toBe('a b c');
    expect(oneLine('🧪🧪🧪', 4)).toBe('🧪…');
  });
});

describe('inlineText', () => {
  it.each([
    ['a|b', 'a\\|b'],
    ['`code`', '\\`code\\`'],
    ['a\\|b', 'a\\\\\\|b'],
    ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
    ['[x](y) *z*', '\\[x\\](y) \\*z\\*'],
    ['_x_ a_b', '\\_x\\_ a_b'],
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['===', '\\==='],
    ['2.10.1', '2.10.1'],
    ['--verbose', '--verbose'],
    ['#12', '`#12`'],
    [
      'see https://a.example, @me and www.a.example|b',
      'see `https://a.example`, `@me` and `www.a.example\\|b`',
    ],
    ['a @ b, # 1, ralph@', 'a @ b, # 1, ralph@'],
  ])('%s becomes %s', (text, safe) => {
    expect(inlineText(text)).toBe(safe);
  });
});

describe('codeSpan', () => {
  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a``b`c', '```a``b`c```'],
    ['a|b', '`a\\|b`'],
    ['a\\|b', '`a\\ \\|b`'],
    ['', '(empty)'],
  ])('%s becomes %s', (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });
});

describe('capText', () => {
  it('keeps the beginning and the end, and says how much is missing and where the whole is', () => {
    const capped = capText(`begin${'x'.repeat(500)}end`, { limit: 100, whole: '/runs/1/stdout' });
    expect(capped).toMatch(/^begin/);
    expect(capped).toMatch(/end$/);
    expect(capped).toContain('[… 408 characters left out; the whole is in /runs/1/stdout …]');
  });

  it('does not touch what fits', () => {
    expect(capText('x'.repeat(100), { limit: 100, whole: null })).toBe('x'.repeat(100));
  });
});

describe('fencedBlock', () => {
  it('has a fence that is longer than any run of backticks inside', () => {
    expect(fencedBlock('````\ncode', { limit: 100, whole: null, language: 'js' })).toBe(
      '`````js\n````\ncode\n`````',
    );
  });

  it('says so when there is nothing', () => {
    expect(fencedBlock('\n', { limit: 100, whole: null })).toBe('```\n(empty)\n```');
  });
});

it('htmlText cannot open a tag', () => {
  expect(htmlText('</summary><b>&')).toBe('&lt;/summary&gt;&lt;b&gt;&amp;');
});
