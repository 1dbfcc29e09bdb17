import { expect, test } from 'vitest';
import {
  anyRuleFits,
  type Use,
} from '../../../../../../src/backends/claude/stand-in/permissions/rules/rules.js';

const FOLDERS = { cwd: '/w', home: '/home/me' };

function command(text: string): Use {
  return { tool: 'Bash', commands: [text] };
}

test.each<[string, Use, boolean]>([
  ['Bash', command('anything'), true],
  ['Bash(*)', command('anything'), true],
  ['Bash()', command('anything'), false],
  ['Bash(git *)', command('git status'), true],
  ['Bash(git *)', command('git'), true],
  ['Bash(git *)', command('github status'), false],
  ['Bash(npm run:*)', command('npm run test'), true],
  ['Bash(npm run:*)', command('npm runs'), false],
  ['Bash(* test)', command('npm test'), true],
  ['Edit', { tool: 'Edit', path: '/w/a' }, true],
  // A rule without a path is about one tool; a rule with a path is about all that change files.
  ['Edit', { tool: 'Write', path: '/w/a' }, false],
  ['Write', { tool: 'Edit', path: '/w/a' }, false],
  ['Edit(a)', { tool: 'Write', path: '/w/a' }, true],
  ['Write(a)', { tool: 'Write', path: '/w/a' }, false],
  ['Edit(src/**)', { tool: 'Write', path: '/w/src/a/b.ts' }, true],
  ['Edit(src/*)', { tool: 'Write', path: '/w/src/a/b.ts' }, true],
  ['Edit(src)', { tool: 'Write', path: '/w/deep/src/a' }, true],
  ['Edit(*.ts)', { tool: 'Write', path: '/w/src/a.ts' }, true],
  ['Edit(**/*.ts)', { tool: 'Write', path: '/w/a.ts' }, true],
  ['Edit(**)', { tool: 'Write', path: '/other/a' }, false],
  ['Edit(//**)', { tool: 'Write', path: '/other/a' }, true],
  ['Read(./secret.txt)', { tool: 'Read', path: '/w/secret.txt' }, true],
  ['Read(./secret.txt)', { tool: 'Read', path: '/w/sub/secret.txt' }, false],
  ['Read(//etc/**)', { tool: 'Read', path: '/etc' }, true],
  ['Read(//etc/*)', { tool: 'Read', path: '/etc/passwd' }, true],
  ['Read(~/.ssh/**)', { tool: 'Read', path: '/home/me/.ssh/id' }, true],
  ['Read(src/*)', { tool: 'Read', path: '/w/other/a' }, false],
  ['Read(./SECRET.txt)', { tool: 'Read', path: '/w/secret.TXT' }, true],
  ['Read(?.txt)', { tool: 'Read', path: '/w/a.txt' }, true],
  ['Read(?.txt)', { tool: 'Read', path: '/w/ab.txt' }, false],
  ['Read([ab].txt)', { tool: 'Read', path: '/w/b.txt' }, true],
  ['Read([!ab].txt)', { tool: 'Read', path: '/w/b.txt' }, false],
  ['Read([z-a].txt)', { tool: 'Read', path: '/w/b.txt' }, false],
  // Only a rule with a star sees through quotes and wrappers.
  ['Bash(npm test)', { tool: 'Bash', commands: [], patterns: ['npm test'] }, false],
  ['Bash(npm:*)', { tool: 'Bash', commands: [], patterns: ['npm test'] }, true],
])('%s about %j: %s', (rule, use, fits) => {
  expect(anyRuleFits([rule], use, FOLDERS)).toBe(fits);
});
