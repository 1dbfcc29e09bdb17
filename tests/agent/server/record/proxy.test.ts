import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { writeScript } from '../../../../src/agent/script/convert.js';
import { parseScript } from '../../../../src/agent/script/parse.js';
import { listen } from '../../../../src/agent/server/listen.js';
import { startRecordingProxy } from '../../../../src/agent/server/record/proxy.js';
import { covers } from '../../../coverage/covers.js';
import { APIS, ask, serve, type Turn } from '../../support/model-client.js';

async function record(target: string) {
  const proxy = await startRecordingProxy({ target });
  onTestFinished(proxy.close);
  return proxy;
}

/** A prompt with a tool, then another prompt: what a caller sees of the answers, besides their ids. */
async function converse(url: string, api: (typeof APIS)[number], stream: boolean) {
  const turns: Turn[] = [{ user: 'go' }];
  const seen: unknown[] = [];
  const talk = async () => {
    const heard = await ask(url, api, turns, { stream });
    turns.push({ heard });
    if (heard.tools.length > 0) turns.push({ result: 'done', of: heard });
    const tools = heard.tools.map(({ name, input }) => ({ name, input }));
    seen.push({ status: heard.status, text: heard.text, stop: heard.stop, tools });
  };
  await talk();
  await talk();
  turns.push({ user: 'more' });
  await talk();
  return seen;
}

test.each(APIS.flatMap((api) => [true, false].map((stream) => ({ api, stream }))))(
  '$api, streamed: $stream: a script of what a model answered replays it, also elsewhere',
  async ({ api, stream }) => {
    covers('A14');
    const real = await serve([
      onPrompt('go')
        .says('Use {{=braces}}.')
        .writes('a.txt', 'A')
        .says('Done.')
        .followedBy(onAnyPrompt().says('More.')),
    ]);
    const proxy = await record(real.url);
    const heard = await converse(proxy.url, api, stream);
    expect(heard).toEqual(await converse(real.url, api, stream));
    const text = writeScript(proxy.script());
    expect(text).toContain('{{cwd}}/a.txt');
    const { script } = parseScript(text, { format: 'yaml' });
    const replay = await serve(script.rules.map((rule) => ({ rule })));
    expect(await converse(replay.url, api, stream)).toEqual(heard);
    expect((await ask(replay.url, api, [{ user: 'go' }])).status, 'more than was recorded').toBe(400);
  },
);

test('no credential gets into the script, and refusals of the real model are replayed', async () => {
  const real = await serve([
    onPrompt('key').says('You use my-very-secret-key.'),
    onPrompt('x').fails({ type: 'overloaded' }),
  ]);
  const { url, script } = await record(real.url);
  const headers = { authorization: 'Bearer my-very-secret-key' };
  expect((await ask(url, 'messages', [{ user: 'what is my key?' }], { headers })).text).toContain(
    'secret-key',
  );
  expect((await ask(url, 'messages', [{ user: 'x' }], { headers })).status).toBe(529);
  const text = writeScript(script());
  expect(text).toContain('You use [redacted].');
  expect(text).not.toContain('my-very-secret-key');
  expect(script().rules[1]?.respond.failure).toEqual({ type: 'overloaded', message: 'Overloaded' });
});

/** Records what a script answers, writes it down, and serves it again. */
async function recordScript(yaml: string, talk: (url: string) => Promise<unknown>) {
  const { script } = parseScript(yaml, { format: 'yaml' });
  const real = await serve(script.rules.map((rule) => ({ rule })));
  const proxy = await record(real.url);
  const heard = await talk(proxy.url);
  const text = writeScript(proxy.script());
  const recorded = parseScript(text, { format: 'yaml' }).script;
  const replay = await serve(recorded.rules.map((rule) => ({ rule })));
  return { heard, text, recorded, again: await talk(replay.url) };
}

describe.each(APIS.flatMap((api) => [true, false].map((stream) => ({ api, stream }))))(
  '$api, streamed: $stream',
  ({ api, stream }) => {
    const asking = {
      messages: { thinking: { type: 'enabled' } },
      gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    };
    const more = {
      'chat-completions': { stream_options: { include_usage: true } },
      responses: { reasoning: { summary: 'auto' } },
      ...asking,
    }[api];

    test('usage, stop reasons, thoughts and parallel tools survive a recording', async () => {
      covers('A14');
      const { recorded } = await recordScript(
        `
rules:
  - on: stop
    say: Half
    stop_reason: max_tokens
    usage: { input_tokens: 12, output_tokens: 34 }
  - on: tools
    steps:
      - think: Two.
      - together: [{ tool: first, input: { a: 1 } }, { tool: second }]
    usage: { input_tokens: 5, output_tokens: 6 }
`,
        async (url) => {
          await ask(url, api, [{ user: 'stop' }], { stream, more });
          await ask(url, api, [{ user: 'tools' }], { stream: false, more });
        },
      );
      expect(recorded.rules.map(({ respond }) => respond)).toEqual([
        {
          steps: [{ do: 'say', text: 'Half' }],
          stopReason: 'max_tokens',
          usage: { inputTokens: 12, outputTokens: 34 },
        },
        {
          steps: [
            { do: 'think', text: 'Two.' },
            { do: 'tool', name: 'first', input: { a: 1 } },
            { do: 'tool', name: 'second', input: {}, alongside: true },
          ],
          usage: { inputTokens: 5, outputTokens: 6 },
        },
      ]);
    });
  },
);

