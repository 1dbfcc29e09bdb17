import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt, onPrompt, type RuleBuilder } from '../../../src/agent/builder.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { APIS, ask, serve } from '../support/model-client.js';

const HI = [{ user: 'hi' }];
const messageSchema = z.object({
  content: z.array(
    z.looseObject({ type: z.string(), name: z.string().optional(), id: z.string().optional() }),
  ),
  usage: z.unknown(),
  stop_reason: z.string(),
});

const TWO = `
rules:
  - on: any
    say: I look.
    steps:
      - think: Two at once.
      - together:
          - tool: first
            input: { a: 1 }
          - tool: second
      - tool: third
      - say: Seen.
    usage: [{ input_tokens: 1, output_tokens: 2 }, { input_tokens: 3, output_tokens: 4 }, { input_tokens: 5, output_tokens: 6 }]
`;

describe('several tools in one answer', () => {
  const { script } = parseScript(TWO, { format: 'yaml' });
  const [rule] = script.rules;
  if (rule === undefined) throw new Error('no rule');

  test.each(APIS)('%s', async (api) => {
    const { url } = await serve([{ rule }]);
    const heard = await ask(url, api, HI, { stream: false });
    expect(heard.text).toBe('I look.');
    expect(heard.tools.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(new Set(heard.tools.map(({ id }) => id)).size).toBe(2);
  });

  test('count as done together, and each answer has its own usage', async () => {
    const { url } = await serve([{ rule }]);
    const post = async (messages: object[]) => {
      const body = JSON.stringify({ model: 'm', messages, thinking: { type: 'adaptive' } });
      return messageSchema.parse(await (await fetch(`${url}/v1/messages`, { method: 'POST', body })).json());
    };
    const messages: object[] = [{ role: 'user', content: 'hi' }];
    const seen = [];
    for (let answers = 0; answers < 3; answers += 1) {
      const { content, usage, stop_reason } = await post(messages);
      seen.push([content.map(({ type, name }) => name ?? type), usage, stop_reason]);
      const calls = content.filter(({ type }) => type === 'tool_use');
      const results = calls.map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: 'ok',
      }));
      messages.push({ role: 'assistant', content }, { role: 'user', content: results });
    }
    expect(seen).toEqual([
      [['thinking', 'text', 'first', 'second'], { input_tokens: 1, output_tokens: 2 }, 'tool_use'],
      [['third'], { input_tokens: 3, output_tokens: 4 }, 'tool_use'],
      [['text'], { input_tokens: 5, output_tokens: 6 }, 'end_turn'],
    ]);
  });

  test.each([
    ['messages', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    ['chat-completions', { parallel_tool_calls: false }],
    ['responses', { parallel_tool_calls: false }],
  ] as const)('come one by one if the caller wants that: %s', async (api, more) => {
    const { url } = await serve([{ rule }]);
    const heard = await ask(url, api, HI, { stream: false, more });
    expect(heard.tools.map(({ name }) => name)).toEqual(['first']);
  });
});

describe('thoughts', () => {
  const RULES = [onAnyPrompt().thinks('Hm.').says('Yes.')];
  test.each([
    ['messages', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: null }],
    ['gemini', { generationConfig: { thinkingConfig: { includeThoughts: true } } }, {}],
    ['chat-completions', {}, null],
    ['responses', { reasoning: { summary: 'auto' } }, { reasoning: { effort: 'low' } }],
  ] as const)('%s sends them to callers that ask, streamed and not', async (api, more, less) => {
    const { url } = await serve(RULES);
    for (const stream of [true, false]) {
      const heard = await ask(url, api, HI, { stream, more });
      expect(heard.body).toContain('Hm.');
      expect(heard.body).toContain('Yes.');
      if (less !== null) expect((await ask(url, api, HI, { stream, more: less })).body).not.toContain('Hm.');
    }
  });
});

