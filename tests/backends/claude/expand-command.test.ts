import { describe, expect, it } from 'vitest';
import {
  expandCommandText,
  fillArguments,
  fillCommandVariables,
} from '../../../src/backends/claude/expand-command.js';

/** A text, arguments, and what Claude Code 2.1.325 sent to its model. */
const SENT: readonly (readonly [string, string, string])[] = [
  ['only $3 here\n', 'one', 'only $3 here\n\n\nARGUMENTS: one'],
  ['t $01 $1_ $1- $1.5 $11', 'a b c d e f g h i j k l', 't b $1_ b- b.5 l'],
  ['A $ARGUMENTS', 'multi\nline  two   spaces ', 'A multi\nline  two   spaces'],
  ['t $ARGUMENTS[01] $ARGUMENTS[1]x $ARGUMENTS[-1]', 'a b c', 't b bx a b c[-1]'],
  ['A $ARGUMENTS Z', 'one "two words" three', 'A one "two words" three Z'],
  ['A $ARGUMENTSX $1x x$1 $$1 Z', 'one two', 'A one twoX $1x xtwo $two Z'],
  ['A $ARGUMENTS|$1|$ARGUMENTS[0] Z', '', 'A |$1|$ARGUMENTS[0] Z'],
  ['  lead $ARGUMENTS trail  ', '$1 $& \\$ARGUMENTS', '  lead $1 $& \\$ARGUMENTS trail  '],
  ['t $0|$1|$2', '$HOME a$b', 't $HOME|a$b|$2'],
  ['\n\nno head $1', 'a b', '\n\nno head b'],
  ['t $0|$1|$2', 'x a=b c', 't x|a=b|c'],
  ['t $0|$1|$2', 'if then fi', 't if|then|fi'],
  ['t $ARGUMENTS', 'do it!', 't do it!'],
];

describe('the arguments of a command', () => {
  it.each(SENT)('%j with %j', (text, args, sent) => {
    expect(fillArguments(text, { args, names: [] })).toBe(sent);
  });

  it.each([
    ['A $first and $second $firstly', 'one two', 'A one and two $firstly'],
    ['A $first|$second|$1|$ARGUMENTS', '$second two', 'A $second|two|two|$second two'],
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
    ['t $0|$1|$2|$3', 'one "two words"'],
    ['t $0', "it's"],
    ['t $0', 'a\\ b'],
    ['t \\$1', 'one'],
    ['t \\$ARGUMENTS', 'one'],
    ['t $ARGUMENTS', '!x'],
    ['t $ARGUMENTS', 'a !`echo x`'],
  ])('are not put in where only Claude Code knows how: %j with %j', (text, args) => {
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
  ])('%j', (body, text) => {
    expect(expand(body)).toEqual({ text, unknown: null });
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
    ['(!`echo x`) `!`echo x`` and !``', 'x', 'commands that Claude Code runs'],
    ['$0', 'a;b', 'puts these arguments'],
    ['$ARGUMENTS', '!`echo x`', 'puts these arguments'],
    ['Run !$ARGUMENTS now', '`echo x`', 'makes of these arguments'],
  ])('%j with %j is not known before Claude Code sends it', (body, args, why) => {
    expect(expand(body, args)).toEqual({ text: null, unknown: expect.stringContaining(why) });
  });
});
