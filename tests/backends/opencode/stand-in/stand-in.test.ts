// Starts programs, or takes seconds: in the project `whole`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { makeFixture } from '../../support/stand-in-cli.js';

describe('opencode run --format json', () => {
  test('a line for each step, text and tool', () => {
    const fixture = makeFixture([
      onAnyPrompt().says('I will.').runs('echo hi; exit 3').writes('a.txt', 'x').says('Done.'),
    ]);
    const { status, events } = fixture.run('opencode', ['run', '--format', 'json', 'go']);
    expect(status).toBe(0);
    expect(events.map(({ type }) => type)).toEqual([
      ...['step_start', 'text', 'tool_use', 'step_finish', 'step_start', 'tool_use', 'step_finish'],
      ...['step_start', 'text', 'step_finish'],
    ]);
    expect(events[2]).toMatchObject({
      sessionID: events[0]?.sessionID,
      part: {
        tool: 'bash',
        state: {
          status: 'completed',
          input: { command: 'echo hi; exit 3' },
          output: 'hi',
          metadata: { exit: 1 },
        },
      },
    });
    expect(events.at(-1)).toMatchObject({ part: { reason: 'stop' } });
  });

  test('an agent without words ends its last step all the same', () => {
    const fixture = makeFixture([onPrompt('act').writes('a.txt', 'x'), onAnyPrompt()]);
    const types = (prompt: string) =>
      fixture.run('opencode', ['run', '--format', 'json', prompt]).events.map(({ type }) => type);
    expect(types('act')).toEqual([
      ...['step_start', 'tool_use', 'step_finish'],
      ...['step_start', 'step_finish'],
    ]);
    expect(types('nothing')).toEqual(['step_start', 'step_finish']);
  });

  test('a refused key is an error event and exit 1; a failure that goes away is not seen', () => {
    const fixture = makeFixture([
      onPrompt('retry').says('At last.').fails({ type: 'overloaded' }, 2),
      onAnyPrompt().refusesCredentials(),
    ]);
    const { status, events } = fixture.run('opencode', ['run', '--format', 'json', 'go']);
    expect(status).toBe(1);
    expect(events).toMatchObject([{ type: 'error', error: { name: 'APIError', data: { statusCode: 401 } } }]);
    expect(fixture.run('opencode', ['run', 'retry'])).toMatchObject({ status: 0, stdout: 'At last.\n' });
  });

  test('a session goes on where it is named, and not where there is none', () => {
    const fixture = makeFixture(
      [
        onPrompt('login').says('Username:').followedBy(onAnyPrompt().says('Welcome.')),
        onPrompt('who am I')
          .when({ earlier: { regex: 'login\\n(\\w+)' } })
          .says('You are {{1}}.'),
        onPrompt('who am I').says('No idea.'),
      ],
      { log: true },
    );
    const run = (...args: string[]) => fixture.run('opencode', ['run', ...args]);
    const id = String(run('--format', 'json', 'login').events[0]?.sessionID);
    expect(id).toMatch(/^ses_/);
    const { events } = run('--format', 'json', '--session', id, 'alfred');
    expect(events[1]).toMatchObject({ sessionID: id, part: { text: 'Welcome.' } });
    expect(run('--session', id, 'who am I').stdout).toBe('You are alfred.\n');
    expect(run('who am I').stdout).toBe('No idea.\n');
    expect(run('--session', 'ses_none', 'who am I')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'Error: Session not found\n',
    });
  });

  test.each([
    [['run', '--format', 'yaml', 'x'], /does not support --format yaml/, 70],
    [['run', '--continue', 'x'], /does not support --continue/, 70],
    [['run', '--frob', 'x'], /does not support --frob/, 70],
    [['serve'], /does not support "serve".*scripted lane/, 70],
  ])('%j is refused', (args, message, code) => {
    const { status, stderr } = makeFixture([onAnyPrompt()]).run('opencode', args);
    expect(stderr).toMatch(message);
    expect(status).toBe(code);
  });
});

describe('a file outside its folder', () => {
  // As OpenCode 1.18.18 did it: ralph hands over long prompts in such files.
  const REFUSAL = 'The user rejected permission to use this specific tool call.';
  const outside = () => {
    const fixture = makeFixture([onAnyPrompt().says('Read.')], { log: true });
    const file = join(fixture.home, '.tmpAbCdEf');
    writeFileSync(file, 'do it');
    return { fixture, file, prompt: `Please read and execute the task in ${file}` };
  };

  test('is rejected on stderr, with exit code 0 and no word on stdout', () => {
    const { fixture, file, prompt } = outside();
    const { status, stdout, stderr } = fixture.run('opencode', ['run', prompt]);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr.split('\n')).toEqual([
      `! permission requested: external_directory (${fixture.home}/*); auto-rejecting`,
      `✗ Read ${file} failed`,
      `Error: ${REFUSAL}`,
      '',
    ]);
    expect(fixture.calls()).toMatchObject([{ outcome: 'not-a-prompt' }]);
  });

  test('is an error of the tool with --format json', () => {
    const { fixture, file, prompt } = outside();
    const { status, events } = fixture.run('opencode', ['run', '--format', 'json', prompt]);
    expect(status).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(['step_start', 'tool_use', 'step_finish']);
    expect(events[1]).toMatchObject({
      part: { tool: 'read', state: { status: 'error', error: REFUSAL, input: { filePath: file } } },
    });
  });

  test.each([
    ['--auto', ['--auto'], {}, ''],
    ['a variable', [], { OPENCODE_PERMISSION: '{"external_directory":"allow"}' }, ''],
    ['settings in a variable', [], { OPENCODE_CONFIG_CONTENT: '{"permission":"allow"}' }, ''],
    ['settings of the project', [], {}, '{"permission":{"external_directory":{"/tmp/*":"allow"}}}'],
  ])('is read with the permission of %s', (_, flags, env, settings) => {
    const { fixture, prompt } = outside();
    if (settings !== '') fixture.write('opencode.json', settings);
    expect(fixture.run('opencode', ['run', ...flags, prompt], { env }).stdout).toBe('Read.\n');
  });

  test('is rejected all the same where settings permit something else, or cannot be read', () => {
    const { fixture, prompt } = outside();
    fixture.write('opencode.json', '{"permission":{"edit":"allow","external_directory":"ask"}}');
    const env = { OPENCODE_PERMISSION: '{"external' };
    expect(fixture.run('opencode', ['run', prompt], { env }).stdout).toBe('');
  });
});
