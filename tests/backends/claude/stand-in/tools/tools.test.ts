import { describe, expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import {
  hasSucceeded,
  requireKnownInput,
  switchedOff,
} from '../../../../../src/backends/claude/stand-in/tools/tools.js';
import { makeFixture, resultOf, STREAM } from '../../../support/stand-in-cli.js';

const SERVER = ['mcp__srv__get', 'mcp__srv__get_all', 'mcp__srv__set', 'mcp__srvb__get'];

test.each([
  [['mcp__srv'], ['mcp__srvb__get']],
  [['mcp__srv__*'], ['mcp__srvb__get']],
  [['mcp__srv__get_*'], ['mcp__srv__get', 'mcp__srv__set', 'mcp__srvb__get']],
  [['mcp__*'], []],
  [['*'], []],
])('%j leaves of the servers %j', (rules, left) => {
  const off = switchedOff(rules, SERVER);
  expect(SERVER.filter((name) => !off.includes(name))).toEqual(left);
});

test('a star alone switches everything off, a beginning with a star all that begins so', () => {
  expect(switchedOff(['*'], [])).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Read', 'Write']));
  expect(switchedOff(['B*', 'Re*'], [])).toEqual(['Bash', 'Read', 'ReportFindings']);
});

test.each([['--disallowedTools=*'], ['--settings', '{"permissions":{"deny":["Re*"]}}']])(
  'with %s the tool does not exist',
  (...args) => {
    const fixture = makeFixture([onAnyPrompt().calls('Read', { file_path: 'a.txt' }).says('end')]);
    const { stdout } = fixture.run('claude', [...STREAM, ...args, '--', 'go']);
    expect(stdout).toContain(
      '<tool_use_error>Error: No such tool available: Read. Read is disabled for this session',
    );
  },
);

describe('an input that the stand-in does not understand', () => {
  test.each([
    ['Bash', { command: 'ls', foo: 1 }],
    ['Write', { file_path: 'a.txt', content: 'x', foo: false }],
    ['Bash', { command: 'ls', timeout: 'abc' }],
    ['Bash', { command: ['ls'] }],
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }],
    ['Read', { file_path: 'a.txt', pages: '1-2' }],
    ['Bash', {}],
    ['Read', { file_path: 'a.txt', offset: '1' }],
    ['Read', { file_path: 'a.txt', offset: 1.5 }],
    ['Read', { file_path: 'a.txt', offset: -7 }],
    ['Read', { file_path: 'a.txt', limit: 0 }],
    ['Write', { path: 'a.txt', content: 'x' }],
    ['Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b', replace_all: 'yes' }],
    ['Skill', { name: 'x' }],
  ])('is named: %s %j', (name, input) => {
    expect(() => requireKnownInput(name, input)).toThrow(`this input of ${name} (`);
  });

  test('is one that the tool takes otherwise', () => {
    requireKnownInput('Bash', { command: 'echo a\n\tls', timeout: 5000 });
    requireKnownInput('Read', { file_path: 'a.txt', offset: 2, limit: 1, pages: '', allow_large: false });
    requireKnownInput('Read', { file_path: 'a.txt', offset: 0 });
    requireKnownInput('Bash', { command: 'ls', run_in_background: false, dangerouslyDisableSandbox: false });
  });

  test('is none of a tool that an MCP server has', () => {
    requireKnownInput('mcp__srv__get', { query: 'x', limit: 0 });
  });

  test.each([
    ['Bash', { command: 'touch s.txt', foo: 1 }, 'this input of Bash'],
    ['Bash', { command: 'touch s.txt', run_in_background: true }, 'run_in_background'],
    ['Glob', { pattern: '*' }, 'the tool Glob'],
    ['Grep', { pattern: 'x' }, 'the tool Grep'],
  ])('is refused by name, even if everything is allowed: %s %j', (name, input, what) => {
    const fixture = makeFixture([onAnyPrompt().calls(name, input).says('end')]);
    const run = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    expect([run.status, run.stderr]).toEqual([70, expect.stringContaining(what)]);
    expect(run.stderr).toContain('The scripted lane does');
    expect(() => fixture.file('s.txt')).toThrow(/ENOENT/);
  });

  test.each([{ timeout: 'abc' }, { foo: 1 }, { run_in_background: 'true' }])(
    'is refused by name if a hook writes it: %j',
    (more) => {
      const updatedInput = { command: 'echo upd', ...more };
      const output = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };
      const command = `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
      const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
      const fixture = makeFixture([onAnyPrompt().calls('Bash', { command: 'ls' }).says('end')]);
      const run = fixture.run('claude', [...STREAM, '--settings', JSON.stringify({ hooks }), 'go']);
      expect([run.status, run.stderr]).toEqual([70, expect.stringContaining('this input of Bash')]);
    },
  );

  test.each([
    ['Grep', { pattern: 'x' }],
    ['Bash', { command: 'touch s.txt', run_in_background: true }],
  ])('does not matter where the script has a result: %s %j', (name, input) => {
    const fixture = makeFixture([onAnyPrompt().calls(name, input, 'a.txt').says('end')]);
    const run = fixture.run('claude', [...STREAM, 'go']);
    expect([resultOf(run).result, run.stdout]).toEqual(['end', expect.stringContaining('"content":"a.txt"')]);
    expect(() => fixture.file('s.txt')).toThrow(/ENOENT/);
  });
});

test.each([
  'grep nomatch a.txt',
  'ls; grep nomatch a.txt',
  'cat a.txt | grep "x|y"',
  'grep nomatch a.txt > o.txt',
  'diff a b',
  'test -f q',
  'find nosuch',
])('exit code 1 of %s is no failure in Claude Code 2.1.325', (command) => {
  expect([hasSucceeded(command, 1), hasSucceeded(command, 2)]).toEqual([true, false]);
});

test.each([
  ...['grep x a && ls', 'timeout 5 grep x a', '/bin/grep x a', 'cmp a b', 'false', 'make $(cat x)'],
  // Lines that the stand-in cannot read.
  ...['! grep x a', '(grep x a)', 'X=$(grep x a)', 'FOO=1 grep x a', '[ -f q ]', 'while test x; do ls; done'],
])('exit code 1 of %s is a failure, and 0 is none', (command) => {
  expect([hasSucceeded(command, 1), hasSucceeded(command, 0)]).toEqual([false, true]);
});
