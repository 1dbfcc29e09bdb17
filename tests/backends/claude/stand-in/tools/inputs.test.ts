import { describe, expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import { refuseToolInput } from '../../../../../src/backends/claude/stand-in/tools/inputs.js';
import { makeWish } from '../../../../../src/backends/claude/stand-in/tools/wish.js';
import { makeStage, resultOf, STREAM } from '../../../support/stand-in-cli.js';

const refusal = (name: string, input: Record<string, unknown>) =>
  refuseToolInput(name, makeWish(name, input).input)?.content ?? null;

// As Claude Code 2.1.325 answers.
describe('an input that a tool does not take', () => {
  test.each([
    ['Bash', { command: 'ls', foo: 1 }, 'An unexpected parameter `foo` was provided'],
    ['Bash', { command: 'ls', timeout: 'abc' }, wrongType('timeout', 'number', 'string')],
    ['Bash', { command: 'ls', timeout: null }, wrongType('timeout', 'number', 'null')],
    ['Bash', { command: ['ls'] }, wrongType('command', 'string', 'array')],
    [
      'Bash',
      { command: 'ls', run_in_background: 'yes' },
      wrongType('run_in_background', 'boolean', 'string'),
    ],
    ['Bash', {}, 'The required parameter `command` is missing'],
    ['Read', { file_path: 'a.txt', offset: 'x' }, wrongType('offset', 'number', 'string')],
    ['Read', { file_path: 'a.txt', offset: 1.5 }, wrongType('offset', 'int', 'number')],
    ['Write', { file_path: 'a.txt', content: 'x', foo: 1 }, 'An unexpected parameter `foo` was provided'],
    ['Write', { file_path: 'a.txt', content: { a: 1 } }, wrongType('content', 'string', 'object')],
    [
      'Edit',
      { file_path: 'a.txt', old_string: 'a', new_string: 'b', replace_all: 'yes' },
      wrongType('replace_all', 'boolean', 'string'),
    ],
  ])('%s %j', (name, input, issue) => {
    const head = `InputValidationError: ${name} failed due to the following issue:`;
    expect(refusal(name, input)).toBe(`<tool_use_error>${head}\n${issue}</tool_use_error>`);
  });

  test('lists missing parameters, then unexpected ones, then wrong types', () => {
    expect(refusal('Read', { path: 'a.txt', other: 1, limit: 'x' })).toBe(
      [
        '<tool_use_error>InputValidationError: Read failed due to the following issues:',
        'The required parameter `file_path` is missing',
        'An unexpected parameter `path` was provided',
        'An unexpected parameter `other` was provided',
        `${wrongType('limit', 'number', 'string')}</tool_use_error>`,
      ].join('\n'),
    );
  });

  test.each(['ls\r', 'echo a\u0007', 'echo a\u001b', 'echo a\u0085'])(
    'hides nothing from a person: %j',
    (command) => {
      expect(refusal('Bash', { command })).toContain('command contains control characters');
      expect(refusal('Bash', { command: 'echo a\n\tls' })).toBeNull();
    },
  );

  test('does not run, even if everything is allowed', () => {
    const stage = makeStage([
      onAnyPrompt()
        .calls('Bash', { command: 'touch s.txt', foo: 1 })
        .calls('Write', { file_path: 's.txt', content: 'x', foo: 1 })
        .calls('Bash', { command: 'ls' })
        .says('end'),
    ]);
    const run = stage.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    expect(resultOf(run).permission_denials).toEqual([]);
    expect(() => stage.file('s.txt')).toThrow(/ENOENT/);
  });
});

test.each([
  [
    'Bash',
    { command: 'ls', timeout: '5000', run_in_background: 'false' },
    { timeout: 5000, run_in_background: false },
  ],
  ['Read', { file_path: 'a.txt', offset: '2' }, { offset: 2 }],
  ['Write', { path: 'a.txt', content: 'x' }, { file_path: 'a.txt' }],
  [
    'Edit',
    { path: 'a.txt', old_str: 'a', new_str: 'b' },
    { file_path: 'a.txt', old_string: 'a', new_string: 'b' },
  ],
])('%s reads %j as the real program does', (name, input, read) => {
  expect(refusal(name, input)).toBeNull();
  expect(makeWish(name, input).input).toMatchObject(read);
});

describe('an input that a hook writes', () => {
  const runWith = (updatedInput: object) => {
    const output = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };
    const command = `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
    const stage = makeStage([onAnyPrompt().calls('Bash', { command: 'ls' }).says('end')]);
    return stage.run('claude', [...STREAM, '--settings', JSON.stringify({ hooks }), 'go']);
  };

  test('is refused by name if it moves the command to the background', () => {
    const run = runWith({ command: 'echo upd', run_in_background: 'true' });
    expect([run.status, run.stderr]).toEqual([70, expect.stringContaining('run_in_background')]);
  });

  test.each([{ timeout: 'abc' }, { foo: 1 }])(
    'is refused by name if the tool does not take it: %j',
    (more) => {
      const run = runWith({ command: 'echo upd', ...more });
      expect([run.status, run.stderr]).toEqual([
        70,
        expect.stringContaining('the input that a hook gives Bash'),
      ]);
    },
  );
});

function wrongType(key: string, expected: string, received: string): string {
  return `The parameter \`${key}\` type is expected as \`${expected}\` but provided as \`${received}\``;
}
