import { expect, onTestFinished, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { writeScript } from '../../../src/agent/script/native/write.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { startRecordingProxy } from '../../../src/agent/server/proxy.js';
import { APIS, ask, serve, type Turn } from '../support/model-client.js';

async function record(target: string) {
  const proxy = await startRecordingProxy({ target });
  onTestFinished(proxy.close);
  return proxy;
}

/** A prompt with a tool, then another prompt: what a caller sees of the answers, besides their ids. */
async function converse(url: string, api: (typeof APIS)[number], stream: boolean) {
  const turns: Turn[] = [{ user: 'go' }];
  const seen: unknown[] = [];
  const listen = async () => {
    const heard = await ask(url, api, turns, { stream });
    turns.push({ heard });
    if (heard.tools.length > 0) turns.push({ result: 'done', of: heard });
    const tools = heard.tools.map(({ name, input }) => ({ name, input }));
    seen.push({ status: heard.status, text: heard.text, stop: heard.stop, tools });
  };
  await listen();
  await listen();
  turns.push({ user: 'more' });
  await listen();
  return seen;
}

test.each(APIS.flatMap((api) => [true, false].map((stream) => ({ api, stream }))))(
  '$api, streamed: $stream: a script of what a model answered replays it, also elsewhere',
  async ({ api, stream }) => {
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
  expect(script().rules[1]?.respond.failure).toEqual({ type: 'overloaded' });
});

test('an API that cannot be reached is reported', async () => {
  const { url } = await record('http://127.0.0.1:9');
  const heard = await ask(url, 'messages', [{ user: 'hello' }]);
  expect(heard.status).toBe(502);
  expect(heard.body).toMatch(/cannot reach http:\/\/127.0.0.1:9/);
});