test('errors survive with their words, and those that went away with their number', async () => {
  const { heard, again, recorded } = await recordScript(
    `
rules:
  - { on: busy, say: At last., failure: { type: rate-limit, message: slow down, retry_after_seconds: 7 }, fail_times: 2 }
  - { on: odd, failure: { type: server-error, status: 422, message: odd field } }
  - { on: money, failure: out-of-credits }
`,
    async (url) => {
      const met = [];
      for (const user of ['busy', 'busy', 'busy', 'odd', 'money']) {
        const { status, text, body, headers } = await ask(url, 'responses', [{ user }], { stream: false });
        met.push([status, text, status === 200 ? '' : body, headers.get('retry-after')]);
      }
      return met;
    },
  );
  expect(again).toEqual(heard);
  expect(recorded.rules[0]?.respond).toMatchObject({
    failure: { type: 'rate-limit', message: 'slow down', retryAfterSeconds: 7 },
    failTimes: 2,
  });
});

test('an error before a loop with tools survives, and one in its middle that went away leaves no trace', async () => {
  const real = await serve([
    onPrompt('go').runs('make').fails({ type: 'overloaded' }, 2),
    onAnyPrompt()
      .when({ toolResult: { contains: 'made' } })
      .says('Done.')
      .fails({ type: 'server-error' }, 1),
  ]);
  const proxy = await record(real.url);
  const turns: Turn[] = [{ user: 'go' }];
  for (const _ of ['first', 'second']) {
    expect((await ask(proxy.url, 'messages', turns)).status).toBe(529);
  }
  const begun = await ask(proxy.url, 'messages', turns);
  turns.push({ heard: begun }, { result: 'made', of: begun });
  expect((await ask(proxy.url, 'messages', turns)).status).toBe(500);
  expect((await ask(proxy.url, 'messages', turns)).text).toBe('Done.');
  expect(proxy.script().rules[0]?.respond).toMatchObject({ failure: { type: 'overloaded' }, failTimes: 2 });
});

const HALF =
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half, sk-ant-api03-ABCDEFGHIJKLMNOP"}}\n\n';

test.each([
  [
    'messages',
    `${HALF}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n`,
    { type: 'overloaded', message: 'Busy' },
  ],
  [
    'responses',
    'data: {"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow"}}}\n\n',
    { type: 'rate-limit', message: 'Slow' },
  ],
  [
    'chat-completions',
    'data: {"error":{"message":"Ill","type":"server_error","code":null}}\n\n',
    { type: 'server-error', message: 'Ill' },
  ],
  [
    'gemini',
    'data: {"error":{"code":503,"message":"Away","status":"UNAVAILABLE"}}\r\n\r\n',
    { type: 'server-error', message: 'Away', status: 503 },
  ],
] as const)('an error in a stream is recorded as one: %s', async (api, stream, failure) => {
  const { url, script } = await record(await serveText(stream));
  // What the client makes of it does not matter here.
  await ask(url, api, [{ user: 'hello' }]).catch(() => null);
  expect(script().rules.map(({ respond }) => respond)).toEqual([{ steps: [], failure }]);
});

test('an answer that breaks off is recorded as one, without its credentials', async () => {
  const { url, script } = await record(await serveText(HALF, { breaks: true }));
  await expect(ask(url, 'messages', [{ user: 'hello' }])).rejects.toThrow(/terminated|closed|reset/);
  expect(script().rules.map(({ respond }) => respond)).toEqual([
    { steps: [], failure: { type: 'truncated', text: 'Half, [redacted]' } },
  ]);
});

/** A service that answers everything with this stream. */
async function serveText(text: string, { breaks = false } = {}): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text, () => (breaks ? response.socket?.end() : response.end()));
    });
  });
  onTestFinished(() => void server.close());
  return listen(server, '127.0.0.1', 0);
}

test('a prompt with a secret still matches, although the script does not have it', async () => {
  const key = 'sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3A';
  const user = `Log in with ${key} (now), please.`;
  const { heard, again, text } = await recordScript('rules: [{ on: Log in, say: Welcome. }]', (url) =>
    ask(url, 'messages', [{ user }]).then((answer) => answer.text),
  );
  expect(text).not.toContain(key);
  expect([heard, again]).toEqual(['Welcome.', 'Welcome.']);
});

test('a conversation that the service keeps is recorded as one', async () => {
  covers('A14');
  const talk = async (url: string) => {
    const texts = [];
    let previous_response_id: string | undefined;
    for (const input of ['login', 'ann', '1234']) {
      const body = JSON.stringify({ model: 'm', input, previous_response_id });
      const response = await fetch(`${url}/v1/responses`, { method: 'POST', body });
      const answer = responseSchema.parse(await response.json());
      previous_response_id = answer.id;
      texts.push(answer.output[0]?.content[0]?.text);
    }
    return texts;
  };
  const { heard, again, recorded } = await recordScript(
    'rules: [{ on: login, say: Name?, turns: [{ on: any, say: Password? }, { on: any, say: Welcome. }] }]',
    talk,
  );
  expect(heard).toEqual(['Name?', 'Password?', 'Welcome.']);
  expect(again).toEqual(heard);
  expect(recorded.rules).toHaveLength(1);
});

const responseSchema = z.object({
  id: z.string(),
  output: z.array(z.object({ content: z.array(z.object({ text: z.string() })) })),
});

test('an API that cannot be reached is reported', async () => {
  const { url } = await record('http://127.0.0.1:9');
  const heard = await ask(url, 'messages', [{ user: 'hello' }]);
  expect(heard.status).toBe(502);
  expect(heard.body).toMatch(/cannot reach http:\/\/127.0.0.1:9/);
});
