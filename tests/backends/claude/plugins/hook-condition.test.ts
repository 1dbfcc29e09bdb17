import { expect, test } from 'vitest';
import { judgeCondition } from '../../../../src/backends/claude/plugins/hook-condition.js';

const folders = { cwd: '/home/me/project', home: '/home/me' };
const judge = (condition: string, tool: string, input: Record<string, unknown>) =>
  judgeCondition(condition, { tool, input }, folders).kind;

/** Which conditions let a hook run for a command in Claude Code 2.1.325, of those listed first. */
const LINES: readonly [readonly string[], Readonly<Record<string, readonly string[]>>][] = [
  [
    [
      'Bash',
      'Bash(*)',
      'Bash()',
      '',
      '*',
      'Bash(git *)',
      'Bash(git *) ',
      ' Bash(git *)',
      'Bash(git *',
      'bash(git *)',
    ],
    {
      ls: ['Bash', 'Bash(*)', 'Bash()', ''],
      'git status': ['Bash', 'Bash(*)', 'Bash()', '', 'Bash(git *)'],
    },
  ],
  [
    [
      'Bash(git *)',
      'Bash(git status)',
      'Bash(git:*)',
      'Bash(git*)',
      'Bash(ls *)',
      'Bash(* status)',
      'Bash(echo a b)',
    ],
    {
      git: ['Bash(git *)', 'Bash(git:*)', 'Bash(git*)'],
      'ls && git log': ['Bash(git *)', 'Bash(git:*)', 'Bash(git*)', 'Bash(ls *)'],
      'git status > out.txt': [
        'Bash(git *)',
        'Bash(git status)',
        'Bash(git:*)',
        'Bash(git*)',
        'Bash(* status)',
      ],
      '"git" status': ['Bash(git *)', 'Bash(git status)', 'Bash(git:*)', 'Bash(git*)', 'Bash(* status)'],
      'timeout 5 git status': ['Bash(* status)'],
      'command git status': ['Bash(* status)'],
      '/usr/bin/git status': ['Bash(* status)'],
      'bash -c "git status"': ['Bash(* status)'],
      "echo 'git x'": [],
      'echo "a b"': ['Bash(echo a b)'],
      'echo a   b': ['Bash(echo a b)'],
      'git commit -m "a && ls"': ['Bash(git *)', 'Bash(git:*)', 'Bash(git*)'],
    },
  ],
];

test.each(LINES)('a condition of %j fits the commands that it fits in Claude Code', (conditions, lines) => {
  for (const [command, fitting] of Object.entries(lines)) {
    const found = conditions.filter((condition) => judge(condition, 'Bash', { command }) === 'fits');
    expect([command, found]).toEqual([command, fitting]);
  }
});

test('a line that cannot be read is not judged, although it fits every condition in Claude Code', () => {
  for (const command of [
    'echo "open',
    'f() { git status; }; f',
    'cat <<EOF\nx\nEOF',
    '{ git status; }',
    'echo a; )',
  ])
    expect([command, judge('Bash(rm *)', 'Bash', { command })]).toEqual([command, 'unknown']);
});

test('a line in which Claude Code finds more than we do is not judged', () => {
  for (const command of [
    ...['(git status)', 'echo $(git status)', 'git $X', 'x=git; $x status'],
    ...['FOO=1 git status', 'xargs git status'],
  ])
    expect([command, judge('Bash(git *)', 'Bash', { command })]).toEqual([command, 'unknown']);
  expect(judge('Bash', 'Bash', { command: '(git status)' })).toBe('fits');
  expect(judge('WebFetch(domain:a.example)', 'WebFetch', { url: 'https://a.example' })).toBe('unknown');
  expect(judge('Bash(git *)', 'Bash', {})).toBe('unknown');
});

test('a condition for files names one tool, and compares a pattern or the whole path', () => {
  const conditions = [
    ...[
      'Write(*.ts)',
      'Write(b.ts)',
      'Write(./b.ts)',
      'Write(sub/*)',
      'Write(/sub/**)',
      'Write(src/**)',
      'Write(sub)',
    ],
    ...[
      'Write(SUB/*.TS)',
      'Write(?.ts)',
      'Write(*.{ts,js})',
      'Write(~/outside.ts)',
      'Write(outside.ts)',
      'Edit(*.ts)',
    ],
    'Write(/home/me/project/sub/b.ts)',
  ];
  const fitting = (file_path: string) =>
    conditions.filter((condition) => judge(condition, 'Write', { file_path }) === 'fits');
  expect(fitting('/home/me/project/sub/b.ts')).toEqual([
    ...['Write(*.ts)', 'Write(b.ts)', 'Write(./b.ts)', 'Write(sub/*)', 'Write(/sub/**)', 'Write(sub)'],
    ...['Write(SUB/*.TS)', 'Write(?.ts)', 'Write(/home/me/project/sub/b.ts)'],
  ]);
  expect(fitting('/home/me/outside.ts')).toEqual(['Write(*.ts)', 'Write(~/outside.ts)']);
  expect(fitting('a.txt')).toEqual([]);
  expect(judge('Edit(*.ts)', 'Edit', { file_path: 'a.ts' })).toBe('fits');
  expect(judge('Read(*.ts)', 'Read', { file_path: 'sub/a.ts' })).toBe('fits');
});

test('a hook with a condition runs for no event without a call', () => {
  expect(judgeCondition('Bash', null, folders).kind).toBe('misses');
  expect(judgeCondition('', null, folders).kind).toBe('fits');
});
