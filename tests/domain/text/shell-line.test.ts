import { expect, test } from 'vitest';
import { splitShellLine } from '../../../src/domain/text/shell-line.js';

test.each<[string, string[][]]>([
  ['ls', [['ls']]],
  [
    'git add . && git commit -m "a; b"',
    [
      ['git', 'add', '.'],
      ['git', 'commit', '-m', 'a; b'],
    ],
  ],
  ['a || b; c | d\ne;', [['a'], ['b'], ['c'], ['d'], ['e']]],
  [`echo 'it''s' "a \\"b\\" \\n" x"y"z ''`, [['echo', 'its', 'a "b" \\n', 'xyz', '']]],
  ['git diff HEAD~1 --stat=80 a:b', [['git', 'diff', 'HEAD~1', '--stat=80', 'a:b']]],
  ["grep '$x*' a#b!", [['grep', '$x*', 'a#b!']]],
])('%s is split into its commands and words', (line, words) => {
  expect(splitShellLine(line)?.map((part) => part.words)).toEqual(words);
});

test('redirections are files, and no words', () => {
  const line = 'sort -u  < in.txt 2>/dev/null >> "out file" 2>&1 | tee x >y';
  expect(splitShellLine(line)).toEqual([
    { words: ['sort', '-u'], source: 'sort -u', reads: ['in.txt'], writes: ['out file'] },
    { words: ['tee', 'x'], source: 'tee x', reads: [], writes: ['y'] },
  ]);
});

test.each([
  ...[
    '',
    ';',
    'a &&',
    '&& a',
    'a ;; b',
    'a | | b',
    'a &',
    'a |& b',
    'a &> b',
    '> a',
    'a >',
    'a >| b',
    'a <> b',
    'a >&b',
  ],
  ...[
    'echo $X',
    'echo "$X"',
    'echo "a`b`"',
    '$(a)',
    'a `b`',
    '(a)',
    '{ a; }',
    'a {b,c}',
    'a <(b)',
    'cat <<E\nx\nE',
  ],
  ...[
    'ls *',
    'ls a?',
    'ls [ab]',
    '[ -f x ]',
    'cat ~/a',
    'cat ~',
    'a --b=~/c',
    'a # b',
    'a\n# b',
    "a 'x\n # y'",
  ],
  ...[
    'X=1 a',
    'X=1',
    'X+=1 a',
    '! a',
    'time a',
    'if a; then b; fi',
    'for a in b; do c; done',
    'f() { a; }',
    '=ls',
  ],
  ...[
    'a\\ b',
    'a \\\nb',
    "echo $'a'",
    'echo "open',
    "echo 'open",
    'a\u00a0b',
    'a\u0007',
    `echo ${'x'.repeat(10_001)}`,
  ],
])('%j is not read', (line) => {
  expect(splitShellLine(line)).toBeNull();
});
