import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../../../src/backends/claude/stand-in/arguments.js';
import { decideBash } from '../../../../../src/backends/claude/stand-in/permissions/bash.js';

interface Rules {
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

/** What Claude Code 2.1.325 decided about the same command with the same rules. */
function isAllowed(
  command: string,
  { mode = 'default', allow = [], deny = [], ask = [] }: Rules = {},
): boolean {
  const folders = { cwd: '/w', all: ['/w'] };
  return decideBash(command, {
    mode,
    allow,
    deny,
    ask,
    folders,
    root: '/w',
    home: '/home/me',
    shellHasRun: true,
  }).allowed;
}

function sort(commands: readonly string[], rules?: Rules) {
  return {
    allowed: commands.filter((command) => isAllowed(command, rules)),
    refused: commands.filter((command) => !isAllowed(command, rules)),
  };
}

test('without rules, commands run that only read in the workspace', () => {
  const allowed = [
    ...[
      'ls',
      'ls -la; pwd',
      'cat a.txt | grep A | wc -l',
      'echo "a > b"',
      'ls > /dev/null 2>&1',
      'cat < a.txt',
    ],
    ...[
      'if ls; then pwd; fi',
      'for f in a b; do ls; done',
      "cat <<'EOF'\nhi\nEOF",
      'echo $HOME',
      'cat "$PWD/a.txt"',
    ],
    ...[
      'X=1',
      'cd sub && ls',
      'git status',
      'git log --oneline',
      'sed -n 1,3p a.txt',
      '[ -f a.txt ]',
      '# nothing',
      '',
    ],
  ];
  expect(sort(allowed)).toEqual({ allowed, refused: [] });
});

test('without rules, everything else is refused', () => {
  const refused = [
    ...[
      'python3 x',
      'touch b',
      'echo hi > f',
      'ls & pwd',
      '(ls)',
      '{ ls; }',
      'ls $(pwd)',
      'ls `pwd`',
      'echo "$(date)"',
    ],
    ...[
      'echo ${HOME}',
      'echo $FOO',
      'cat $PWD/a.txt',
      'echo {a,b}',
      "echo $'a'",
      'cat <<EOF\nhi\nEOF',
      'echo <(ls)',
    ],
    ...[
      'cat /etc/hostname',
      'cat ../x',
      'ls ~',
      'cd /',
      'cd sub < a.txt',
      'cat < /etc/hostname',
      'cat sub/../a.txt',
      'f() { ls; }; f',
    ],
    ...[
      'case a in a) ls;; esac',
      'X=1 ls',
      'PATH=x',
      'echo a > b c',
      'find . -delete',
      'find . -exec ls {} ;',
    ],
    ...[
      'sort -o x a.txt',
      'git branch x',
      'git push',
      'echo "a',
      '&& ls',
      'cd sub && git status',
      'cd sub && cd ..',
    ],
    ...[
      'echo a\\ b',
      'echo a\u00a0b',
      'eval ls',
      'shopt -s x',
      'printf -v X a',
      'uniq a.txt',
      'hostname x',
      'ls )',
    ],
  ];
  expect(sort(refused)).toEqual({ allowed: [], refused });
});

test('a rule allows its command in a list, but nothing beside it', () => {
  const allow = ['Bash(npm:*)'];
  const allowed = [
    ...[
      'npm test',
      'npm',
      'npm test; ls',
      'npm a && npm b',
      'npm test 2>&1',
      'npm test > /dev/null',
      'time npm test',
    ],
    ...[
      'timeout 5 npm test',
      'NODE_ENV=x npm test',
      'if npm test; then ls; fi',
      'xargs npm test',
      'npm \\\n test',
    ],
  ];
  const refused = [
    ...[
      'npm test && touch b',
      'npm test; rm -f e',
      'npm test $(x)',
      'npm test > out',
      'X=1 npm test',
      'env npm test',
    ],
    ...[
      'sudo npm test',
      '/usr/bin/npm test',
      '(npm test)',
      'npm test &',
      'npm test $FOO',
      'npm test | tee log',
      'npmx',
    ],
    ...['npm test < /etc/hostname', 'npm test "$(x)"', 'npm test\ntouch q'],
  ];
  expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
});

test('a rule for one command line does not allow it with more spaces', () => {
  const rules = { allow: ['Bash(npm test)', 'Bash(echo $(date))'] };
  expect(sort(['npm test', 'npm  test', 'xargs npm test', 'echo $(date)', 'echo $(pwd)'], rules)).toEqual({
    allowed: ['npm test', 'echo $(date)'],
    refused: ['npm  test', 'xargs npm test', 'echo $(pwd)'],
  });
});

describe.each([
  ['deny', { allow: ['Bash'], deny: ['Bash(npm test:*)'] }],
  ['ask', { allow: ['Bash'], ask: ['Bash(npm test:*)'] }],
  ['deny, permissions skipped', { mode: 'bypassPermissions', deny: ['Bash(npm test:*)'] }],
  ['ask, permissions skipped', { mode: 'bypassPermissions', ask: ['Bash(npm test:*)'] }],
] satisfies [string, Rules][])('%s', (_, rules) => {
  test('holds wherever the command hides', () => {
    const refused = [
      ...[
        'npm test',
        'npm  test',
        'X=1 npm test',
        'sudo npm test',
        'env npm test',
        '/usr/bin/npm test',
        '(npm test)',
      ],
      ...[
        '{ npm test; }',
        'ls; npm test',
        'ls && npm test',
        'npm test | cat',
        'for i in 1; do npm test; done',
      ],
      ...[
        'npm test $FOO',
        'npm test `x`',
        '! npm test',
        'npm test > out',
        'nohup npm test',
        'xargs npm test',
      ],
    ];
    const allowed = ['npm run build', 'npm testx', 'echo npm; ls'];
    expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
  });
});

test('a denied file cannot be read or changed by a shell', () => {
  const rules = { allow: ['Bash'], deny: ['Read(./secret.txt)', 'Edit(./a.txt)'] };
  const refused = [
    ...[
      'cat secret.txt',
      'cat < secret.txt',
      'cat "secret.txt"',
      'cat ./secret.txt',
      'head -1 secret.txt | cat',
    ],
    ...[
      'grep S secret.txt',
      'cp secret.txt x',
      'git diff secret.txt',
      '(cat secret.txt)',
      'cat secret.txt &',
    ],
    ...['touch a.txt', 'echo x > a.txt', 'sed -i s/a/b/ a.txt', 'cp b.txt a.txt', 'rm a.txt', 'tee a.txt'],
  ];
  const allowed = ['cat a.txt', 'cat b.txt', 'echo x > secret.txt'];
  expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
});

test('accepted edits stay inside the workspace and away from protected files', () => {
  const allowed = [
    ...[
      'touch q',
      'mkdir -p x/y',
      'cp a b',
      'mv a b',
      'rm q',
      'sed -i s/a/b/ a.txt',
      'echo hi > f',
      'ls && touch b',
    ],
    ...['touch .env', 'touch .gitignore', 'touch .github/x', 'touch .claude/worktrees/x'],
  ];
  const refused = [
    ...[
      'touch /tmp/q',
      'touch ../q',
      'touch ~/q',
      'echo hi > /tmp/q',
      'touch .git/hooks/x',
      'echo x > .git/config',
    ],
    ...[
      'touch .claude/settings.json',
      'mkdir .claude',
      'touch .bashrc',
      'echo x > .mcp.json',
      'touch .vscode/x',
    ],
    ...[
      'touch .GIT/x',
      'touch sub/.git/x',
      'rm *',
      'rm -rf .',
      'rm a*',
      'touch "$PWD/x"',
      'touch sub/../q',
      'tee x',
    ],
    ...['cp -r a b', 'echo x > *', 'cd sub && touch x', 'chmod +x a', 'python3 x'],
  ];
  expect(sort([...allowed, ...refused], { mode: 'acceptEdits' })).toEqual({ allowed, refused });
});

test('even a rule for every command leaves three things to a person', () => {
  const refused = [
    'rm -rf /',
    'rm -rf .',
    'rm -rf ..',
    'rm *',
    'rm -rf ~',
    'echo x > .git/config',
    'touch .claude/x',
    'ls &',
  ];
  const allowed = [
    'python3 x',
    'echo $(date)',
    'cat /etc/hostname',
    'echo x > /tmp/q',
    'npm test &',
    'eval x',
    '(ls)',
  ];
  expect(sort([...refused, ...allowed], { allow: ['Bash'] })).toEqual({ allowed, refused });
});

test('skipped permissions leave only the removal of the workspace to a person', () => {
  const refused = ['rm -rf .', 'rm *', 'rm -rf ..'];
  const allowed = ['rm -rf sub', 'echo x > .git/config', 'ls &', 'cat /etc/hostname', 'touch /tmp/q'];
  expect(sort([...refused, ...allowed], { mode: 'bypassPermissions' })).toEqual({ allowed, refused });
});

test.each(['auto', 'plan'] satisfies PermissionMode[])('in %s, rules for commands do not count', (mode) => {
  expect(sort(['ls', 'sh -c x', 'npm test'], { mode, allow: ['Bash', 'Bash(npm:*)'] }).allowed).toEqual([
    'ls',
  ]);
});
