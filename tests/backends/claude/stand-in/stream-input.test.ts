import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { type Json, makeFixture, STREAM } from '../../support/stand-in-cli.js';

const INPUT = [...STREAM, '--input-format', 'stream-json'];
const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
const control = (request_id: string, request: object) => ({ type: 'control_request', request_id, request });
const isResult = ({ type }: Json) => type === 'result';
const answers = (id: string) => (event: Json) => Object(event.response).request_id === id;

describe('a stream of turns in one process', () => {
  test('init comes with every turn, and sequences go on', async () => {
    const fixture = makeFixture([
      onPrompt('login').says('Username:').followedBy(onAnyPrompt().says('Welcome, {{session}}.')),
    ]);
    const talk = fixture.talk('claude', INPUT);
    talk.send(user('login'));
    const first = await talk.next(isResult);
    talk.send(user([{ type: 'text', text: 'alfred' }]));
    expect(await talk.next(({ subtype }) => subtype === 'init')).toMatchObject({
      session_id: first.session_id,
    });
    expect(await talk.next(isResult)).toMatchObject({
      result: `Welcome, ${first.session_id}.`,
      result_index: 1,
    });
    expect(await talk.end()).toBe(0);
  });

  test('a prompt that no rule answers ends the process at once, while the caller waits for a result', async () => {
    const talk = makeFixture([onPrompt('login').says('Username:')]).talk('claude', INPUT);
    talk.send(user('logout'));
    expect(await talk.ended).toBe(70);
    expect(talk.seen).toEqual([]);
  });

  test('control requests: initialize, one that is not played', async () => {
    const fixture = makeFixture([onAnyPrompt().writes('a.txt', 'x').says('ok')]);
    const talk = fixture.talk('claude', [...INPUT, '--permission-mode', 'acceptEdits']);
    talk.send(control('c1', { subtype: 'initialize' }));
    expect(await talk.next(answers('c1'))).toMatchObject({
      response: { subtype: 'success', response: { commands: [], agents: [] } },
    });
    talk.send(control('c4', { subtype: 'frobnicate' }));
    expect(await talk.next(answers('c4'))).toMatchObject({
      response: {
        subtype: 'error',
        error: expect.stringMatching(/does not support the control request frobnicate.*scripted lane/),
      },
    });
    talk.send(control('c5', { subtype: 'initialize', hooks: { PreToolUse: [] } }));
    expect(await talk.next(answers('c5'))).toMatchObject({
      response: { subtype: 'error', error: expect.stringContaining('scripted lane') },
    });
    talk.send(user('go'));
    expect(await talk.next(({ subtype }) => subtype === 'init')).toMatchObject({
      permissionMode: 'acceptEdits',
    });
    expect(await talk.next(isResult)).toMatchObject({ permission_denials: [] });
    await talk.end();
    expect(fixture.file('a.txt')).toBe('x');
  });

  test('an interruption ends a silent turn, and the next one is played', async () => {
    const fixture = makeFixture([onPrompt('hang').hangs(), onAnyPrompt().says('Here again.')]);
    const talk = fixture.talk('claude', INPUT);
    talk.send(user('hang'));
    await talk.next(({ subtype }) => subtype === 'init');
    talk.send(control('i1', { subtype: 'interrupt' }));
    expect(await talk.next(answers('i1'))).toMatchObject({ response: { subtype: 'success' } });
    expect(await talk.next(isResult)).toMatchObject({
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_streaming',
    });
    talk.send(user('go on'));
    expect(await talk.next(isResult)).toMatchObject({ result: 'Here again.' });
    expect(await talk.end()).toBe(0);
  });

  test('an interruption ends a tool', async () => {
    const fixture = makeFixture([onAnyPrompt().runs('echo > started; exec sleep 300').says('Never said.')]);
    const talk = fixture.talk('claude', [...INPUT, '--dangerously-skip-permissions']);
    talk.send(user('go'));
    await talk.next(({ message }) => JSON.stringify(message ?? '').includes('tool_use'));
    talk.send(control('i1', { subtype: 'interrupt' }));
    expect(await talk.next(isResult)).toMatchObject({ terminal_reason: 'aborted_tools', is_error: true });
    expect(await talk.end()).toBe(1);
  });

  test('user messages come back on request; a line that is no JSON ends it', async () => {
    const fixture = makeFixture([onAnyPrompt().says('ok')]);
    const talk = fixture.talk('claude', [...INPUT, '--replay-user-messages']);
    talk.send(user('hello'));
    expect(await talk.next(({ type }) => type === 'user')).toMatchObject({
      isReplay: true,
      message: { content: 'hello' },
    });
    await talk.end();
    const broken = fixture.run('claude', INPUT, { input: 'not json\n' });
    expect([broken.status, broken.stderr]).toEqual([
      1,
      'Error parsing streaming input line (type=unknown, 8 chars): SyntaxError\n',
    ]);
  });

  test('a prompt that no rule answers ends it with the explanation', () => {
    const fixture = makeFixture([onPrompt('login').says('Username:')]);
    const run = fixture.run('claude', INPUT, { input: `${JSON.stringify(user('what?'))}\n` });
    expect([run.status, run.stdout]).toEqual([70, '']);
    expect(run.stderr).toMatch(/no rule .* answers this prompt/);
  });
});
