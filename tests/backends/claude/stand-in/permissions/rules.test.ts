import { expect, test } from 'vitest';
import {
  fitFile,
  fitsCommand,
  limitsOf,
  namesTool,
} from '../../../../../src/backends/claude/stand-in/permissions.js';

const FOLDERS = { cwd: '/w', home: '/home/me' };

test.each([
  ['Bash', 'anything', true],
  ['Bash(*)', 'anything', true],
  ['Bash()', 'anything', false],
  ['Bash(git *)', 'git status', true],
  ['Bash(git *)', 'git', true],
  ['Bash(git *)', 'github status', false],
  ['Bash(npm run:*)', 'npm run test', true],
  ['Bash(npm run:*)', 'npm runs', false],
  ['Bash(npm test)', 'npm test', true],
  ['Bash(npm test)', 'npm test x', false],
  ['Bash(* test)', 'npm test', true],
])('%s about the command %s: %s', (rule, command, fits) => {
  const byLimit = limitsOf([rule], 'Bash').some((limit) => fitsCommand(limit, command));
  expect(namesTool([rule], 'Bash') || byLimit).toBe(fits);
});

test.each([
  ['mcp__one', true],
  ['mcp__one__*', true],
  ['mcp__one__look', true],
  ['mcp__on', false],
  ['mcp__*', false],
])('%s names a tool of the server one: %s', (rule, names) => {
  expect(namesTool([rule], 'mcp__one__look')).toBe(names);
});

test.each([
  // A rule without a path is about one tool; a rule with a path is about all that change files.
  ['Edit', 'Write', '/w/a', false],
  ['Edit(a)', 'Write', '/w/a', true],
  ['Write(a)', 'Write', '/w/a', false],
  ['Edit(src/**)', 'Write', '/w/src/a/b.ts', true],
  ['Edit(src/*)', 'Write', '/w/src/a/b.ts', true],
  ['Edit(src)', 'Write', '/w/deep/src/a', true],
  ['Edit(*.ts)', 'Write', '/w/src/a.ts', true],
  ['Edit(**/*.ts)', 'Write', '/w/a.ts', true],
  ['Edit(**)', 'Write', '/other/a', false],
  ['Edit(//**)', 'Write', '/other/a', true],
  ['Edit(a {1}(2)|b.txt)', 'Write', '/w/a {1}(2)|b.txt', true],
  ['Read(./secret.txt)', 'Read', '/w/secret.txt', true],
  // Seen in 2.1.325: a dot and a slash do not anchor a name, one slash does.
  ['Read(./secret.txt)', 'Read', '/w/sub/secret.txt', true],
  ['Read(/secret.txt)', 'Read', '/w/sub/secret.txt', false],
  ['Read(/secret.txt)', 'Read', '/w/secret.txt', true],
  ['Read(//etc/**)', 'Read', '/etc', true],
  ['Read(//etc/*)', 'Read', '/etc/passwd', true],
  ['Read(~/.ssh/**)', 'Read', '/home/me/.ssh/id', true],
  ['Read(src/*)', 'Read', '/w/other/a', false],
  ['Read(./SECRET.txt)', 'Read', '/w/secret.TXT', true],
  ['Read(?.txt)', 'Read', '/w/a.txt', true],
  ['Read(?.txt)', 'Read', '/w/ab.txt', false],
  ['Read([ab].txt)', 'Read', '/w/b.txt', true],
  ['Read([!ab].txt)', 'Read', '/w/b.txt', false],
  ['Read([z-a].txt)', 'Read', '/w/b.txt', false],
])('%s about %s of %s: %s', (rule, tool, path, fits) => {
  expect(fitFile([rule], tool, path, FOLDERS)).toEqual([fits, fits]);
});
