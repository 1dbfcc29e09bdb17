import { describe, expect, test } from 'vitest';
import { decidePermission } from '../../../../../src/backends/claude/stand-in/permissions.js';
import { contextOf, type Rules } from './context-of.js';

/** What Claude Code 2.1.325 decided about the same file with the same rules. */
function isAllowed(tool: string, path: string, rules?: Rules): boolean {
  return decidePermission(tool, { file_path: path }, contextOf(rules)).kind === 'allowed';
}

test.each<[string, Rules, string, string, boolean]>([
  ['reading inside needs nothing', {}, 'Read', 'a.txt', true],
  ['reading outside needs a rule', {}, 'Read', '/etc/x', false],
  ['a rule allows it', { allow: ['Read(//etc/**)'] }, 'Read', '/etc/x', true],
  ['writing needs a rule', {}, 'Write', 'a.txt', false],
  ['a rule for another tool does not help', { allow: ['Edit'] }, 'Write', 'a.txt', false],
  ['a path for Write has no effect', { allow: ['Write(a.txt)'] }, 'Write', 'a.txt', false],
  ['a path for Edit is about all changes', { allow: ['Edit(a.txt)'] }, 'Write', 'a.txt', true],
  ['accepted edits are those inside', { mode: 'acceptEdits' }, 'Write', '/x', false],
  ['a rule for Write reaches outside', { allow: ['Write'] }, 'Write', '/x', true],
  ['plan mode writes nothing', { mode: 'plan', allow: ['Write'] }, 'Write', 'a.txt', false],
  ['plan mode reads everything', { mode: 'plan' }, 'Read', '/etc/hostname', true],
  [
    'what must not be read must not be written',
    { mode: 'bypassPermissions', deny: ['Read(a.txt)'] },
    'Write',
    'a.txt',
    false,
  ],
  [
    'somebody must be asked even if permissions are skipped',
    { mode: 'bypassPermissions', ask: ['Edit(a.txt)'] },
    'Write',
    'a.txt',
    false,
  ],
  ['a pattern of tools asks', { allow: ['Read'], ask: ['R*'] }, 'Read', 'a.txt', false],
  ['a pattern of tools allows nothing', { allow: ['*'] }, 'Write', 'a.txt', false],
  ['spaces are a part of a rule', { allow: [' Write'] }, 'Write', 'a.txt', false],
])('%s', (_, rules, tool, path, allowed) => {
  expect(isAllowed(tool, path, rules)).toBe(allowed);
});

describe.each([
  '.git/config',
  '.claude/settings.json',
  '.bashrc',
  '.mcp.json',
  'sub/.vscode/x',
  '.GIT/x',
  '.husky/x',
  '.bash_aliases',
  '.bash_logout',
  '.zlogin',
  '.zlogout',
  '.yarnrc.yml',
  '.pre-commit-config.yaml',
  '.devcontainer.json',
  '.config/git/config',
])('the protected file %s', (path) => {
  test('is changed by no rule and no mode but the one that skips permissions', () => {
    expect(isAllowed('Write', path, { mode: 'acceptEdits' })).toBe(false);
    expect(isAllowed('Edit', path, { allow: ['Edit', 'Write'] })).toBe(false);
    expect(isAllowed('Write', path, { mode: 'bypassPermissions' })).toBe(true);
    expect(isAllowed('Read', path)).toBe(true);
  });
});
