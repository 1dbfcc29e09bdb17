import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import type { Failure } from '../../../src/domain/agent-script.js';
import { APIS, ask, serve } from '../support/model-client.js';

const HELLO = [{ user: 'hello' }];

describe.each(APIS)('%s', (api) => {
  test.each<[Failure, number]>([
    [{ type: 'authentication' }, 401],
    [{ type: 'forbidden' }, 403],
    [{ type: 'not-found' }, 404],
    [{ type: 'too-large' }, 413],
    [{ type: 'rate-limit', retryAfterSeconds: 7 }, 429],
    [{ type: 'out-of-credits', message: 'no money' }, api === 'messages' ? 400 : 429],
    [{ type: 'server-error', message: 'no such field', status: 422 }, 422],
    [{ type: 'server-error', message: 'the hamster is ill' }, 500],
    [{ type: 'overloaded' }, 529],
  ])('$0.type is a status of its own', async (failure, status) => {
    const { url, requests } = await serve([onAnyPrompt().fails(failure)]);
    const heard = await ask(url, api, HELLO);
    expect(heard.status).toBe(status);
    expect(JSON.parse(heard.body)).toMatchObject({ error: { message: expect.stringMatching(/\w/) } });
    if ('message' in failure) expect(heard.body).toContain(failure.message);
    if (failure.type === 'rate-limit') expect(heard.headers.get('retry-after')).toBe('7');
    if (failure.type === 'out-of-credits' && (api === 'responses' || api === 'chat-completions'))
      expect(heard.body).toContain('"code":"insufficient_quota"');
    if (status >= 500) expect(heard.headers.get('retry-after-ms')).toBe('10');
    expect(requests).toMatchObject([{ outcome: 'failed-as-scripted', status, matched: 'response[0]' }]);
  });

  test.each([true, false])('a truncated answer breaks off (streamed: %s)', async (stream) => {
    const { url } = await serve([onAnyPrompt().says('Half of it').fails({ type: 'truncated' })]);
    await expect(ask(url, api, HELLO, { stream })).rejects.toThrow(
      /terminated|other side closed|fetch failed/,
    );
  });

  test.each([true, false])('a malformed answer is no JSON (streamed: %s)', async (stream) => {
    const { url } = await serve([onAnyPrompt().fails({ type: 'malformed', raw: '{"half":' })]);
    await expect(ask(url, api, HELLO, { stream })).rejects.toThrow(SyntaxError);
  });

  test('a reset is no answer at all', async () => {
    const { url, requests } = await serve([onAnyPrompt().fails({ type: 'reset' })]);
    await expect(ask(url, api, HELLO)).rejects.toThrow('fetch failed');
    expect(requests).toMatchObject([{ outcome: 'failed-as-scripted', status: null }]);
  });
});

test('a hang begins after the words before it, lasts until the caller gives up, and does not hold up others', async () => {
  const { url } = await serve([onPrompt('wait').says('Ready.').hangs(), onPrompt('hello').says('Hi.')]);
  const first = await ask(url, 'messages', [{ user: 'wait' }]);
  expect(first.text).toBe('Ready.');
  const patience = new AbortController();
  const turns = [{ user: 'wait' }, { heard: first }, { result: '', of: first }];
  const hanging = ask(url, 'messages', turns, { signal: patience.signal });
  expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
  patience.abort();
  await expect(hanging).rejects.toThrow('aborted');
  expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
});

test('slow tokens come one by one', async () => {
  const [rule] = [onAnyPrompt().says('one two three')].map(({ rule: made }) => ({
    rule: { ...made, respond: { ...made.respond, tokenDelayMs: 1 } },
  }));
  const { url } = await serve(rule === undefined ? [] : [rule]);
  const { text, body } = await ask(url, 'messages', HELLO);
  expect(text).toBe('one two three');
  expect(body.match(/text_delta/g)).toHaveLength(3);
});

test('closing the server ends what hangs', async () => {
  const server = await serve([onAnyPrompt().hangs()]);
  const hanging = ask(server.url, 'messages', HELLO);
  hanging.catch(() => {});
  await expect.poll(() => server.requests.length).toBe(1);
  await server.close();
  await expect(hanging).rejects.toThrow('fetch failed');
});

test('a caller that hangs up in the middle of its request or of its answer does no harm', async () => {
  const { url, requests } = await serve([
    onPrompt('long').says('x'.repeat(4_000_000)),
    onPrompt('hello').says('Hi.'),
  ]);
  const half = connect(Number(new URL(url).port), '127.0.0.1');
  half.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"model":', () =>
    half.destroy(),
  );
  await once(half, 'close');
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'long' }] });
  const reading = await fetch(`${url}/v1/messages`, { method: 'POST', body });
  await reading.body?.cancel();
  expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
  expect(requests.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
});
