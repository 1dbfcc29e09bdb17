import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../support/stand-in-cli.js';

describe('print mode', () => {
  test('one assistant event a block; the blocks of an answer share its id', () => {
    const fixture = makeFixture([onAnyPrompt().says('I will.').runs('echo hi').says('One.').says('Two.')]);
    const { events, status } = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    expect(status).toBe(0);
    const blocks = events.filter(({ type }) => type === 'assistant').map(({ message }) => message);
    expect(blocks).toMatchObject([
      { content: [{ type: 'text', text: 'I will.' }] },
      { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } }] },
      { content: [{ type: 'text', text: 'One.' }] },
      { content: [{ type: 'text', text: 'Two.' }] },
    ]);
    const ids = blocks
      .map((message) => JSON.stringify(message))
      .map((json) => /"id":"(msg_\w+)"/.exec(json)?.[1]);
    expect([ids[0] === ids[1], ids[1] === ids[2], ids[2] === ids[3]]).toEqual([true, false, true]);
    expect(events.find(({ type }) => type === 'user')).toMatchObject({
      tool_use_result: { stdout: 'hi', stderr: '', interrupted: false },
    });
    expect(resultOf({ events })).toMatchObject({ num_turns: 2, result: 'Two.', is_error: false });
  });

  test('text is the last words; json is the result alone', () => {
    const fixture = makeFixture([onAnyPrompt().says('One.').says('Two.')]);
    expect(fixture.run('claude', ['-p', 'go']).stdout).toBe('Two.\n');
    expect(JSON.parse(fixture.run('claude', ['-p', '--output-format', 'json', 'go']).stdout)).toMatchObject({
      type: 'result',
      result: 'Two.',
    });
  });

  test('a prompt on stdin may come after the program has begun to read', async () => {
    const fixture = makeFixture([onPrompt('late').says('Heard.')]);
    expect(await fixture.runWithLateInput('claude', ['-p'], 'late')).toMatchObject({
      status: 0,
      stdout: 'Heard.\n',
    });
  });

  test('a stdin that stays silent is given up, with a warning; without an argument there is no prompt', async () => {
    const fixture = makeFixture([onPrompt('go').says('Went.')]);
    const warning = /^Warning: no stdin data received in 3s, proceeding without it\. .* or wait longer\.\n/;
    expect(await fixture.runWithSilentInput('claude', ['-p', 'go'])).toEqual({
      status: 0,
      stdout: 'Went.\n',
      stderr: expect.stringMatching(warning),
    });
    expect(await fixture.runWithSilentInput('claude', ['-p'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Warning: no stdin data .*\nError: Input must be provided /),
    });
  });

  test('an argument and stdin make one prompt', () => {
    const fixture = makeFixture([onPrompt(/^go\nthere (\w+)$/).says('{{1}}')]);
    expect(fixture.run('claude', ['-p', 'go'], { input: 'there now' }).stdout).toBe('now\n');
  });

  test('model, system prompt and flags can be matched', () => {
    const fixture = makeFixture([
      onAnyPrompt()
        .when({
          model: { exact: 'claude-sonnet-5-5' },
          systemPrompt: { contains: 'EXTRA' },
          flags: ['--model'],
        })
        .says('yes'),
      onAnyPrompt().says('no'),
    ]);
    const args = ['-p', '--model', 'sonnet', '--append-system-prompt', 'EXTRA words', 'go'];
    expect(fixture.run('claude', args).stdout).toBe('yes\n');
    expect(fixture.run('claude', ['-p', 'go']).stdout).toBe('no\n');
  });

  test.each([
    [{ type: 'server-error' as const }, 500, 'server_error', /^API Error: 500 Internal server error/],
    [{ type: 'overloaded' as const }, 529, 'server_error', /^API Error: 529 Overloaded/],
    [{ type: 'rate-limit' as const }, 429, 'rate_limit', /^API Error: 429 /],
    [
      { type: 'out-of-credits' as const },
      400,
      'billing_error',
      /^API Error: 400 .*credit balance is too low/,
    ],
    [{ type: 'forbidden' as const }, 403, 'authentication_failed', /^API Error: 403/],
    [{ type: 'not-found' as const }, 404, 'model_not_found', /^API Error: 404 model not found/],
    [{ type: 'reset' as const }, null, 'server_error', /^API Error: Connection failed \(reset\)/],
  ])('%j is shown in the fields of the real one, and exits 1', (failure, status, error, text) => {
    const fixture = makeFixture([onAnyPrompt().fails(failure)]);
    const run = fixture.run('claude', [...STREAM, 'go'], { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    expect(run.status).toBe(1);
    expect(run.events.find(({ type }) => type === 'assistant')).toMatchObject({
      message: { model: '<synthetic>' },
      error,
    });
    expect(resultOf(run)).toMatchObject({ subtype: 'success', is_error: true, api_error_status: status });
    expect(resultOf(run).result).toMatch(text);
    const plain = fixture.run('claude', ['-p', 'go'], { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    expect([plain.status, plain.stderr]).toEqual([1, '']);
    expect(plain.stdout).toMatch(text);
  });

  test('a failure that goes away is tried again, and forgotten', () => {
    const fixture = makeFixture([onAnyPrompt().says('At last.').fails({ type: 'overloaded' }, 2)]);
    const run = fixture.run('claude', [...STREAM, 'go']);
    expect(run.events.filter(({ subtype }) => subtype === 'api_retry')).toMatchObject([
      { attempt: 1, max_retries: 10, error_status: 529, error: 'overloaded' },
      { attempt: 2 },
    ]);
    expect([run.status, resultOf(run).result]).toEqual([0, 'At last.']);
    const given = fixture.run('claude', [...STREAM, 'go'], { env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    expect([given.status, resultOf(given).api_error_status]).toEqual([1, 529]);
  });

  test.each(['claude', 'kiro-cli', 'opencode'])(
    '%s: the result of a tool can call for another rule',
    (command) => {
      const fixture = makeFixture(
        [
          onAnyPrompt()
            .when({ toolResult: { regex: 'code (\\d+) red' } })
            .says('Alarm {{1}}.')
            .once(),
          onPrompt('login')
            .runs('echo code 7 red')
            .says('All is well.')
            .followedBy(onAnyPrompt().says('Next turn.')),
        ],
        { log: true },
      );
      const id = '5f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a11';
      const options = [['--session-id', id], ...Array.from({ length: 2 }, () => ['--resume', id])];
      const args = {
        claude: (prompt: string) => [
          '-p',
          '--dangerously-skip-permissions',
          ...(options.shift() ?? []),
          prompt,
        ],
        'kiro-cli': (prompt: string) => ['chat', '--no-interactive', '--trust-all-tools', prompt],
        opencode: (prompt: string) => ['run', prompt],
      }[command];
      const say = (prompt: string) =>
        fixture
          .run(command, args?.(prompt) ?? [])
          .stdout.trim()
          .split('\n')
          .at(-1);
      expect(say('login')).toBe('Alarm 7.');
      // The sequence that the prompt began goes on all the same.
      if (command === 'claude') expect(say('alfred')).toBe('Next turn.');
      expect(say('login')).toBe('All is well.');
    },
  );

  test('a crash leaves no result', () => {
    const fixture = makeFixture([onAnyPrompt().says('Uh').fails({ type: 'crash', signal: 'SIGKILL' })]);
    const { status, events } = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    expect(status).toBe(null);
    expect(resultOf({ events })).toEqual({});
  });

  test('a limit of turns that is reached is refused by name', () => {
    const fixture = makeFixture([onAnyPrompt().runs('true').says('Said.')]);
    const run = (limit: string) =>
      fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', '--max-turns', limit, 'go']);
    expect(resultOf(run('2')).result).toBe('Said.');
    expect(run('1')).toMatchObject({ status: 70, stderr: expect.stringContaining('--max-turns') });
  });

  test('a slash command that nobody knows goes to the model; one of the program is refused by name', () => {
    const fixture = makeFixture([onPrompt('/nosuch').says('No such command.')]);
    expect(resultOf(fixture.run('claude', [...STREAM, '/nosuch thing']))).toMatchObject({ num_turns: 1 });
    const help = fixture.run('claude', [...STREAM, '/help']);
    expect([help.status, help.stdout]).toEqual([70, '']);
    expect(help.stderr).toMatch(/does not support \/help\. .*scripted lane/);
  });
});
