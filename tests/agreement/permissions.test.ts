import { describe, expect, test } from 'vitest';
import { onPrompt } from '../../src/agent/builder.js';
import type { PermissionContext } from '../../src/backends/claude/stand-in/permissions.js';
import { decidePermission } from '../../src/backends/claude/stand-in/permissions.js';
import { observeCalls } from './support/observe-call.js';

const FILES = { 'have.txt': 'one\n', 'secret.txt': 's\n', 'sub/have.txt': 'two\n', '.claude/note.md': 'x\n' };

/** Lines that a plugin author's agent may run. None does harm where it runs. */
const LINES = [
  ...[
    'ls',
    'ls -la sub',
    'cat have.txt',
    'cat "have.txt"',
    'head -n 1 have.txt',
    'wc -l have.txt sub/have.txt',
  ],
  ...[
    'echo hi',
    'echo "a && b"',
    "printf 'a\\n'",
    'pwd',
    'true && false',
    'echo a | cat',
    'echo a; echo b',
    'ls;',
  ],
  ...[
    'cat /etc/hostname',
    'ls ..',
    'cat sub/../have.txt',
    'cat < have.txt',
    'cat < /etc/hostname',
    'cat secret.txt',
  ],
  ...[
    'cat ./secret.txt',
    'echo secret.txt',
    'python3 -c 1 secret.txt',
    'head sub/secret.txt',
    '/bin/cat secret.txt',
  ],
  ...['touch new.txt', 'touch -m new.txt', 'mkdir -p made/deep', 'cp have.txt copy.txt', 'cp -r sub copied'],
  ...[
    'mv copy.txt moved.txt',
    'rm moved.txt',
    'rm -rf made',
    'rm -rf .',
    'rm nosuch.txt',
    'rm ../nosuch.txt',
  ],
  ...['touch ../out.txt', 'touch .claude/new.md', 'touch .gitignore', 'mkdir .husky', 'touch "we ird.txt"'],
  ...[
    'echo hi > out.txt',
    'echo hi >> out.txt',
    'echo hi > ../out.txt',
    'echo hi > /dev/null',
    'ls nosuch 2>&1',
  ],
  ...['ls nosuch 2>/dev/null', 'python3 -c 1 > out.txt', 'touch a.txt > out.txt', 'echo x > .claude/x.md'],
  ...[
    'python3 -c 1',
    'python3 --version',
    'node -e 0',
    'git init -q .',
    'git status',
    'git log',
    '"git" status',
  ],
  ...[
    'git add have.txt && git status',
    'git  status',
    'git status | cat',
    'git status > out.txt',
    'git diff HEAD~1',
  ],
  ...[
    'npm --version',
    'make',
    'make all',
    './run.sh',
    'ls && python3 -c 1',
    'python3 -c 1 && ls',
    '/bin/ls',
    '/bin/rm x',
  ],
  ...[
    'git commit -m "a; b"',
    "git commit -m 'rm x'",
    'echo rm x',
    'rm x',
    'rmdir nosuch',
    'ls; rm x',
    'ls && rm "x"',
  ],
  ...[
    'grep one have.txt',
    'sort have.txt',
    'find . -name x',
    'sed -n 1p have.txt',
    'date',
    'which ls',
    'test -f x',
  ],
  ...[
    'timeout 5 ls',
    'env ls',
    'bash -c "rm x"',
    'sh -c ls',
    'xargs rm < have.txt',
    'command rm x',
    'eval ls',
  ],
  ...[
    'echo $(rm x)',
    'echo `ls`',
    'echo $HOME',
    'ls *.txt',
    'cat <<E\nx\nE',
    '(ls)',
    '{ ls; }',
    'ls &',
    'A=1 ls',
    '! ls',
  ],
  ...[
    'for f in a; do echo $f; done',
    'if true; then ls; fi',
    'ls # comment',
    'ls\npwd',
    'ls\nrm x',
    'cat ~/x',
    'echo a\\ b',
  ],
  ...[
    'cd sub',
    'cd sub && ls',
    'cd sub && git status',
    'cd ..',
    'tee out.txt < have.txt',
    'diff have.txt sub/have.txt',
  ],
];

