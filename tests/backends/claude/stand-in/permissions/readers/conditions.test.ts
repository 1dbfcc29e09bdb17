import { expect, test } from 'vitest';
import { sort } from '../sort-commands.js';

test('tests look at anything that nobody has to expand', () => {
  const allowed = [
    ...[
      "test -f 'a b'",
      '[ "a" = "b" ]',
      "[ -z '' ]",
      '[ ! -f a.txt ]',
      '[ ]',
      '[ x ]',
      '[ a -nt b ]',
      '[[ 1 -lt 2 ]]',
    ],
    ...["[ a = '*' ]", 'test -t 1', '[[ -v x ]]', '[ -L a.txt ]', 'test', '[[ "a b" == c ]]', 'test -d /etc'],
  ];
  const refused = [
    ...[
      '[ -f *.txt ]',
      '[[ a == b* ]]',
      'test -v x',
      'test -f',
      '[ a b ]',
      '[ -f a.txt',
      '[ -f ~x ]',
      '[[ 1 -eq X ]]',
    ],
    ...[
      '[ -f "$HOME/x" ]',
      '[ -z "$X" ]',
      'test -f a.txt -o -d src',
      '[ -e a.txt ] > /dev/null',
      "[ a '<' b ]",
    ],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('a rule that denies sees both kinds of brackets as one, without the end', () => {
  const commands = ['[ -f a.txt ]', '[[ -f a.txt ]] && ls', 'if [ -f a.txt ]; then ls; fi'];
  for (const rule of ['Bash(* a.txt)', 'Bash([[ -f a.txt)', 'Bash([[:*)']) {
    expect(sort(commands, { allow: ['Bash'], deny: [rule] }).allowed).toEqual([]);
    expect(sort(commands, { allow: ['Bash'], ask: [rule] }).allowed).toEqual([]);
  }
  expect(sort(commands, { allow: ['Bash'], deny: ['Bash([ -f a.txt)', 'Bash(-f *)'] }).refused).toEqual([]);
});
