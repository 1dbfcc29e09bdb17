import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../../support/stand-in-cli.js';

function hooks(event: string, command: string, matcher = ''): string[] {
  const settings = { hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command }] }] } };
  return ['--settings', JSON.stringify(settings)];
}

const SKIP = [...STREAM, '--dangerously-skip-permissions'];

describe('hooks', () => {
  test.each([
    ['echo no way >&2; exit 2', '[echo no way >&2; exit 2]: no way\n', 'no way'],
    [`echo '{"decision":"block","reason":"nope"}'`, 'nope', 'nope'],
  ])('on a prompt: %j blocks it without a turn, and exits 0', (command, shown, reason) => {
    const fixture = makeFixture([onAnyPrompt().says('Never said.')]);
    const run = fixture.run('claude', [...STREAM, ...hooks('UserPromptSubmit', command), 'go']);
    const text = `UserPromptSubmit operation blocked by hook:\n${shown}\n\nOriginal prompt: go`;
    expect(run.status).toBe(0);
    expect(run.events.map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'informational',
      'success',
    ]);
    expect(run.events[1]).toMatchObject({ content: text, prompt_submit_outcome: { reason } });
    expect(resultOf(run)).toMatchObject({ num_turns: 0, result: text });
  });

  test('on a prompt: what they print is context that a rule can ask for', () => {
    const fixture = makeFixture([
      onAnyPrompt()
        .when({ systemPrompt: { contains: 'it is raining' } })
        .says('Take an umbrella.'),
    ]);
    const run = fixture.run('claude', ['-p', ...hooks('UserPromptSubmit', 'echo it is raining'), 'go']);
    expect(run.stdout).toBe('Take an umbrella.\n');
  });

  test.each([
    ['echo not today >&2; exit 2', /hook error: \[echo not today >&2; exit 2\]: not today/],
    [
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not today"}}'`,
      /hook error: not today$/,
    ],
  ])('before a tool: %j keeps it from running, whatever the permissions are', (command, message) => {
    const fixture = makeFixture([onAnyPrompt().writes('a.txt', 'x').says('ok')]);
    const run = fixture.run('claude', [...SKIP, ...hooks('PreToolUse', command, 'Write|Edit'), 'go']);
    expect(() => fixture.file('a.txt')).toThrow();
    const result = run.events.find(({ type }) => type === 'user');
    expect(result).toMatchObject({ message: { content: [{ is_error: true, content: message }] } });
    expect(resultOf(run).permission_denials).toMatchObject([{ tool_name: 'Write' }]);
  });

  test('before a tool: they can allow it and change its input', () => {
    const answer = { permissionDecision: 'allow', updatedInput: { file_path: 'b.txt', content: 'y' } };
    const fixture = makeFixture([onAnyPrompt().writes('a.txt', 'x').says('ok')]);
    fixture.run('claude', [
      ...STREAM,
      ...hooks('PreToolUse', `echo '${JSON.stringify({ hookSpecificOutput: answer })}'`),
      'go',
    ]);
    expect(fixture.file('b.txt')).toBe('y');
  });

  test('a matcher is about the name of the tool', () => {
    const fixture = makeFixture([onAnyPrompt().runs('echo hi').says('ok')]);
    fixture.run('claude', [...SKIP, ...hooks('PreToolUse', 'exit 2', 'Write'), 'go']);
    const run = fixture.run('claude', [...SKIP, ...hooks('PreToolUse', 'exit 2', 'Wri.*|Edit'), 'go']);
    expect(resultOf(run).permission_denials).toEqual([]);
  });

  test('after a tool: they are told what came of it', () => {
    const fixture = makeFixture([onAnyPrompt().runs('echo hi').runs('exit 3').says('ok')]);
    const both = {
      hooks: {
        PostToolUse: [{ hooks: [{ type: 'command', command: 'cat > post.json' }] }],
        PostToolUseFailure: [{ hooks: [{ type: 'command', command: 'cat > failure.json' }] }],
      },
    };
    fixture.run('claude', [...SKIP, '--settings', JSON.stringify(both), 'go']);
    expect(JSON.parse(fixture.file('post.json'))).toMatchObject({
      hook_event_name: 'PostToolUse',
      permission_mode: 'bypassPermissions',
      cwd: fixture.cwd,
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      tool_response: { stdout: 'hi' },
    });
    expect(JSON.parse(fixture.file('failure.json'))).toMatchObject({
      error: 'Exit code 3',
      is_interrupt: false,
    });
  });

  test('at the end: they send the agent back, and what they say is the next prompt', () => {
    const fixture = makeFixture([
      onPrompt(/Stop hook feedback:\n.*: run the (\w+)/).says('I ran the {{1}}.'),
      onAnyPrompt().says('I stop here.'),
    ]);
    const command = 'cat > stop.json; test -e sent && exit 0; touch sent; echo run the tests >&2; exit 2';
    const run = fixture.run('claude', [...STREAM, ...hooks('Stop', command), 'go']);
    expect(resultOf(run)).toMatchObject({ num_turns: 2, result: 'I ran the tests.', is_error: false });
    expect(run.events.find(({ type }) => type === 'user')).toMatchObject({ isSynthetic: true });
    expect(JSON.parse(fixture.file('stop.json'))).toMatchObject({
      stop_hook_active: true,
      last_assistant_message: 'I ran the tests.',
    });
  });

  test('of the start are always shown, the others on request', () => {
    const fixture = makeFixture([onAnyPrompt().says('ok')]);
    const start = fixture.run('claude', [
      ...STREAM,
      ...hooks('SessionStart', 'echo started', 'startup'),
      'go',
    ]);
    expect(start.events.slice(0, 2)).toMatchObject([
      { subtype: 'hook_started', hook_name: 'SessionStart:startup' },
      { subtype: 'hook_response', stdout: 'started\n', exit_code: 0, outcome: 'success' },
    ]);
    const stop = hooks('Stop', 'exit 1');
    const subtypes = (args: string[]) =>
      fixture.run('claude', [...STREAM, ...stop, ...args, 'go']).events.map(({ subtype }) => subtype);
    expect(subtypes([])).toEqual(['init', undefined, 'success']);
    expect(subtypes(['--include-hook-events'])).toEqual([
      ...['init', undefined, 'hook_started', 'hook_response', 'success'],
    ]);
  });

  test('come from the settings of the project too, unless these are left out', () => {
    const fixture = makeFixture([onAnyPrompt().says('ok')]);
    fixture.write(
      '.claude/settings.json',
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } }),
    );
    expect(resultOf(fixture.run('claude', [...STREAM, 'go'])).num_turns).toBe(0);
    expect(resultOf(fixture.run('claude', [...STREAM, '--setting-sources', 'user', 'go'])).num_turns).toBe(1);
  });
});

