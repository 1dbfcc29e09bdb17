import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

test.each([
  ['--settings', JSON.stringify({ permissions: { ask: ['Read'] } })],
  ['--settings', JSON.stringify({ permissions: { ask: ['Read(a.txt)'] } })],
  ['--disallowedTools=Read', '--verbose'],
])('with %s %s, the change of a file that nobody may read is refused by name', (...rules) => {
  const fixture = makeFixture([onAnyPrompt().writes('new.txt', 'x').writes('a.txt', 'x').says('end')]);
  fixture.write('a.txt', 'A');
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', ...rules, 'go']);
  expect([run.status, run.stderr]).toEqual([70, expect.stringContaining('without a question')]);
  expect([fixture.file('a.txt'), fixture.file('new.txt')]).toEqual(['A', 'x']);
});

test('with a rule that asks to read another file, a file is changed', () => {
  const fixture = makeFixture([onAnyPrompt().writes('a.txt', 'x').says('end')]);
  fixture.write('a.txt', 'A');
  const rules = settings('PreToolUse', 'true', { ask: ['Read(secret.txt)', 'Read(~/.ssh/**)'] });
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', ...rules, 'go']);
  expect([run.status, run.stderr, fixture.file('a.txt')]).toEqual([0, '', 'x']);
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

/** A call of each file tool. */
const usesOf = (file_path: string) => [
  onAnyPrompt().calls('Read', { file_path }),
  onAnyPrompt().calls('Write', { file_path, content: 'x' }),
  onAnyPrompt().calls('Edit', { file_path, old_string: 'far', new_string: 'x' }),
];

test.each(['../far/a.txt', 'out/a.txt', 'file.lnk', '/etc/hostname'])(
  'the file %s, outside the workspace, is refused by name where everything is allowed',
  (file_path) => {
    // Claude Code 2.1.325 itself writes through no link.
    for (const rule of usesOf(file_path).slice(0, file_path === 'file.lnk' ? 1 : 3)) {
      const fixture = makeFixture([rule.says('end')]);
      fixture.write('../far/a.txt', 'far');
      symlinkSync('../far', join(fixture.cwd, 'out'));
      symlinkSync('../far/a.txt', join(fixture.cwd, 'file.lnk'));
      const run = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
      expect([run.status, run.stderr]).toEqual([70, expect.stringContaining('files outside the workspace')]);
      expect(run.stdout).not.toContain('"end"');
      expect(fixture.file('../far/a.txt')).toBe('far');
    }
  },
);

describe.each([
  ['a hook that blocks it', 'default'],
  ['a hook that blocks it', 'bypassPermissions'],
])('%s in %s', (_, mode) => {
  const guard = 'grep -q "file_path":"$CLAUDE_PROJECT_DIR/" || { echo no files outside >&2; exit 2; }';

  test.each([
    ['Write', { content: 'x' }],
    ['Read', {}],
    ['Edit', { old_string: '', new_string: 'x' }],
  ])('decides about a %s outside the workspace: %j', (tool, input) => {
    const file_path = '../new.txt';
    const fixture = makeFixture([
      onAnyPrompt()
        .calls(tool, { file_path, ...input })
        .says('end'),
    ]);
    const run = fixture.run('claude', [
      ...[...STREAM, '--permission-mode', mode, ...settings('PreToolUse', guard), 'go'],
    ]);
    expect([run.status, run.stderr, deniedTools(run)]).toEqual([0, '', [tool]]);
    expect(run.stdout).toContain(`PreToolUse:${tool} hook error: `);
    expect(run.stdout).toContain('no files outside');
    expect(resultOf(run).result).toBe('end');
    expect(() => fixture.file(file_path)).toThrow(/ENOENT/);
  });
});

test.each([
  ['Write', { content: 'x' }],
  ['Edit', { old_string: 'none', new_string: 'x' }],
])(
  'a hook decides about a %s of a file outside that is there, unless it must be read first',
  (tool, input) => {
    const fixture = makeFixture([
      onAnyPrompt()
        .calls(tool, { file_path: '../far/a.txt', ...input })
        .says('end'),
    ]);
    fixture.write('../far/a.txt', 'far');
    const guarded = [...STREAM, ...settings('PreToolUse', 'echo no files outside >&2; exit 2')];
    const free = fixture.run('claude', [...guarded, '--permission-mode', 'bypassPermissions', 'go']);
    expect([free.status, deniedTools(free)]).toEqual([0, [tool]]);
    const asked = fixture.run('claude', [...guarded, 'go']);
    expect([asked.status, asked.stderr]).toEqual([70, expect.stringContaining('without a question')]);
    expect(fixture.file('../far/a.txt')).toBe('far');
  },
);

test('a file that the agent wrote can be written again, although it may not read it', () => {
  const fixture = makeFixture([onAnyPrompt().writes('a.txt', 'one').writes('a.txt', 'two').says('end')]);
  const run = fixture.run('claude', [
    ...STREAM,
    '--permission-mode=acceptEdits',
    '--disallowedTools=Read',
    'go',
  ]);
  expect([run.status, run.stderr, fixture.file('a.txt')]).toEqual([0, '', 'two']);
});

test.each(['default', 'acceptEdits'])('in %s, nobody granted files outside the workspace', (mode) => {
  const fixture = makeFixture([
    onAnyPrompt().writes('../new.txt', 'x').calls('Read', { file_path: '../far/a.txt' }).says('end'),
  ]);
  fixture.write('../far/a.txt', 'TOPSECRET');
  const run = fixture.run('claude', [...STREAM, '--permission-mode', mode, 'go']);
  expect([run.status, deniedTools(run)]).toEqual([0, ['Write', 'Read']]);
  expect(run.stdout).not.toContain('TOPSECRET');
  expect(() => fixture.file('../new.txt')).toThrow(/ENOENT/);
});

test('an edit without a text to replace makes a file, and changes none', () => {
  const edit = (file_path: string) => ({ file_path, old_string: '', new_string: 'x' });
  const fixture = makeFixture([
    onAnyPrompt()
      .calls('Edit', edit('short.txt'))
      .calls('Edit', edit('empty.txt'))
      .calls('Edit', edit('new.txt'))
      .says('end'),
  ]);
  fixture.write('short.txt', 'C');
  fixture.write('empty.txt', '');
  const run = fixture.run('claude', [...STREAM, '--permission-mode', 'acceptEdits', 'go']);
  expect(['short.txt', 'empty.txt', 'new.txt'].map(fixture.file)).toEqual(['C', 'x', 'x']);
  expect(deniedTools(run)).toEqual([]);
});
