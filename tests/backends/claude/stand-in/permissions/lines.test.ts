import { expect, test } from 'vitest';
import { decidePermission } from '../../../../../src/backends/claude/stand-in/permissions.js';
import { contextOf, type Rules } from './context-of.js';

/** tests/agreement/permissions.test.ts shows that Claude Code decides the same about what is judged here. */
const judge = (command: string, rules?: Rules) =>
  decidePermission('Bash', { command }, contextOf(rules)).kind;

test.each<[string, Rules, Record<'allowed' | 'denied' | 'unjudged', string[]>]>([
  [
    'the default mode',
    {},
    {
      allowed: [
        'ls -la sub',
        'cat a.txt | head -n 1',
        'echo "a && b"; pwd',
        "printf 'a'",
        'ls 2>&1 > /dev/null',
      ],
      denied: [
        'python3 -c 1',
        'touch a.txt',
        'ls && make',
        'echo x > a.txt',
        'cat /etc/x',
        'cp -r a b',
        '/bin/ls',
      ],
      unjudged: [
        'git status',
        'grep x a',
        'echo $(ls)',
        'cat <<E\nx\nE',
        'timeout 5 ls',
        'sh -c ls',
        'ls *',
        'cd a',
      ],
    },
  ],
  [
    'accepted edits',
    { mode: 'acceptEdits' },
    {
      allowed: ['touch a.txt', 'mkdir -p a/b && rm -rf a/b', 'echo x > a.txt', 'cp a b', 'touch .gitignore'],
      denied: ['python3 -c 1', 'touch a.txt && make'],
      unjudged: [
        'touch ../a',
        'echo x > /tmp/x',
        'rm -rf .',
        'touch .claude/x',
        'mkdir .husky',
        'cp -r a b',
        'cd a && rm b',
      ],
    },
  ],
  [
    'plan mode',
    { mode: 'plan', allow: ['Bash', 'Bash(git *)'] },
    { allowed: ['ls'], denied: ['python3 -c 1', 'touch a'], unjudged: ['git push'] },
  ],
  [
    'a mode that does not ask',
    { mode: 'dontAsk' },
    { allowed: ['ls'], denied: ['make'], unjudged: ['git status'] },
  ],
  [
    'allowed prefixes',
    {
      allow: ['Bash(git:*)', 'Bash(python3 *)', 'Bash(make)', 'Bash(touch:*)', 'Bash(a && b)', 'Bash(sh *)'],
    },
    {
      allowed: [
        'git status',
        'git add a && git commit -m "x; y"',
        'python3 -m unittest | tail -n 3',
        'make',
        'touch a',
      ],
      denied: ['make all', 'git add a && npm test', 'github', 'rm a', 'a'],
      unjudged: [
        'git add $(ls)',
        'git log > a.txt',
        'a && b',
        '"git" x',
        'sh x',
        'cd a && git x',
        'touch .git/x',
        'X=1 git x',
      ],
    },
  ],
  [
    'all commands allowed',
    { allow: ['Bash'] },
    {
      allowed: ['npm test', 'rm a', 'git log', 'echo $X', 'bash x'],
      denied: [],
      unjudged: ['touch ../a', 'touch .bashrc', 'ls &', 'rm -rf $X'],
    },
  ],
  [
    'denied commands and files, with permissions skipped',
    { mode: 'bypassPermissions', deny: ['Bash(rm:*)', 'Bash(git push *)', 'Read(secret.txt)'] },
    {
      allowed: ['npm test', 'touch ../a', 'git status && ls', 'echo rm'],
      denied: [
        'rm a',
        'ls; /bin/rm a',
        '"rm" a',
        'a || git push x',
        'cat secret.txt',
        'ls && head ./sub/secret.txt',
      ],
      unjudged: [
        'echo $(rm a)',
        'bash -c "rm a"',
        'xargs rm',
        'python3 x.py secret.txt',
        'tar cf a --file=secret.txt',
      ],
    },
  ],
  [
    'commands to ask about, with permissions skipped',
    { mode: 'bypassPermissions', ask: ['Bash(npm *)', 'Bash(a && b)'] },
    {
      allowed: ['ls', 'make'],
      denied: ['npm test', 'ls | npm x'],
      unjudged: ['env npm x', 'a && b', 'echo `x`'],
    },
  ],
  [
    'permissions skipped',
    { mode: 'bypassPermissions' },
    {
      allowed: [
        'echo $(date) > /tmp/x',
        'bash x',
        'cat <<E\nx\nE',
        'rm -rf sub',
        'rm sub/a && echo rm',
        'rm ../a',
        'rm "$X"',
        'docker run --rm -e A=$B x',
      ],
      denied: [],
      unjudged: [
        'rm -rf .',
        'rm -rf /',
        'rm -rf $X',
        'rm -rf *',
        'bash -c "rm -rf ."',
        'sudo rm -rf /w',
        'ls\u0007',
      ],
    },
  ],
])('%s', (_, rules, expected) => {
  const commands = Object.values(expected).flat();
  const judged = (kind: string) => commands.filter((command) => judge(command, rules) === kind);
  expect({ allowed: judged('allowed'), denied: judged('denied'), unjudged: judged('unjudged') }).toEqual(
    expected,
  );
});

test('what a hook approves may run, but not in plan mode, and a rule that denies wins', () => {
  const approved = (command: string, rules: Rules) =>
    decidePermission('Bash', { command }, { ...contextOf(rules), approved: true }).kind;
  expect(approved('make', {})).toBe('allowed');
  expect(approved('make', { mode: 'plan' })).toBe('denied');
  expect(approved('make', { deny: ['Bash(make:*)'] })).toBe('denied');
});
