import Anthropic from '@anthropic-ai/sdk';
import { call, main, rejects, same, URL } from './cases.mjs';

const client = new Anthropic({ baseURL: URL, apiKey: 'any', maxRetries: 0, timeout: 20_000 });
const TOOL = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const body = (prompt, more) => ({
  model: 'claude-x',
  max_tokens: 2000,
  messages: typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt,
  ...more,
});
const WAYS = {
  create: (prompt, more, by = client) => by.messages.create(body(prompt, more)),
  stream: (prompt, more, by = client) => by.messages.stream(body(prompt, more)).finalMessage(),
};
const ways = Object.keys(WAYS);
const textOf = ({ content }) =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

call('says', async (way) => same(textOf(await WAYS[way]('hello')), 'Hi there.'), ways);
call(
  'system',
  async (way) => same(textOf(await WAYS[way]('who are you', { system: 'a pirate' })), 'Arrr.'),
  ways,
);
call(
  'turns',
  async (way) => {
    const messages = [];
    const answers = [];
    for (const content of ['login', `ann ${way}`, '1234']) {
      messages.push({ role: 'user', content });
      const message = await WAYS[way](messages);
      messages.push({ role: 'assistant', content: message.content });
      answers.push(textOf(message));
    }
    same(answers, ['Name?', 'Password?', 'Welcome.']);
  },
  ways,
);
call(
  'parallel tools',
  async (way) => {
    const messages = [{ role: 'user', content: 'compare' }];
    const first = await WAYS[way](messages, { tools: [TOOL] });
    const uses = first.content.filter(({ type }) => type === 'tool_use');
    same(
      uses.map(({ input }) => input.city),
      ['Oslo', 'Rome'],
    );
    const results = uses.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '3' }));
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
    same(textOf(await WAYS[way](messages, { tools: [TOOL] })), 'Rome is warmer.');
  },
  ways,
);
call(
  'thinking',
  async (way) => {
    const { content } = await WAYS[way]('ponder', { thinking: { type: 'enabled', budget_tokens: 1024 } });
    same(
      content.map(({ type }) => type),
      ['thinking', 'text'],
    );
    same(content[0].thinking, 'Step by step.');
  },
  ways,
);
call('usage', async (way) => same((await WAYS[way]('count')).usage.output_tokens, 7), ways);
call('stop reason', async (way) => same((await WAYS[way]('long')).stop_reason, 'max_tokens'), ways);
call('unicode', async (way) => same(textOf(await WAYS[way]('unicode')), 'Grüße — 🦀 日本'), ways);
call(
  'errors',
  (status) => rejects(WAYS.create(`error ${status}`), (error) => error.status === Number(status)),
  ['401', '403', '404', '413', '422', '429', '500', '529'],
);
call('out of credits', () =>
  rejects(WAYS.create('no money'), (error) => error instanceof Anthropic.BadRequestError),
);
call('retries', async () => {
  same(textOf(await WAYS.create('flaky', {}, client.withOptions({ maxRetries: 4 }))), 'At last.');
});
call('truncated', () => rejects(WAYS.stream('cut off')));
call('malformed', () => rejects(WAYS.stream('garbage')));
call('timeout', () => rejects(WAYS.create('silence', {}, client.withOptions({ timeout: 500 }))));
call('models', async () => {
  const ids = [];
  for await (const { id } of client.models.list()) ids.push(id);
  same(ids, ['scripted']);
  same((await client.models.retrieve('claude-x')).id, 'claude-x');
});
call('counts tokens', async () => {
  same((await client.messages.countTokens(body('hello', { max_tokens: undefined }))).input_tokens > 0, true);
});
call('tool runner', async () => {
  const { betaTool } = await import('@anthropic-ai/sdk/helpers/beta/json-schema');
  const tool = betaTool({ ...TOOL, inputSchema: TOOL.input_schema, description: 'weather', run: () => '3' });
  same(
    textOf(await client.beta.messages.toolRunner(body('compare', { tools: [tool] })).runUntilDone()),
    'Rome is warmer.',
  );
});
call('many at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => WAYS.stream(`hello ${number}`)),
  );
  same(answers.map(textOf), Array(40).fill('Hi there.'));
});
await main();