describe('plugins', () => {
  test('a hook of one that lacks its script stops no prompt, though its shell ends with 2; elsewhere it does', () => {
    const fixture = makeFixture([onAnyPrompt().says('ok')]);
    const command = 'echo "sh: 0: cannot open x.sh: No such file" >&2; exit 2';
    fixture.write('plug/.claude-plugin/plugin.json', JSON.stringify({ name: 'loop' }));
    fixture.write(
      'plug/hooks/hooks.json',
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } }),
    );
    const turns = (...args: readonly string[]) =>
      resultOf(fixture.run('claude', [...STREAM, ...args, 'go'])).num_turns;
    expect(turns('--plugin-dir', 'plug')).toBe(1);
    expect(turns(...hooks('UserPromptSubmit', command))).toBe(0);
  });

  function withPlugin(rules: Parameters<typeof makeFixture>[0]) {
    const fixture = makeFixture(rules);
    fixture.write('plug/.claude-plugin/plugin.json', JSON.stringify({ name: 'loop', version: '1.0.0' }));
    fixture.write(
      'plug/commands/explore.md',
      '---\ndescription: Explores\n---\nExplore $ARGUMENTS, first $0.\n',
    );
    fixture.write('plug/commands/plain.md', 'Plain body.\n');
    const command = 'echo "$CLAUDE_PLUGIN_ROOT" > root.txt';
    fixture.write(
      'plug/hooks/hooks.json',
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }),
    );
    return fixture;
  }

  test('their commands are listed and expanded under their namespaced names, their hooks run', () => {
    const fixture = withPlugin([
      onPrompt(/<command-name>\/loop:explore<\/command-name>[\s\S]*Explore the cave, first the\./).says(
        'Exploring.',
      ),
      onPrompt('Plain body.\n\n\nARGUMENTS: now').says('Plain.'),
      onPrompt(/^\/explore/).says('No such command.'),
    ]);
    const say = (prompt: string) => fixture.run('claude', [...STREAM, '--plugin-dir', 'plug', prompt]);
    const run = say('/loop:explore the cave');
    expect(run.events[0]?.slash_commands).toEqual(expect.arrayContaining(['loop:explore', 'loop:plain']));
    expect(run.events[0]?.plugins).toEqual(
      expect.arrayContaining([
        { name: 'loop', path: `${fixture.cwd}/plug`, source: 'loop@inline', version: '1.0.0' },
      ]),
    );
    expect(resultOf(run).result).toBe('Exploring.');
    expect(fixture.file('root.txt')).toBe(`${fixture.cwd}/plug\n`);
    expect(resultOf(say('/loop:plain now')).result).toBe('Plain.');
    expect(resultOf(say('/explore the cave')).result).toBe('No such command.');
  });

  test('one that is not there is said; one with MCP servers is not played', () => {
    const fixture = withPlugin([onAnyPrompt().says('ok')]);
    const missing = fixture.run('claude', [...STREAM, '--plugin-dir', 'nosuch', 'go']);
    expect(missing.events[0]?.plugin_errors).toMatchObject([{ type: 'path-not-found' }]);
    fixture.write('plug/.mcp.json', '{}');
    expect(fixture.run('claude', [...STREAM, '--plugin-dir', 'plug', 'go']).status).toBe(0);
    fixture.write('plug/.mcp.json', '{"here":{"command":"true"}}');
    const run = fixture.run('claude', [...STREAM, '--plugin-dir', 'plug', 'go']);
    expect([run.status, run.stdout]).toEqual([70, '']);
    expect(run.stderr).toMatch(/has MCP servers \(here\).*scripted lane/);
  });
});
