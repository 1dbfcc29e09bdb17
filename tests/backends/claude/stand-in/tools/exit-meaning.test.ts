import { expect, test } from 'vitest';
import { meaningOfExit } from '../../../../../src/backends/claude/stand-in/tools/exit-meaning.js';

test.each([
  ['grep nomatch a.txt', 'No matches found'],
  ['ls; grep nomatch a.txt', 'No matches found'],
  ['cat a.txt | grep "x|y"', 'No matches found'],
  ['grep nomatch a.txt > o.txt', 'No matches found'],
  ['diff a b', 'Files differ'],
  ['test -f q', 'Condition is false'],
  ['find nosuch', 'Some directories were inaccessible'],
])('exit code 1 of %s is no failure in Claude Code 2.1.325', (command, meaning) => {
  expect(meaningOfExit(command, 1)).toBe(meaning);
  expect(meaningOfExit(command, 2)).toBeNull();
});

test.each(['grep x a && ls', 'timeout 5 grep x a', '/bin/grep x a', 'cmp a b', 'false', 'make $(cat x)'])(
  'exit code 1 of %s is a failure',
  (command) => {
    expect(meaningOfExit(command, 1)).toBeNull();
  },
);

test.each([
  '! grep x a',
  '(grep x a)',
  'X=$(grep x a)',
  'FOO=1 grep x a',
  '[ -f q ]',
  'while test x; do ls; done',
])('what exit code 1 of %s means is not guessed', (command) => {
  expect(meaningOfExit(command, 1)).toBeUndefined();
  expect(meaningOfExit(command, 0)).toBeNull();
});
