import { describe, expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { APIS, ask, serve, type Turn } from '../support/model-client.js';

const STOPS = {
  messages: ['end_turn', 'tool_use'],
  'chat-completions': ['stop', 'tool_calls'],
  responses: ['completed', 'completed'],
  gemini: ['STOP', 'STOP'],
} as const;

describe.each(APIS.flatMap((api) => [true, false].map((stream) => ({ api, stream }))))(
  '$api, streamed: $stream',
  ({ api, stream }) => {
    const [end, tools] = STOPS[api];

    test('answers a prompt with what its rule says', async () => {
      const { url } = await serve([
        onPrompt(/add (\d+) and (\d+)/)
          .says('It is {{add 1 2}}.')
          .says('Bye.'),
      ]);
      const heard = await ask(url, api, [{ user: 'Please add 19 and 23' }], { stream });
      expect(heard).toMatchObject({ status: 200, tools: [], stop: end });
      // Each text begins a line, unless the API has texts side by side.
      expect(heard.text).toBe(api === 'messages' ? 'It is 42.Bye.' : 'It is 42.\nBye.');
    });

    test('plays the steps of a response as one loop, one tool an answer', async () => {
      const rule = onPrompt('go').says('First.').writes('a.txt', 'A').runs('ls').says('Last.');
      const { url, requests } = await serve([rule]);
      const turns: Turn[] = [{ user: 'go' }];
      const heard = [];
      for (let round = 0; round < 3; round += 1) {
        const answer = await ask(url, api, turns, { stream });
        heard.push(answer);
        turns.push({ heard: answer });
        if (answer.tools.length > 0) turns.push({ result: 'done', of: answer });
      }
      expect(heard.map(({ text }) => text)).toEqual(['First.', '', 'Last.']);
      expect(heard.map(({ stop }) => stop)).toEqual([tools, tools, end]);
      const [write, run] = heard.flatMap((answer) => answer.tools);
      const path = api === 'messages' ? 'file_path' : 'filePath';
      expect(write).toMatchObject({ input: { [path]: '/home/user/project/a.txt', content: 'A' } });
      expect(run).toMatchObject({ input: { command: 'ls' } });
      expect(write?.id).not.toBe(run?.id);
      expect(requests.map(({ matched, toolsRun }) => [matched, toolsRun])).toEqual([
        ['response[0]', 0],
        ['response[0]', 1],
        ['response[0]', 2],
      ]);
    });

    test('says in the words of the API that nothing answers, names prompt and rules, and goes on', async () => {
      const { url, requests } = await serve([onPrompt('red').says('Red.')]);
      const lost = await ask(url, api, [{ user: 'blue' }], { stream });
      expect(lost.status).toBe(400);
      expect(lost.body).toMatch(/"error".*no rule in the agent script.*blue.*on prompt red/s);
      expect((await ask(url, api, [{ user: 'red' }], { stream })).text).toBe('Red.');
      expect(requests.map(({ outcome }) => outcome)).toEqual(['no-match', 'answered']);
    });
  },
);

test('gemini streams a JSON list where nobody asks for server-sent events', async () => {
  const { url } = await serve([onPrompt('hello').says('Hi.')]);
  const post = async (text: string) => {
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] });
    const response = await fetch(`${url}/v1beta/models/m:streamGenerateContent`, { method: 'POST', body });
    return [response.status, response.headers.get('content-type'), await response.json()];
  };
  expect(await post('hello')).toEqual([
    200,
    'application/json',
    [expect.objectContaining({ candidates: [expect.objectContaining({ finishReason: 'STOP' })] })],
  ]);
  expect(await post('what?')).toMatchObject([400, 'application/json', [{ error: { code: 400 } }]]);
});

test('gemini takes the keys of a request in snake case too, and leaves those of tools alone', async () => {
  const { url, requests } = await serve([
    onPrompt('hello')
      .when({ systemPrompt: { contains: 'terse' } })
      .calls('look_up', { first_name: 'x' }),
    onAnyPrompt()
      .when({ toolResult: { contains: '"last_name":"Ada"' } })
      .says('Ada.'),
  ]);
  const post = async (contents: object[]) => {
    const body = JSON.stringify({
      contents,
      system_instruction: { parts: [{ text: 'Be terse.' }] },
      tools: [{ function_declarations: [{ name: 'look_up', parameters: { properties: {} } }] }],
    });
    return (await fetch(`${url}/v1beta/models/m:generateContent`, { method: 'POST', body })).json();
  };
  const hello = { role: 'user', parts: [{ text: 'hello' }] };
  expect(await post([hello])).toMatchObject({
    candidates: [{ content: { parts: [{ functionCall: { name: 'look_up', args: { first_name: 'x' } } }] } }],
  });
  const call = { role: 'model', parts: [{ function_call: { name: 'look_up', args: { first_name: 'x' } } }] };
  const result = {
    role: 'user',
    parts: [{ function_response: { name: 'look_up', response: { last_name: 'Ada' } } }],
  };
  expect(await post([hello, call, result])).toMatchObject({
    candidates: [{ content: { parts: [{ text: 'Ada.' }] } }],
  });
  expect(requests.map(({ toolsRun }) => toolsRun)).toEqual([0, 1]);
});

test('codex gets what the agent says in one message: it shows its user only the last', async () => {
  const { url } = await serve([onPrompt('hello').says('One.').says('Two.')]);
  const { body } = await ask(url, 'responses', [{ user: 'hello' }], { stream: false });
  expect(JSON.parse(body).output).toMatchObject([{ type: 'message', content: [{ text: 'One.\nTwo.' }] }]);
});

test.each([
  ['/v1/messages/count_tokens', { model: 'm', messages: [] }, 'input_tokens'],
  ['/v1beta/models/m:countTokens', { contents: [] }, 'totalTokens'],
])('%s counts tokens without asking the script', async (path, body, key) => {
  const { url, requests } = await serve([]);
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  expect(await response.json()).toEqual({ [key]: expect.any(Number) });
  expect(requests).toMatchObject([{ kind: 'other', status: 200 }]);
});
