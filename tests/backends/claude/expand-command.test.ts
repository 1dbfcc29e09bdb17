import { describe, expect, it } from 'vitest';
import {
  expandCommandText,
  fillArguments,
  fillCommandVariables,
} from '../../../src/backends/claude/expand-command.js';

/** A text, arguments, and what Claude Code 2.1.325 sent to its model. */
const SENT: readonly (readonly [string, string, string])[] = [
  ['t $0|$1|$2|$3', 'a "b c', 't a|"b c|$2|$3'],
  ['t $0|$1|$2|$3', "'x y z", "t 'x y z|$1|$2|$3"],
  ['t $0|$1|$2|$3', '"" b', 't |b|$2|$3'],
  ['t $0|$1|$2|$3', 'a\\"b c\\\\d "e\\"f" \'g\\h\'', 't a"b|c\\d|e\\"f|g\\h'],
  ['only $3 here\n', 'one', 'only $3 here\n\n\nARGUMENTS: one'],
  ['only \\$1 here\n', 'one', 'only $1 here\n\n\nARGUMENTS: one'],
  ['only \\$ARGUMENTS here\n', 'one', 'only $ARGUMENTS here\n\n\nARGUMENTS: one'],
  ['t \\\\$1 \\\\\\$1 \\$5 \\$x', 'one two', 't \\\\two \\\\\\two $5 \\$x'],
  ['t $01 $1_ $1- $1.5 $11', 'a b c d e f g h i j k l', 't b $1_ b- b.5 l'],
  ['A $ARGUMENTS', 'multi\nline  two   spaces ', 'A multi\nline  two   spaces'],
  ['t $ARGUMENTS[01] $ARGUMENTS[1]x $ARGUMENTS[-1]', 'a b c', 't b bx a b c[-1]'],
  ['A $ARGUMENTS Z', 'one "two words" three', 'A one "two words" three Z'],
  [
    'A $ARGUMENTS[0]|$ARGUMENTS[1]|$ARGUMENTS[2]|$ARGUMENTS[9] Z',
    'one "two words" three',
    'A one|two words|three|$ARGUMENTS[9] Z',
  ],
  ['A $0|$1|$2|$3|$10 Z', 'one "two words" three', 'A one|two words|three|$3|$10 Z'],
  ['A \\$1 \\$ARGUMENTS $ARGUMENTSX $1x x$1 $$1 Z', 'one two', 'A $1 $ARGUMENTS one twoX $1x xtwo $two Z'],
  ['A $ARGUMENTS|$1|$ARGUMENTS[0] Z', '', 'A |$1|$ARGUMENTS[0] Z'],
  ['  lead $ARGUMENTS trail  ', '$1 $& \\$ARGUMENTS', '  lead $1 $& \\$ARGUMENTS trail  '],
  ['esc $0|$1', "a\\ b 'c d'e \"f", 'esc a b|c de'],
  ['t $0|$1|$2|$3|$4', '$HOME "$HOME" a$b \'$x\'', 't $HOME|$HOME|a$b|$x|$4'],
  ['t $0|$1|$2|$3|$4', 'a\\ "x"\'y\'z "q"', 't a xyz|q|$2|$3|$4'],
  ['look $ARGUMENTS \\\\$ARGUMENTS \\\\\\$ARGUMENTS', 'x', 'look x \\\\x \\\\\\x'],
  ['\n\nno head $1', 'a b', '\n\nno head b'],
  ['t $0|$1|$2', 'x a=b c', 't x|a=b|c'],
  ['t $0|$1|$2', 'if then fi', 't if|then|fi'],
  ['t $0|$1|$2', '"a" for x in y', 't a|for|x'],
  ['t $0|$1|$2', 'for x in y', 't for|x|in'],
];

