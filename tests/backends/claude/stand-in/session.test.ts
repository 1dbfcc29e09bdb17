import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { makeFixture, resultOf, STREAM } from '../../support/stand-in-cli.js';

/** The example of the document about turns, as it stands there. */
const MULTI_TURN = `name = "multi_turn"
[[responses]]
pattern = { type = "contains", text = "login" }
response = "Please enter your username:"
[[responses.turns]]
expect = { type = "any" }
response = "Please enter your password:"
[[responses.turns]]
expect = { type = "any" }
response = "Login successful! Welcome."
`;
const [ONE, TWO] = ['5f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a11', '6f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a12'];

describe('a conversation over several processes', () => {
  test.each([true, false])('keeps its place in the sequence (with a log of the caller: %s)', (log) => {
    const fixture = makeFixture({ name: 'multi_turn.toml', text: MULTI_TURN }, { log });
    const say = (...args: string[]) => fixture.run('claude', ['-p', ...args]).stdout;
    expect(say('--session-id', ONE, 'login')).toBe('Please enter your username:\n');
    expect(say('--resume', ONE, 'alfred')).toBe('Please enter your password:\n');
    expect(say('--resume', ONE, 'secret')).toBe('Login successful! Welcome.\n');
    expect(fixture.run('claude', ['-p', '--resume', ONE, 'and now?'])).toMatchObject({
      status: 70,
      stdout: '',
    });
  });

  test('knows what the user said earlier, and only that', () => {
    const called = onPrompt('who?').when({ earlier: { regex: 'I am (\\w+)' } });
    const fixture = makeFixture([called.says('{{1}}'), onAnyPrompt().says('Nobody.')]);
    const say = (...args: string[]) => fixture.run('claude', ['-p', ...args]).stdout.trim();
    expect(say('--session-id', ONE, 'I am Anna, who?')).toBe('Nobody.');
    expect(say('--resume', ONE, 'who?')).toBe('Anna');
    expect(say('--session-id', TWO, 'who?')).toBe('Nobody.');
  });

  test('does not disturb another one that runs at the same time', () => {
    const fixture = makeFixture({ name: 'multi_turn.toml', text: MULTI_TURN });
    const say = (...args: string[]) => fixture.run('claude', ['-p', ...args]).stdout.trim();
    say('--session-id', ONE, 'login');
    say('--session-id', TWO, 'login');
    expect(say('--resume', ONE, 'a')).toBe('Please enter your password:');
    expect(say('--resume', TWO, 'b')).toBe('Please enter your password:');
    expect(say('--resume', ONE, 'c')).toBe('Login successful! Welcome.');
  });

  test('is kept on disk where the real one keeps it, and adds up what it cost', () => {
    const fixture = makeFixture([onAnyPrompt().says('Hello.')]);
    const first = resultOf(fixture.run('claude', [...STREAM, '--session-id', ONE, 'hi']));
    const second = resultOf(fixture.run('claude', [...STREAM, '--resume', ONE, 'hi again']));
    expect([first.session_id, second.session_id]).toEqual([ONE, ONE]);
    expect(Number(second.total_cost_usd)).toBeCloseTo(2 * Number(first.total_cost_usd), 12);
    const folder = join(fixture.home, '.claude', 'projects', fixture.cwd.replace(/[^a-zA-Z0-9]/g, '-'));
    const entries = readFileSync(join(folder, `${ONE}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    expect(entries.map((line) => JSON.parse(line).type)).toEqual([
      ...['queue-operation', 'user', 'assistant', 'cost-state'],
      ...['queue-operation', 'user', 'assistant', 'cost-state'],
    ]);
  });

  test('in CLAUDE_CONFIG_DIR if that is set', () => {
    const fixture = makeFixture([onAnyPrompt().says('Hello.')]);
    const config = join(fixture.home, 'elsewhere');
    fixture.run('claude', ['-p', 'hi'], { env: { CLAUDE_CONFIG_DIR: config } });
    expect(readdirSync(join(config, 'projects'))).toHaveLength(1);
    expect(existsSync(join(fixture.home, '.claude'))).toBe(false);
  });

  test.each([
    [['--session-id', ONE], `Error: Session ID ${ONE} is already in use.`],
    [['--resume', TWO], `No conversation found with session ID: ${TWO}`],
  ])('%j is refused in the words of the real one', (args, message) => {
    const fixture = makeFixture([onAnyPrompt().says('Hello.')]);
    fixture.run('claude', ['-p', '--session-id', ONE, 'hi']);
    const { status, stdout, stderr } = fixture.run('claude', ['-p', ...args, 'hi']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});
