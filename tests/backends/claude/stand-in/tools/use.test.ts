import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import { makeStage, resultOf, STREAM } from '../../../support/stand-in-cli.js';

function settings(event: string, command: string, permissions: object = {}): string[] {
  const hooks = { [event]: [{ matcher: '*', hooks: [{ type: 'command', command }] }] };
  return ['--settings', JSON.stringify({ hooks, permissions })];
}

const decides = (permissionDecision: string) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } })}'`;

const deniedTools = (run: Parameters<typeof resultOf>[0]) =>
  [resultOf(run).permission_denials].flat().map((denial) => Object(denial).tool_name);

test('hooks run where the shell is, and know the folder of the project', () => {
  const stage = makeStage([
    onAnyPrompt().calls('Bash', { command: 'cd src' }).calls('Bash', { command: 'pwd' }).says('end'),
  ]);
  stage.write('src/b.txt', 'B');
  const note = 'cat >> $CLAUDE_PROJECT_DIR/in.jsonl; pwd >> $CLAUDE_PROJECT_DIR/where.txt';
  stage.run('claude', [...STREAM, '--dangerously-skip-permissions', ...settings('PreToolUse', note), 'go']);
  expect(stage.file('where.txt')).toBe(`${stage.cwd}\n${stage.cwd}/src\n`);
  const [, second] = stage.file('in.jsonl').trim().split('\n');
  expect(JSON.parse(second ?? '')).toMatchObject({ cwd: `${stage.cwd}/src` });
});

test.each([
  ['default', []],
  ['plan', ['Write', 'Bash']],
])('in %s, a hook that allows everything leaves these to a person: %j', (mode, denied) => {
  const stage = makeStage([
    onAnyPrompt()
      .calls('Write', { file_path: 'n.txt', content: 'x' })
      .calls('Bash', { command: 'touch t.txt' })
      .calls('Bash', { command: 'ls' })
      .says('end'),
  ]);
  const hook = settings('PreToolUse', decides('allow'));
  expect(deniedTools(stage.run('claude', [...STREAM, '--permission-mode', mode, ...hook, 'go']))).toEqual(
    denied,
  );
});

test.each(['default', 'plan', 'bypassPermissions'])('in %s, a hook that asks needs a person', (mode) => {
  const stage = makeStage([onAnyPrompt().calls('Bash', { command: 'ls' }).says('end')]);
  const hook = settings('PreToolUse', decides('ask'));
  expect(deniedTools(stage.run('claude', [...STREAM, '--permission-mode', mode, ...hook, 'go']))).toEqual([
    'Bash',
  ]);
});

test('a file that nobody may read without a question is not overwritten unread', () => {
  const stage = makeStage([
    onAnyPrompt()
      .calls('Write', { file_path: 'a.txt', content: 'x' })
      .calls('Write', { file_path: 'new.txt', content: 'x' })
      .says('end'),
  ]);
  stage.write('a.txt', 'A');
  const rules = ['--settings', JSON.stringify({ permissions: { ask: ['Read'] } })];
  const run = stage.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', ...rules, 'go']);
  expect(deniedTools(run)).toEqual([]);
  expect(stage.file('a.txt')).toBe('A');
  expect(stage.file('new.txt')).toBe('x');
});

test('a search that finds nothing is no failure', () => {
  const stage = makeStage([
    onAnyPrompt()
      .calls('Bash', { command: 'grep nomatch a.txt' })
      .calls('Bash', { command: 'false' })
      .says('end'),
  ]);
  stage.write('a.txt', 'A\n');
  stage.run('claude', [
    ...STREAM,
    ...settings('PostToolUse', 'echo x >> post.txt', { allow: ['Bash'] }),
    'go',
  ]);
  expect(stage.file('post.txt')).toBe('x\n');
});

test('what may not be read without a question is not changed unread', () => {
  const paths = ['../far/a.txt', 'out/a.txt', 'file.lnk'];
  const begin = onAnyPrompt();
  const stage = makeStage([
    paths
      .reduce((rule, path) => rule.calls('Write', { file_path: path, content: 'x' }), begin)
      .calls('Edit', { file_path: 'out/a.txt', old_string: 'far', new_string: 'x' })
      .says('end'),
  ]);
  stage.write('../far/a.txt', 'far');
  symlinkSync('../far', join(stage.cwd, 'out'));
  symlinkSync('../far/a.txt', join(stage.cwd, 'file.lnk'));
  const run = stage.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', 'go']);
  const results = run.events.filter(({ type }) => type === 'user');
  expect(results.map(({ message }) => JSON.stringify(message))).toEqual(
    [...paths, 'edit'].map(() => expect.stringContaining('File has not been read yet')),
  );
  expect(deniedTools(run)).toEqual([]);
  expect(stage.file('../far/a.txt')).toBe('far');
});

test('an edit without a text to replace makes a file, and changes none', () => {
  const edit = (file_path: string) => ({ file_path, old_string: '', new_string: 'x' });
  const stage = makeStage([
    onAnyPrompt()
      .calls('Edit', edit('short.txt'))
      .calls('Edit', edit('empty.txt'))
      .calls('Edit', edit('new.txt'))
      .calls('Edit', edit('../outside.txt'))
      .says('end'),
  ]);
  stage.write('short.txt', 'C');
  stage.write('empty.txt', '');
  const run = stage.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', 'go']);
  expect(['short.txt', 'empty.txt', 'new.txt'].map(stage.file)).toEqual(['C', 'x', 'x']);
  expect(deniedTools(run)).toEqual(['Edit']);
});
