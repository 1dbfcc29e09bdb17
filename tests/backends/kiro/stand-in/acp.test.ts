import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { type Json, makeFixture } from '../../support/stand-in-cli.js';

const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const answers = (id: number) => (message: Json) => message.id === id;

/** A client that has shaken hands, as ralph does it. */
async function connect(rules: Parameters<typeof makeFixture>[0]) {
  const fixture = makeFixture(rules, { log: true });
  const talk = fixture.talk('kiro-cli', ['acp']);
  talk.send(request(1, 'initialize', { protocolVersion: 1, clientCapabilities: { terminal: true } }));
  expect(await talk.next(answers(1))).toMatchObject({ jsonrpc: '2.0', result: { protocolVersion: 1 } });
  talk.send(request(2, 'session/new', { cwd: fixture.cwd, mcpServers: [] }));
  const session = Object((await talk.next(answers(2))).result).sessionId;
  const prompt = (id: number, text: string) =>
    talk.send(request(id, 'session/prompt', { sessionId: session, prompt: [{ type: 'text', text }] }));
  return { fixture, talk, prompt, session };
}

describe('kiro-cli acp', () => {
  test('plays a prompt: chunks of the message, calls of tools, a reason to stop', async () => {
    const { fixture, talk, prompt, session } = await connect([
      onPrompt(/say (\w+)/)
        .writes('a.txt', '{{1}}')
        .runs('exit 3')
        .says('{{upper 1}}')
        .says('LOOP_COMPLETE'),
    ]);
    prompt(3, 'say hello');
    expect(await talk.next(answers(3))).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(fixture.file('a.txt')).toBe('hello');
    expect(fixture.calls()).toMatchObject([{ backend: 'kiro', conversation: session, outcome: 'played' }]);
    talk.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: session } });
    expect(await talk.ended).toBe(0);
  });

  test('shows what happens in updates of the session', async () => {
    const { talk, prompt, session } = await connect([onAnyPrompt().runs('echo hi').says('Done.')]);
    prompt(3, 'go');
    const update = async () => Object((await talk.next(({ method }) => method === 'session/update')).params);
    expect(await update()).toMatchObject({
      sessionId: session,
      update: { sessionUpdate: 'tool_call', kind: 'execute', rawInput: { command: 'echo hi' } },
    });
    expect(await update()).toMatchObject({
      update: { sessionUpdate: 'tool_call_update', status: 'completed', rawOutput: { output: 'hi' } },
    });
    expect(await update()).toMatchObject({
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.\n' } },
    });
    await talk.end();
  });

  test('a cancellation ends a silent turn; sequences belong to the session', async () => {
    const { talk, prompt, session } = await connect([
      onPrompt('hang').hangs(),
      onPrompt('login').says('Username:').followedBy(onAnyPrompt().says('Welcome.')),
    ]);
    prompt(3, 'hang');
    talk.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: session } });
    expect(await talk.next(answers(3))).toMatchObject({ result: { stopReason: 'cancelled' } });
    prompt(4, 'login');
    await talk.next(answers(4));
    prompt(5, 'alfred');
    const welcome = await talk.next(({ method }) => method === 'session/update');
    expect(JSON.stringify(welcome)).toContain('Welcome.');
    await talk.end();
  });

  test('failures, unanswered prompts, unknown sessions and methods are errors of the protocol', async () => {
    const { talk, prompt } = await connect([onPrompt('login').refusesCredentials()]);
    prompt(3, 'login');
    expect(await talk.next(answers(3))).toMatchObject({ error: { message: 'You are not logged in' } });
    prompt(4, 'what?');
    expect(await talk.next(answers(4))).toMatchObject({
      error: { message: expect.stringContaining('no rule') },
    });
    talk.send(request(5, 'session/prompt', { sessionId: 'nosuch', prompt: [] }));
    expect(await talk.next(answers(5))).toMatchObject({ error: { code: -32602 } });
    talk.send(request(6, 'frobnicate', {}));
    expect(await talk.next(answers(6))).toMatchObject({ error: { code: -32601 } });
    expect(await talk.end()).toBe(0);
  });
});