describe('the arguments of a command', () => {
  it.each(SENT)('%j with %j', (text, args, sent) => {
    expect(fillArguments(text, { args, names: [] })).toBe(sent);
  });

  it.each([
    ['A $first and $second $firstly', 'one two', 'A one and two $firstly'],
    ['A $first|$second|$1|$ARGUMENTS|\\$first', '$second two', 'A $second|two|two|$second two|$first'],
    ['A $first $second $third $ARGUMENTS[first]', 'one', 'A one  $third one[first]'],
  ])('may have names: %j with %j', (text, args, sent) => {
    expect(fillArguments(text, { args, names: ['first', 'second'] })).toBe(sent);
  });

  it.each([
    ['t $0|$1|$2|$3|$4|$5', 'a;b | c && $HOME *.md #x'],
    ['t $0|$1|$2|$3|$4|$5', 'a>b (c) # rest'],
    ['t $0|$1|$2|$3', 'multi\nline  two   spaces '],
    ['t $0|$1|$2|$3|$4|$5|$6|$7', 'a=b http://x.y/z?q=1 50% a,b @f.md [x] ^y é'],
    ['t $0|$1|$2', 'x http://y.z/?q=1 c~d {a,b}'],
    ['t $0|$1|$2', 'x ! y'],
    ['t $0|$1|$2', '$(ls) y'],
    ['t $0|$1|$2', 'a! b? c#d'],
  ])('are not split where only Claude Code knows how: %j with %j', (text, args) => {
    expect(fillArguments(text, { args, names: [] })).toBeNull();
  });
});

it('fills in variables that are known, also in arguments, and names those that are not', () => {
  const known = { CLAUDE_PLUGIN_ROOT: '/p', CLAUDE_SESSION_ID: null };
  expect(fillCommandVariables('${CLAUDE_PLUGIN_ROOT}/x ${HOME} $CLAUDE_PLUGIN_ROOT', known)).toEqual({
    text: '/p/x ${HOME} $CLAUDE_PLUGIN_ROOT',
    unknown: [],
  });
  expect(fillCommandVariables('${CLAUDE_SESSION_ID}', known).unknown).toEqual(['${CLAUDE_SESSION_ID}']);
});

describe('the text of a command', () => {
  const VARIABLES = { CLAUDE_PLUGIN_ROOT: '/p', CLAUDE_SESSION_ID: 'sid', CLAUDE_PLUGIN_DATA: null };
  const expand = (body: string, args = 'aa bb', skillFolder: string | null = null) =>
    expandCommandText({ body, argumentNames: ['first', 'second'], skillFolder }, args, VARIABLES);

  it.each([
    ['r=${CLAUDE_PLUGIN_ROOT} s=${CLAUDE_SESSION_ID} $first', 'r=/p s=sid aa'],
    ['k=${CLAUDE_SKILL_DIR} h=${HOME} $second', 'k=${CLAUDE_SKILL_DIR} h=${HOME} bb'],
    [
      '$first A=!`echo x` (!`echo x`) `!`echo x`` and !`` and ! `x`',
      'aa A=!`echo x` (!`echo x`) `!`echo x`` and !`` and ! `x`',
    ],
    ['$first "!`echo q`" -!`echo d` >!`echo g`', 'aa "!`echo q`" -!`echo d` >!`echo g`'],
  ])('%j', (body, text) => {
    expect(expand(body)).toEqual({ text, unknown: null });
  });

  it('has arguments that cannot become a command', () => {
    expect(expand('a $ARGUMENTS', '!`echo x`')).toEqual({ text: 'a \\! `echo x`', unknown: null });
  });

  it('of a skill begins with its folder, which is a variable too', () => {
    expect(expand('k=${CLAUDE_SKILL_DIR} $1', 'aa bb', '/p/skills/s').text).toBe(
      'Base directory for this skill: /p/skills/s\n\nk=/p/skills/s bb',
    );
  });

  it.each([
    ['a !`echo run` b', 'x', 'commands that Claude Code runs'],
    ['a\n!`echo run`', 'x', 'commands that Claude Code runs'],
    ['\t!`echo run`', 'x', 'commands that Claude Code runs'],
    ['a\n```!\necho\n```', 'x', 'commands that Claude Code runs'],
    ['a\n  ```!\n  echo\n  ```', 'x', 'commands that Claude Code runs'],
    ['${CLAUDE_PLUGIN_DATA}', 'x', '${CLAUDE_PLUGIN_DATA}'],
    ['$0', 'a;b', 'splits these arguments'],
  ])('%j with %j is not known before Claude Code sends it', (body, args, why) => {
    expect(expand(body, args)).toEqual({ text: null, unknown: expect.stringContaining(why) });
  });
});
