import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../../support/stand-in-cli.js';

/** A fixture with a plugin `p` of these files. Every expectation here was seen in Claude Code 2.1.325. */
function withFiles(
  rules: Parameters<typeof makeFixture>[0],
  files: Readonly<Record<string, string | object>>,
) {
  const fixture = makeFixture(rules);
  fixture.write('p/.claude-plugin/plugin.json', JSON.stringify({ name: 'p' }));
  for (const [path, content] of Object.entries(files))
    fixture.write(`p/${path}`, typeof content === 'string' ? content : JSON.stringify(content));
  const run = (...prompt: readonly string[]) =>
    fixture.run('claude', [...STREAM, '--plugin-dir', 'p', '--dangerously-skip-permissions', ...prompt]);
  return { ...fixture, run };
}

const group = (command: string, matcher = '*') => ({ matcher, hooks: [{ type: 'command', command }] });
const hooksFile = (hooks: object) => ({ 'hooks/hooks.json': { hooks } });

describe('commands and skills', () => {
  const text = [
    ...['---', 'description: d', 'arguments: first second', '---', '', ''],
    '  root=${CLAUDE_PLUGIN_ROOT} data=${CLAUDE_PLUGIN_DATA} project=${CLAUDE_PROJECT_DIR} skill=${CLAUDE_SKILL_DIR} $second $first A=`literal`',
  ].join('\n');

  test('are sent with their variables and arguments filled in', () => {
    const { cwd, home, run } = withFiles(
      [
        onPrompt(/root=(\S+) data=(\S+) project=(\S+) skill=(\S+) (.*)/).says(
          '{{1}} {{2}} {{3}} {{4}} {{5}}',
        ),
      ],
      { 'commands/c.md': text, 'skills/s/SKILL.md': text },
    );
    const place = `${cwd}/p ${home}/.claude/plugins/data/p-inline ${cwd}`;
    expect(resultOf(run('/p:c one two')).result).toBe(`${place} \${CLAUDE_SKILL_DIR} two one A=\`literal\``);
    expect(resultOf(run('/p:s one two')).result).toBe(`${place} ${cwd}/p/skills/s two one A=\`literal\``);
  });

  test.each(['review', 'checkup', 'proactive', 'reset', 'new', 'settings', 'name', 'cost', 'stats', 'peers'])(
    'do not take the name /%s from Claude Code',
    (name) => {
      const rules = [onPrompt('Text of the plugin').says('taken'), onAnyPrompt().says('left')];
      const { run } = withFiles(rules, { 'commands/c.md': `---\nname: ${name}\n---\nText of the plugin` });
      expect(run(`/${name}`).stdout).not.toContain('taken');
      expect(resultOf(run(`/p:${name}`)).result).toBe('taken');
    },
  );

  test('begin where their text begins', () => {
    const { run } = withFiles(
      [onPrompt(/args>\n\nroot=/).says('below a head'), onPrompt(/args>\n\n\n\n {2}No head/).says('no head')],
      {
        'commands/c.md': '---\ndescription: d\n---\n\n\n  root=\n',
        'commands/n.md': '\n\n  No head\n',
      },
    );
    expect(resultOf(run('/p:c x')).result).toBe('below a head');
    expect(resultOf(run('/p:n x')).result).toBe('no head');
  });

  test.each([
    ['/p:c', 'a !`echo run` b'],
    ['/p:c a;b', 'a $0'],
  ])('%s is refused by name where only the real program knows its text', (prompt, body) => {
    const { run } = withFiles([onAnyPrompt().says('never')], { 'commands/c.md': body });
    const { status, stderr } = run(prompt);
    expect(status).toBe(70);
    expect(stderr).toMatch(/\/p:c: .*Claude Code/);
  });

  test('of the project itself are refused by name', () => {
    const { write, run } = withFiles([onAnyPrompt().says('never')], {});
    write('.claude/commands/sub/own.md', 'Text');
    const { status, stderr } = run('/sub:own now');
    expect([status, stderr]).toEqual([70, expect.stringContaining('does not support /sub:own.')]);
  });

  test('that only users may call are refused by the Skill tool', () => {
    const { run } = withFiles([onAnyPrompt().calls('Skill', { skill: 'p:s' }).says('ok')], {
      'skills/s/SKILL.md': '---\ndescription: d\ndisable-model-invocation: yes\n---\nText\n',
    });
    const result = run('go').events.find(({ type }) => type === 'user');
    expect(result).toMatchObject({
      message: {
        content: [{ is_error: true, content: expect.stringContaining('disable-model-invocation') }],
      },
    });
  });
});

