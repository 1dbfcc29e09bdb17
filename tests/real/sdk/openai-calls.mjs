import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { call, main, rejects, same, URL } from './cases.mjs';

const client = new OpenAI({ baseURL: `${URL}/v1`, apiKey: 'any', maxRetries: 0, timeout: 20_000 });
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const Person = z.object({ name: z.string(), age: z.number() });

const messagesOf = (prompt) => (typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt);
const CHAT = {
  create: (prompt, more, by = client) =>
    by.chat.completions.create({ model: 'gpt-x', messages: messagesOf(prompt), ...more }),
  stream: (prompt, more, by = client) =>
    by.chat.completions
      .stream({ model: 'gpt-x', messages: messagesOf(prompt), ...more })
      .finalChatCompletion(),
};
const RESPONSES = {
  create: (input, more, by = client) => by.responses.create({ model: 'gpt-x', input, ...more }),
  stream: (input, more, by = client) =>
    by.responses.stream({ model: 'gpt-x', input, ...more }).finalResponse(),
};
const ways = ['create', 'stream'];
const said = ({ choices }) => choices[0].message.content;

call('chat says', async (way) => same(said(await CHAT[way]('hello')), 'Hi there.'), ways);
call(
  'chat turns',
  async (way) => {
    const messages = [];
    const answers = [];
    for (const content of ['login', `ann ${way}`, '1234']) {
      messages.push({ role: 'user', content });
      answers.push(said(await CHAT[way](messages)));
      messages.push({ role: 'assistant', content: answers.at(-1) });
    }
    same(answers, ['Name?', 'Password?', 'Welcome.']);
  },
  ways,
);
call(
  'chat parallel tools',
  async (way) => {
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const { message } = (await CHAT[way]('compare', { tools })).choices[0];
    same(
      message.tool_calls.map((tool) => JSON.parse(tool.function.arguments).city),
      ['Oslo', 'Rome'],
    );
    const results = message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '3' }));
    const messages = [{ role: 'user', content: 'compare' }, message, ...results];
    same(said(await CHAT[way](messages, { tools })), 'Rome is warmer.');
  },
  ways,
);
call('chat runTools', async () => {
  const run = {
    name: 'get_weather',
    parameters,
    description: 'weather',
    parse: JSON.parse,
    function: () => '3',
  };
  const runner = client.chat.completions.runTools({
    model: 'gpt-x',
    messages: messagesOf('compare'),
    tools: [{ type: 'function', function: run }],
  });
  same(await runner.finalContent(), 'Rome is warmer.');
});
call(
  'chat usage',
  async (way) => {
    const more = way === 'stream' ? { stream_options: { include_usage: true } } : {};
    same((await CHAT[way]('count', more)).usage.total_tokens, 18);
  },
  ways,
);
call('chat finish reason', async () => same((await CHAT.create('long')).choices[0].finish_reason, 'length'));
call('chat structured output', async () => {
  const response_format = zodResponseFormat(Person, 'person');
  const parsed = await client.chat.completions.parse({
    model: 'gpt-x',
    messages: messagesOf('as json'),
    response_format,
  });
  same(parsed.choices[0].message.parsed, { name: 'Ada', age: 36 });
});
call('chat unicode', async (way) => same(said(await CHAT[way]('unicode')), 'Grüße — 🦀 日本'), ways);
call(
  'chat errors',
  (status) => rejects(CHAT.create(`error ${status}`), (error) => error.status === Number(status)),
  ['401', '403', '404', '422', '429', '500'],
);
call('out of credits', () =>
  rejects(RESPONSES.create('no money'), ({ code }) => code === 'insufficient_quota'),
);
call('retries', async () => {
  same(said(await CHAT.create('flaky', {}, client.withOptions({ maxRetries: 4 }))), 'At last.');
});
call('truncated', () => rejects(CHAT.stream('cut off')));
call('malformed', () => rejects(RESPONSES.stream('garbage')));
call('timeout', () => rejects(CHAT.create('silence', {}, client.withOptions({ timeout: 500 }))));
call('models', async () => {
  const ids = [];
  for await (const { id } of client.models.list()) ids.push(id);
  same(ids, ['scripted']);
});
call('responses says', async (way) => same((await RESPONSES[way]('hello')).output_text, 'Hi there.'), ways);
call(
  'responses turns by previous id',
  async (way) => {
    const answers = [];
    let previous_response_id;
    for (const input of ['login', `ann ${way}`, '1234']) {
      const response = await RESPONSES[way](input, { previous_response_id });
      previous_response_id = response.id;
      answers.push(response.output_text);
    }
    same(answers, ['Name?', 'Password?', 'Welcome.']);
  },
  ways,
);
call(
  'responses parallel tools',
  async (way) => {
    const tools = [{ type: 'function', name: 'get_weather', parameters, strict: false }];
    const first = await RESPONSES[way]('compare', { tools });
    const calls = first.output.filter(({ type }) => type === 'function_call');
    same(
      calls.map((tool) => JSON.parse(tool.arguments).city),
      ['Oslo', 'Rome'],
    );
    const input = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '3' }));
    const next = await RESPONSES[way](input, { tools, previous_response_id: first.id });
    same(next.output_text, 'Rome is warmer.');
  },
  ways,
);
call(
  'responses reasoning',
  async (way) => {
    const { output } = await RESPONSES[way]('ponder', { reasoning: { summary: 'auto' } });
    same(output[0].summary[0].text, 'Step by step.');
  },
  ways,
);
call('responses incomplete', async () => {
  same((await RESPONSES.create('long')).incomplete_details, { reason: 'max_output_tokens' });
});
call('responses structured output', async () => {
  const format = zodTextFormat(Person, 'person');
  const { output_parsed } = await client.responses.parse({
    model: 'gpt-x',
    input: 'as json',
    text: { format },
  });
  same(output_parsed, { name: 'Ada', age: 36 });
});
call('many at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => CHAT.stream(`hello ${number}`)),
  );
  same(answers.map(said), Array(40).fill('Hi there.'));
});
await main();
