import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { onPrompt } from '../../../src/agent/builder.js';
import { ask, serve } from '../support/model-client.js';

const HI = [onPrompt('hello').says('Hi.')];
const HELLO = [{ user: 'hello' }];

describe('bad input', () => {
  test.each([
    ['no JSON', '/v1/messages', '{"model":', 400, /Expected a JSON body/],
    ['nothing', '/v1/messages', '', 400, /Expected a JSON body/],
    [
      'another shape',
      '/v1/messages',
      '{"model":"m","messages":7}',
      400,
      /not a valid request for the messages API.*messages/s,
    ],
    ['another shape', '/v1/chat/completions', '[]', 400, /not a valid request for the chat-completions API/],
    [
      '20 MB',
      '/v1/messages',
      `{"x":"${'y'.repeat(20 * 1024 * 1024)}"}`,
      413,
      /20971528 bytes.*at most 16777216/,
    ],
    [
      'a path that is not served',
      '/v2/answers',
      '{}',
      404,
      /this server answers only POST on \/v1\/messages/,
    ],
  ])(
    '%s at %s is refused with a reason, and the server lives on',
    async (_what, path, body, status, reason) => {
      const { url } = await serve(HI);
      const response = await fetch(url + path, { method: 'POST', body });
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toMatch(reason);
      expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
    },
  );

  test('what CLIs look for besides a model', async () => {
    const { url } = await serve(HI);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${url}/npm/@opencode-ai%2fplugin`)).status).toBe(404);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1.1 426 /);
  });
});