describe('hooks', () => {
  test('run once if they are registered twice', () => {
    const { file, run } = withFiles(
      [onAnyPrompt().runs('true').says('ok')],
      hooksFile({ PreToolUse: [group('echo x >> runs', 'Bash'), group('echo x >> runs')] }),
    );
    run('go');
    expect(file('runs')).toBe('x\n');
  });

  test('have matchers for any part of the name, and one that is no pattern selects nothing', () => {
    const { file, run } = withFiles(
      [onAnyPrompt().runs('true').says('ok')],
      hooksFile({
        PreToolUse: ['.as', 'Bas', '['].map((matcher) => group(`echo '${matcher}' >> runs`, matcher)),
      }),
    );
    run('go');
    expect(file('runs')).toBe('.as\n');
  });

  test.each(['PostToolBatch', 'UserPromptExpansion', 'PermissionRequest', 'MessageDisplay'])(
    'of %s, which it does not play, are refused by name',
    (event) => {
      const { run } = withFiles([onAnyPrompt().says('ok')], hooksFile({ [event]: [group('true')] }));
      const { status, stderr } = run('go');
      expect(status).toBe(70);
      expect(stderr).toContain(`a ${event} hook`);
    },
  );

  test('after a subagent that only the script answers for are refused by name', () => {
    const { run } = withFiles(
      [onPrompt('one').says('ok'), onPrompt('two').calls('Task', { prompt: 'x' }, 'done').says('ok')],
      hooksFile({ SubagentStop: [group('true')] }),
    );
    expect(run('one').status).toBe(0);
    expect(run('two').stderr).toContain('a SubagentStop hook');
  });

  test('that are malformed for another event are dropped and named, and the plugin is loaded', () => {
    const { run, file } = withFiles([onAnyPrompt().says('ok')], {
      ...hooksFile({ Stop: [{ hooks: [{ type: 'none' }] }, group('touch stopped.txt')] }),
      'commands/c.md': 'C',
    });
    const [init] = run('go').events;
    expect(init?.plugin_errors).toBeUndefined();
    expect(init?.slash_commands).toContain('p:c');
    expect(file('stopped.txt')).toBe('');
  });

  test('that are malformed fail the plugin, which they may guard', () => {
    const { run } = withFiles([onAnyPrompt().says('ok')], {
      ...hooksFile({ PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 0 }] }] }),
      'commands/c.md': 'C',
    });
    const [init] = run('go').events;
    expect(init?.plugin_errors).toMatchObject([
      { type: 'hook-load-failed', message: expect.stringMatching(/ --lane scripted /) },
    ]);
    expect(init?.slash_commands).not.toContain('p:c');
  });
});

describe('what is left in the background', () => {
  /** Holds its output open until the test is over. */
  const HELD = '(for i in $(seq 1500); do [ -e over ] && break; sleep 0.2; done; touch ended) &';

  function endAfterwards(cwd: string) {
    onTestFinished(() => writeFileSync(join(cwd, 'over'), ''));
  }

  test('by a hook holds nothing, and what the hook printed is read', () => {
    const { cwd, run } = withFiles(
      [
        onAnyPrompt()
          .when({ systemPrompt: { contains: 'printed' } })
          .says('ok'),
      ],
      hooksFile({ UserPromptSubmit: [group(`${HELD} echo printed`)] }),
    );
    endAfterwards(cwd);
    expect(resultOf(run('go')).result).toBe('ok');
    expect(existsSync(join(cwd, 'ended'))).toBe(false);
  });

  test('by a command holds nothing, and what the command printed is read', () => {
    const { cwd, run } = withFiles([onAnyPrompt().runs(`${HELD} echo printed`).says('ok')], {});
    endAfterwards(cwd);
    const result = run('go').events.find(({ type }) => type === 'user');
    expect(result).toMatchObject({ message: { content: [{ content: 'printed' }] } });
    expect(existsSync(join(cwd, 'ended'))).toBe(false);
  });
});

test('a hook knows the folder for the data of its plugin, and the folder is there', () => {
  const { run, file } = withFiles([onAnyPrompt().says('ok')], {
    '.claude-plugin/plugin.json': { name: 'my.tool' },
    ...hooksFile({
      SessionStart: [group('cd "$CLAUDE_PLUGIN_DATA" && pwd > "$CLAUDE_PROJECT_DIR/data.txt"')],
    }),
  });
  run('go');
  expect(file('data.txt').trim()).toMatch(/\/plugins\/data\/my-tool-inline$/);
});

test.each([
  ['writes', onAnyPrompt().writes('p/b.txt', 'x')],
  ['runs', onAnyPrompt().runs('echo x > p/b.txt')],
])(
  'an agent that %s into the folder of a plugin is refused by name, unless it skips permissions',
  (_, rule) => {
    const fixture = makeFixture([rule.says('ok')]);
    fixture.write('p/.claude-plugin/plugin.json', JSON.stringify({ name: 'p' }));
    const args = [...STREAM, '--plugin-dir', 'p', '--permission-mode'];
    const run = fixture.run('claude', [...args, 'acceptEdits', 'go']);
    expect([run.status, run.stderr]).toEqual([
      70,
      expect.stringMatching(/does not support judging .*scripted lane/),
    ]);
    expect(existsSync(join(fixture.cwd, 'p/b.txt'))).toBe(false);
    expect(fixture.run('claude', [...args, 'bypassPermissions', 'go']).status).toBe(0);
    expect(fixture.file('p/b.txt').trim()).toBe('x');
  },
);
