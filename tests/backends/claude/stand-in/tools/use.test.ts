import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../../support/stand-in-cli.js';

function settings(event: string, command: string, permissions: object = {}): string[] {
  const hooks = { [event]: [{ matcher: '*', hooks: [{ type: 'command', command }] }] };
  return ['--settings', JSON.stringify({ hooks, permissions })];
}

const decides = (permissionDecision: string) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } })}'`;

const deniedTools = (run: Parameters<typeof resultOf>[0]) =>
  [resultOf(run).permission_denials].flat().map((denial) => Object(denial).tool_name);

test('hooks run where the shell is, and know the folder of the project', () => {
  const fixture = makeFixture([
    onAnyPrompt().calls('Bash', { command: 'cd src' }).calls('Bash', { command: 'pwd' }).says('end'),
  ]);
  fixture.write('src/b.txt', 'B');
  const note = 'cat >> $CLAUDE_PROJECT_DIR/in.jsonl; pwd >> $CLAUDE_PROJECT_DIR/where.txt';
  fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', ...settings('PreToolUse', note), 'go']);
  expect(fixture.file('where.txt')).toBe(`${fixture.cwd}\n${fixture.cwd}/src\n`);
  const [, second] = fixture.file('in.jsonl').trim().split('\n');
  expect(JSON.parse(second ?? '')).toMatchObject({ cwd: `${fixture.cwd}/src` });
});

test.each([
  ['default', []],
  ['plan', ['Write', 'Bash']],
])('in %s, a hook that allows everything leaves these to a person: %j', (mode, denied) => {
  const fixture = makeFixture([
    onAnyPrompt()
      .calls('Write', { file_path: 'n.txt', content: 'x' })
      .calls('Bash', { command: 'touch t.txt' })
      .calls('Bash', { command: 'ls' })
      .says('end'),
  ]);
  const hook = settings('PreToolUse', decides('allow'));
  expect(deniedTools(fixture.run('claude', [...STREAM, '--permission-mode', mode, ...hook, 'go']))).toEqual(
    denied,
  );
});

test.each(['default', 'plan', 'bypassPermissions'])('in %s, a hook that asks needs a person', (mode) => {
  const fixture = makeFixture([onAnyPrompt().calls('Bash', { command: 'ls' }).says('end')]);
  const hook = settings('PreToolUse', decides('ask'));
  expect(deniedTools(fixture.run('claude', [...STREAM, '--permission-mode', mode, ...hook, 'go']))).toEqual([
    'Bash',
  ]);
});

test('a file that nobody may read without a question is not overwritten unread', () => {
  const fixture = makeFixture([
    onAnyPrompt()
      .calls('Write', { file_path: 'a.txt', content: 'x' })
      .calls('Write', { file_path: 'new.txt', content: 'x' })
      .says('end'),
  ]);
  fixture.write('a.txt', 'A');
  const rules = ['--settings', JSON.stringify({ permissions: { ask: ['Read'] } })];
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', ...rules, 'go']);
  expect(deniedTools(run)).toEqual([]);
  expect(fixture.file('a.txt')).toBe('A');
  expect(fixture.file('new.txt')).toBe('x');
});

test('a search that finds nothing is no failure', () => {
  const fixture = makeFixture([
    onAnyPrompt()
      .calls('Bash', { command: 'grep nomatch a.txt' })
      .calls('Bash', { command: 'false' })
      .says('end'),
  ]);
  fixture.write('a.txt', 'A\n');
  fixture.run('claude', [
    ...STREAM,
    ...settings('PostToolUse', 'echo x >> post.txt', { allow: ['Bash'] }),
    'go',
  ]);
  expect(fixture.file('post.txt')).toBe('x\n');
});

test('what may not be read without a question is not changed unread', () => {
  const paths = ['../far/a.txt', 'out/a.txt', 'file.lnk'];
  const begin = onAnyPrompt();
  const fixture = makeFixture([
    paths
      .reduce((rule, path) => rule.calls('Write', { file_path: path, content: 'x' }), begin)
      .calls('Edit', { file_path: 'out/a.txt', old_string: 'far', new_string: 'x' })
      .says('end'),
  ]);
  fixture.write('../far/a.txt', 'far');
  symlinkSync('../far', join(fixture.cwd, 'out'));
  symlinkSync('../far/a.txt', join(fixture.cwd, 'file.lnk'));
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', 'go']);
  const results = run.events.filter(({ type }) => type === 'user');
  expect(results.map(({ message }) => JSON.stringify(message))).toEqual(
    [...paths, 'edit'].map(() => expect.stringContaining('File has not been read yet')),
  );
  expect(deniedTools(run)).toEqual([]);
  expect(fixture.file('../far/a.txt')).toBe('far');
});

test('an edit without a text to replace makes a file, and changes none', () => {
  const edit = (file_path: string) => ({ file_path, old_string: '', new_string: 'x' });
  const fixture = makeFixture([
    onAnyPrompt()
      .calls('Edit', edit('short.txt'))
      .calls('Edit', edit('empty.txt'))
      .calls('Edit', edit('new.txt'))
      .calls('Edit', edit('../outside.txt'))
      .says('end'),
  ]);
  fixture.write('short.txt', 'C');
  fixture.write('empty.txt', '');
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', 'go']);
  expect(['short.txt', 'empty.txt', 'new.txt'].map(fixture.file)).toEqual(['C', 'x', 'x']);
  expect(deniedTools(run)).toEqual(['Edit']);
});
