import { stripVTControlCharacters } from 'node:util';
import { Chalk } from 'chalk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unbroken, wrapText } from '../../../src/report/terminal/layout.js';

const TERMINAL = { isTTY: true, columns: 40 };

describe('a text on a terminal', () => {
  it.each([
    [
      'a mark, below the text behind it',
      '🔴 FAILED: 8 of 13 tests failed on the stand-in (Ralph itself was not tested)',
      ['🔴 FAILED: 8 of 13 tests failed on the', '   stand-in (Ralph itself was not', '   tested)'],
    ],
    [
      'an indented mark',
      '  ⏭️  2 tests skipped on claude: needs a real ralph',
      ['  ⏭️  2 tests skipped on claude: needs a', '      real ralph'],
    ],
    [
      'no mark, a little further in',
      'Not included: 61 tests of conversations and plugins',
      ['Not included: 61 tests of conversations', '  and plugins'],
    ],
    [
      'two columns, below the second',
      '  hat-single   A hat does what its instructions say',
      ['  hat-single   A hat does what its', '               instructions say'],
    ],
    [
      'a first column that leaves no room for the second',
      '  hat-that-has-a-long-name   A hat does what its instructions say it does',
      ['  hat-that-has-a-long-name', '      A hat does what its instructions', '      say it does'],
    ],
    [
      'a command in backticks, which stays on one line',
      'Install it: `cargo install ralph-cli --locked`.',
      ['Install it:', '  `cargo install ralph-cli --locked`.'],
    ],
    ['a word that is too long', `See ${'x'.repeat(50)} there`, ['See', `  ${'x'.repeat(50)}`, '  there']],
  ])('breaks between words: %s', (_, text, lines) => {
    expect(wrapText(text, TERMINAL).split('\n')).toEqual(lines);
  });

  it('leaves a command whole that is longer than the terminal is wide', () => {
    const command = "ralph-e2e claude --test 'hat-single [claude]' --lane sim --output /tmp/out";
    expect(wrapText(`Run it again: ${unbroken(command)}`, TERMINAL)).toBe(`Run it again:\n  ${command}`);
  });

  it('breaks colored text at the same places', () => {
    const chalk = new Chalk({ level: 1 });
    const text = 'ralph: none was named with --ralph, and none is on PATH';
    const colored = wrapText(`  ${chalk.red('✘')} ${chalk.dim(text)}`, TERMINAL);
    expect(stripVTControlCharacters(colored)).toBe(wrapText(`  ✘ ${text}`, TERMINAL));
  });

  it('keeps every word, in order, and every line within the terminal unless it is one word', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{1,50}$/), { minLength: 1 });
    fc.assert(
      fc.property(texts, (words) => {
        const folded = wrapText(words.join(' '), TERMINAL);
        expect(folded.split(/\s+/)).toEqual(words);
        for (const line of folded.split('\n'))
          if (line.trim().includes(' ')) expect(line.length).toBeLessThanOrEqual(40);
      }),
    );
  });
});

it.each([
  ['a file', {}],
  ['a terminal without a size', { isTTY: true, columns: 0 }],
])('in %s, lines are as long as they are', (_, stream) => {
  const text = `🔴 ${'word '.repeat(40)}`;
  expect(wrapText(`${text}${unbroken('a b')}`, stream)).toBe(`${text}a b`);
});