interface Setting {
  readonly id: string;
  readonly mode: PermissionContext['mode'];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

const SETTINGS: readonly Setting[] = [
  { id: 'default', mode: 'default' },
  { id: 'acceptEdits', mode: 'acceptEdits' },
  { id: 'plan', mode: 'plan' },
  { id: 'dontAsk', mode: 'dontAsk' },
  { id: 'plan with rules', mode: 'plan', allow: ['Bash(git:*)', 'Bash(python3 *)', 'Bash'] },
  {
    ...{ id: 'allowed prefixes', mode: 'default' },
    allow: [
      'Bash(git:*)',
      'Bash(python3 *)',
      'Bash(make)',
      'Bash(rm *)',
      'Bash(cp *)',
      'Bash(touch:*)',
      'Bash(cd:*)',
    ],
  },
  {
    ...{ id: 'allowed lines', mode: 'dontAsk' },
    allow: [
      'Bash(ls && rm "x")',
      'Bash(echo hi > out.txt)',
      'Bash(timeout:*)',
      'Bash(sh -c ls)',
      'Bash(grep *)',
    ],
  },
  { id: 'allowed Bash', mode: 'default', allow: ['Bash'] },
  {
    id: 'denied',
    mode: 'acceptEdits',
    allow: ['Bash(*)'],
    deny: ['Bash(rm:*)', 'Read(./secret.txt)', 'Edit(out.txt)'],
  },
  {
    id: 'denied, nothing asked',
    mode: 'bypassPermissions',
    deny: ['Bash(rm *)', 'Bash(git status)', 'Read(secret.txt)'],
  },
  {
    id: 'asked',
    mode: 'acceptEdits',
    ask: ['Bash(git *)', 'Bash(rm:*)'],
    allow: ['Bash(git:*)', 'Bash(make:*)'],
  },
  { id: 'asked, nothing asked', mode: 'bypassPermissions', ask: ['Bash(make:*)', 'Bash(* | cat)'] },
  { id: 'nothing asked', mode: 'bypassPermissions' },
];

/** In plan mode, Claude Code gives up after some denials. */
const LINES_OF_A_CALL = 9;

describe.each(SETTINGS)('permissions: $id', ({ mode, allow = [], deny = [], ask = [] }) => {
  test('no line runs that the real Claude Code denies; each is judged as there, or refused by name', async () => {
    const settings = JSON.stringify({ permissions: { allow, deny, ask } });
    const options = ['--verbose', '--output-format', 'stream-json', '--settings', settings];
    const size = mode === 'plan' ? LINES_OF_A_CALL : LINES.length;
    const groups = LINES.flatMap((_, at) => (at % size === 0 ? [LINES.slice(at, at + size)] : []));
    const rules = groups.map((lines, at) =>
      lines.reduce((rule, line) => rule.runs(line), onPrompt(`group ${at}.`)).says('Done.'),
    );
    const calls = groups.map((_, at) => ['--print', ...options, '--permission-mode', mode, `group ${at}.`]);
    const real = await observeCalls({ id: '', rules, calls, files: FILES }, 'real');
    const tools = real.flatMap((call) => call.tools);
    const cwd = '/nowhere/workspace';
    const places = { cwd, home: '/nowhere/home' };
    const context = { mode, allow, deny, ask, places, folders: { cwd, all: [cwd] }, approved: false };
    const differences = LINES.flatMap((command, at) => {
      const { kind } = decidePermission('Bash', { command }, context);
      const theirs = tools[at] === 'denied' ? 'denied' : 'allowed';
      return kind === theirs || kind === 'unjudged' ? [] : [`${command}: ${kind}, really ${tools[at]}`];
    });
    expect(tools).toHaveLength(LINES.length);
    expect(differences).toEqual([]);
  });
});
