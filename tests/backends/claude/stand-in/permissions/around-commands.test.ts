import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decidePermission } from '../../../../../src/backends/claude/stand-in/permissions/permissions.js';
import { tempFolder } from '../../../../support/cli.js';
import { contextOf } from './context-of.js';
import { isAllowed, sort } from './sort-commands.js';

test('a reader is found behind the shell itself and a time limit, in this order', () => {
  const allowed = [
    ...['timeout 5s ls', 'timeout 0.5 grep A a.txt', 'timeout 5 timeout 5 jq . x.json', 'timeout "5" ls'],
    ...['command ls', 'command -p git status', 'builtin cd src', 'command -- ls', 'command timeout 5 uniq'],
    ...['\\ls', '"cat" a.txt', 'timeout 5 \\ls', '\\command ls', '! [ -f a.txt ]'],
  ];
  const refused = [
    ...[
      'timeout 5 command ls',
      'timeout -k 1 5 ls',
      'timeout --foreground 5 ls',
      'timeout .5 ls',
      'timeout 5x ls',
    ],
    ...['command -v ls', 'nice ls', 'nohup ls', 'time ls', 'stdbuf -oL ls', 'env ls', 'command awk 1 a.txt'],
    // The shell only knows these by themselves.
    ...['timeout 5 cd src', 'timeout 5 type ls', 'timeout 5 [ -f a.txt ]', 'command [[ -f a.txt ]]'],
    ...['\\uniq', '"jq" . x.json', "'hostname'", '"[" -f a.txt ]'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('a variable before a reader is harmless if it only changes the output', () => {
  const allowed = [
    ...['NO_COLOR=1 ls', 'TERM=x TZ=UTC sort a.txt', 'NO_COLOR="a b" ls', 'NO_COLOR=* ls', 'LC_ALL=C ls'],
    ...['LANG=en_US.UTF-8 ls', 'NO_COLOR=1 command ls', 'NO_COLOR=1 timeout 5 cat a.txt'],
  ];
  const refused = [
    ...['FOO=1 ls', 'COLUMNS=80 ls', 'LANG=de ls', 'LANGUAGE=/tmp ls', 'NO_COLOR=$HOME ls', 'NO_COLOR=~ ls'],
    ...['NO_COLOR+=1 ls', 'NO_COLOR=1 jq . x.json', 'NO_COLOR=1 uniq', 'NO_COLOR=1 timeout 5 grep A a.txt'],
    ...['NO_COLOR=1 command sort a.txt', 'NO_COLOR=1 timeout 5 cd src', 'NO_COLOR=1 nohup ls'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('an accepted edit is found behind more, but touch behind nothing', () => {
  const allowed = [
    ...[
      'nohup nice rm -f z',
      'timeout -k 1 5 mkdir d',
      'nice -n 5 cp a.txt c',
      'nice -5 rmdir d',
      'time mv a b',
    ],
    ...[
      'stdbuf -oL -eL mkdir d',
      'timeout 5 command sed -i s/a/b/ a.txt',
      'NO_COLOR=1 rm z',
      '\\rm z',
      '! touch x',
    ],
    ...['LC_ALL=C nohup rm z', 'builtin mkdir d'],
  ];
  const refused = [
    ...['nohup touch x', 'NO_COLOR=1 touch x', '\\touch x', 'timeout 5 touch x', 'nohup tee x', 'env rm z'],
    ...[
      'nice -n5 rm z',
      'stdbuf --output=L rm z',
      'nohup -- rm z',
      'FOO=1 rm z',
      'NO_COLOR="1" rm z',
      'xargs rm z',
    ],
    ...['nohup rm ../z', 'nice rm .git/config', 'tee a.txt > out.txt', 'timeout 5 sed -n 1p a.txt ../x'],
  ];
  expect(sort([...allowed, ...refused], { mode: 'acceptEdits' })).toEqual({ allowed, refused });
});

test('sed prints lines by their numbers, or replaces text in its input', () => {
  const allowed = [
    ...[
      "sed -n '1,3p; 5p' a.txt",
      'sed -nE 1p a.txt',
      'sed -z -n p a.txt',
      'sed --quiet 1p -- a.txt',
      'sed 1p -n a.txt',
    ],
    ...[
      "sed 's/a b/c d/g'",
      "sed -E 's/a/b/2g'",
      "sed 's/a*/b/pI'",
      "sed 's/a/b/' --",
      'cat a.txt | sed s/a/b/',
    ],
  ];
  const refused = [
    ...[
      "sed -n '1p;' a.txt",
      'sed -n -s 1p a.txt',
      "sed -n '$p' a.txt",
      'sed -n -e 1p a.txt',
      "sed -n '1!p'",
    ],
    ...[
      'sed s/a/b/ a.txt',
      "sed -n 's/a/b/p'",
      "sed 's/a/b/e'",
      "sed 's/a/b/22'",
      "sed 's#a#b#'",
      "sed 's/a;b/c/'",
    ],
    ...[
      "sed 's/a{1}/b/'",
      "sed 's/é/b/'",
      "sed 's/a/$HOME/'",
      'sed -n 1p ../x',
      "sed -e 's/a/b/'",
      'sed 1d a.txt',
    ],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('spaces around a command are not a part of it', () => {
  expect(isAllowed('  make  ', { allow: ['Bash(make)'] })).toBe(true);
  expect(isAllowed('  make  ', { allow: ['Bash(  make  )'] })).toBe(false);
});

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

test('the text of a here-document is data, but a sum in it cannot be told from code', () => {
  const allowed = ['cat <<\\E\n$(rm -rf .) `ls` $HOME\nE', "cat <<'E'\n$((1))\nE"];
  const refused = ['cat <<\\E\n$((1))\nE', 'cat <<\\E\n$[1]\nE', 'cat <<\\E #x\nx\nE'];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
  expect(isAllowed('cat <<\\E\n$((1))\nE', { mode: 'bypassPermissions' })).toBe(false);
});

test('a line that changes the folder makes git and relative input suspicious, wherever they are', () => {
  const allowed = [
    'cd . && git status',
    'cd src && ls',
    'ls; cd src',
    'cd src && cat < /dev/null',
    'cd src && cat <<< x',
  ];
  const refused = [
    ...['git status && cd src', 'cd src; git status', 'git log; ls; cd src', 'git --version; pushd src'],
    ...['cd src && cat < b.txt', 'cat < a.txt; cd src'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('a rule sees the whole line if it changes files, or is a pipeline that does more than read', () => {
  const deny = ['Bash(if *)', 'Bash(*|*)'];
  const allowed = ['if true; then ls; fi', 'if true; then make; fi', 'ls | wc'];
  const refused = ['if true; then touch x; fi', 'if true; then ls > x; fi', 'ls | make'];
  expect(sort([...allowed, ...refused], { allow: ['Bash'], deny })).toEqual({ allowed, refused });
  expect(sort([...allowed, ...refused], { allow: ['Bash'], ask: deny })).toEqual({ allowed, refused });
});

test('no prefix allows what changes the meaning of variables, or starts something unseen', () => {
  const refused = [
    ...[
      'declare -i X=1',
      'typeset -n X=Y',
      'unset PATH',
      'env -S "touch x"',
      'env --split-string=ls',
      'env -C src ls',
    ],
    ...['flock a ls', 'strace ls', 'chrt 1 ls', 'taskset 1 ls', 'X=~; ls', 'X=1 | ls'],
  ];
  const allowed = ['declare X=1', 'declare -p', 'unset X', 'env A=1 ls'];
  const names = ['declare', 'typeset', 'unset', 'env', 'flock', 'strace', 'chrt', 'taskset'];
  expect(sort([...allowed, ...refused], { allow: names.map((name) => `Bash(${name}:*)`) })).toEqual({
    allowed,
    refused,
  });
});

test('no rule allows a change through a link that leads out, and no mode an edit of a link', () => {
  const base = tempFolder();
  const cwd = join(base, 'w');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'a.txt'), 'A\n');
  symlinkSync('..', join(cwd, 'out'));
  symlinkSync('a.txt', join(cwd, 'near'));
  const decide = (
    tool: string,
    input: Readonly<Record<string, string>>,
    mode: 'default' | 'bypassPermissions',
  ) => {
    const context = contextOf({ allow: ['Bash', 'Edit'], mode });
    return decidePermission(tool, input, { ...context, root: cwd, folders: { cwd, all: [cwd] } }).allowed;
  };
  expect(decide('Bash', { command: 'touch out/x' }, 'default')).toBe(false);
  expect(decide('Bash', { command: 'touch out/x' }, 'bypassPermissions')).toBe(true);
  expect(decide('Bash', { command: `touch ${base}/x` }, 'default')).toBe(true);
  expect(decide('Bash', { command: 'touch near' }, 'default')).toBe(true);
  expect(decide('Edit', { file_path: 'a.txt' }, 'default')).toBe(true);
  expect(decide('Edit', { file_path: 'near' }, 'default')).toBe(false);
  expect(decide('Edit', { file_path: 'near' }, 'bypassPermissions')).toBe(false);
});