/** How each API says that an answer stopped early. */
const STOPS: Record<string, Record<(typeof APIS)[number], string>> = {
  max_tokens: {
    messages: '"stop_reason":"max_tokens"',
    'chat-completions': '"finish_reason":"length"',
    responses: '"incomplete_details":{"reason":"max_output_tokens"}',
    gemini: '"finishReason":"MAX_TOKENS"',
  },
  refusal: {
    messages: '"stop_reason":"refusal"',
    'chat-completions': '"finish_reason":"content_filter"',
    responses: '"incomplete_details":{"reason":"content_filter"}',
    gemini: '"finishReason":"SAFETY"',
  },
};

describe.each(Object.keys(STOPS))('stop_reason %s', (stop) => {
  test.each(APIS)('%s says so', async (api) => {
    const { rule } = onAnyPrompt().says('Half');
    const rules = [{ rule: { ...rule, respond: { ...rule.respond, stopReason: stop } } }];
    const { url } = await serve(rules);
    for (const stream of [true, false]) {
      expect((await ask(url, api, HI, { stream })).body).toContain(STOPS[stop]?.[api]);
    }
    if (api !== 'responses') return;
    expect((await ask(url, api, HI)).body).toContain('event: response.incomplete');
  });
});

test('chat completions stream token counts only if the caller asks', async () => {
  const { url } = await serve([onAnyPrompt().says('Hi.')]);
  expect((await ask(url, 'chat-completions', HI)).body).not.toContain('"usage"');
  const asked = await ask(url, 'chat-completions', HI, { more: { stream_options: { include_usage: true } } });
  expect(asked.body).toMatch(/"choices":\[\],"usage":\{/);
});

test.each(['messages', 'responses'] as const)(
  'garbage in a stream of %s belongs to an event',
  async (api) => {
    const { url } = await serve([onAnyPrompt().says('Hi.').fails({ type: 'malformed', raw: '{"half' })]);
    const response = await fetch(`${url}/v1/${api}`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
        input: 'hi',
      }),
    });
    expect(await response.text()).toMatch(/\nevent: [\w.]+\ndata: \{"half\n\n$/);
  },
);

describe('models', () => {
  const list = async (rules: RuleBuilder[], path: string, headers: Record<string, string> = {}) => {
    const { url } = await serve(rules);
    const response = await fetch(`${url}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };
  const ANTHROPIC = { 'anthropic-version': '2023-06-01' };

  test.each([
    ['/v1/models', {}, { object: 'list', data: [{ id: 'scripted', object: 'model' }] }],
    ['/v1/models/gpt-5', {}, { id: 'gpt-5', object: 'model' }],
    ['/some/base/v1/models/a%2Fb', {}, { id: 'a/b', object: 'model' }],
    ['/v1/models/%E0%A4%A', {}, { id: '%E0%A4%A', object: 'model' }],
    ['/v1/models', ANTHROPIC, { data: [{ type: 'model', id: 'scripted' }], has_more: false }],
    ['/v1/models/claude-x', ANTHROPIC, { type: 'model', id: 'claude-x' }],
    ['/v1beta/models', {}, { models: [{ name: 'models/scripted' }] }],
    ['/v1/models', { 'x-goog-api-key': 'any' }, { models: [{ name: 'models/scripted' }] }],
    ['/v1beta/models/gemini-x', {}, { name: 'models/gemini-x' }],
  ])('%s %o', async (path, headers, expected) => {
    const { status, body } = await list([onPrompt('x').says('y')], path, headers);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
  });

  test.each([
    ['/v1/embeddings', {}, { error: { code: 'model_not_found' } }],
    ['/v1/messages/batches', ANTHROPIC, { type: 'error', error: { type: 'not_found_error' } }],
    ['/v1beta/files', {}, { error: { status: 'NOT_FOUND' } }],
  ])('what is not served is an error of its API: %s', async (path, headers, expected) => {
    const { status, body } = await list([onPrompt('x').says('y')], path, headers);
    expect(status).toBe(404);
    expect(body).toMatchObject(expected);
  });
});
