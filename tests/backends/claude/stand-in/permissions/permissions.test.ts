import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../../support/stand-in-cli.js';

/** Which of four tools run in a mode: a file, a shell command that changes files, one that could do anything, one that reads. */
function tryTools(args: readonly string[]) {
  const fixture = makeFixture([
    onAnyPrompt()
      .writes('a.txt', 'x')
      .runs('touch b.txt')
      .runs("python3 -c \"open('c.txt','w')\"")
      .runs('ls')
      .says('ok'),
  ]);
  const run = fixture.run('claude', [...STREAM, ...args, '--', 'go']);
  const denials = resultOf(run).permission_denials;
  return {
    ...run,
    made: ['a.txt', 'b.txt', 'c.txt'].filter((name) => existsSync(join(fixture.cwd, name))),
    denials: Array.isArray(denials) ? denials : [],
  };
}

describe('permissions', () => {
  test.each([
    [[], [], 3],
    [['--permission-mode', 'acceptEdits'], ['a.txt', 'b.txt'], 1],
    [['--permission-mode', 'bypassPermissions'], ['a.txt', 'b.txt', 'c.txt'], 0],
    [['--dangerously-skip-permissions'], ['a.txt', 'b.txt', 'c.txt'], 0],
    [['--permission-mode', 'dontAsk'], [], 3],
    [['--permission-mode', 'plan'], [], 3],
    [['--permission-mode', 'manual', '--allowedTools', 'Bash(python3 *)', 'Write'], ['a.txt', 'c.txt'], 1],
    [['--settings', '{"permissions":{"allow":["Bash(touch:*)"]}}'], ['b.txt'], 2],
    [['--dangerously-skip-permissions', '--disallowedTools', 'Bash(touch *)'], ['a.txt', 'c.txt'], 1],
  ])('%j: %j are made, %i tools are denied, and the exit is 0', (args, made, denied) => {
    const run = tryTools(args);
    expect([run.status, run.made, run.denials.length]).toEqual([0, made, denied]);
  });

  test('a denied tool is an error for the model, an event, and no more', () => {
    const { events } = tryTools([]);
    expect(events.find(({ subtype }) => subtype === 'permission_denied')).toMatchObject({
      tool_name: 'Write',
    });
    expect(events.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: [{ is_error: true, content: /haven't granted it yet/ }] },
    });
  });

  test('a tool that is switched off is not offered and does not exist', () => {
    const { events } = tryTools(['--disallowedTools=Bash']);
    expect(events[0]?.tools).not.toContain('Bash');
    expect(JSON.stringify(events)).toContain(
      'No such tool available: Bash. Bash is disabled for this session',
    );
  });

  test('tools under their own names really run', () => {
    const fixture = makeFixture([
      onAnyPrompt()
        .calls('Write', { file_path: 'd/a.txt', content: 'one\ntwo\n' })
        .calls('Edit', { file_path: 'd/a.txt', old_string: 'two', new_string: '2' })
        .calls('Read', { file_path: 'd/a.txt', offset: 2, limit: 1 })
        .calls('Bash', { command: 'cd d && pwd' })
        .calls('Bash', { command: 'basename "$PWD"' })
        .calls('Nope', {})
        .calls('Task', {}, 'a canned result')
        .says('ok'),
    ]);
    const { events } = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    const results = events
      .filter(({ type }) => type === 'user')
      .map(({ message }) => JSON.parse(JSON.stringify(message)).content[0].content);
    expect(results.slice(2)).toEqual([
      '2\t2',
      join(fixture.cwd, 'd'),
      'd',
      '<tool_use_error>Error: No such tool available: Nope</tool_use_error>',
      'a canned result',
    ]);
    expect(fixture.file('d/a.txt')).toBe('one\n2\n');
  });
});
