import { expect, test } from 'vitest';
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
    ...['LANG=en_US.UTF-8 ls', 'COLUMNS=80 ls', 'NO_COLOR=1 command ls', 'NO_COLOR=1 timeout 5 cat a.txt'],
  ];
  const refused = [
    ...[
      'FOO=1 ls',
      'LANG=de ls',
      'lang=C ls',
      'LANG=.utf8 ls',
      'TZ=:/etc/x ls',
      'LANGUAGE=\\/tmp ls',
      'COLUMNS=C ls',
      'LANGUAGE=/tmp ls',
      'NO_COLOR=$HOME ls',
      'NO_COLOR=~ ls',
    ],
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
      'nice "-n 5" python3 rm z',
      'timeout "-k 1" 5 python3 rm z',
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

test('spaces around a command are not a part of it', () => {
  expect(isAllowed('  make  ', { allow: ['Bash(make)'] })).toBe(true);
  expect(isAllowed('  make  ', { allow: ['Bash(  make  )'] })).toBe(false);
});
