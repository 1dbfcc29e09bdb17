import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { serve } from '../support/model-client.js';

const LOGIN = onPrompt('login')
  .says('Name?')
  .followedBy(onAnyPrompt().runs('whoami').says('Password?'), onAnyPrompt().says('Welcome.'));

const part = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
/** What the answers of both APIs have, as far as these tests read it. */
const answerSchema = z.looseObject({
  id: z.string().default(''),
  previous_response_id: z.string().nullish(),
  output: z
    .array(part.extend({ call_id: z.string().optional(), content: z.array(part).optional() }))
    .default([]),
  content: z.array(part).default([]),
  error: z.looseObject({ message: z.string() }).nullish(),
});

async function post(url: string, path: string, body: object) {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: answerSchema.parse(await response.json()) };
}

describe('a conversation that the service keeps', () => {
  test('goes on by previous_response_id, with turns and tools', async () => {
    const { url, requests } = await serve([LOGIN]);
    const tools = [
      { type: 'function', name: 'bash', parameters: { properties: { command: {}, workdir: {} } } },
    ];
    const ask = (input: unknown, previous_response_id?: string) =>
      post(url, '/v1/responses', { model: 'm', tools, input, previous_response_id }).then(({ body }) => body);
    const first = await ask('login');
    expect(first.output[0]?.content?.[0]?.text).toBe('Name?');
    const second = await ask('ann', first.id);
    expect(second.previous_response_id).toBe(first.id);
    expect(second.output).toMatchObject([{ type: 'function_call', name: 'bash' }]);
    const call_id = second.output[0]?.call_id;
    const third = await ask([{ type: 'function_call_output', call_id, output: 'ann' }], second.id);
    expect(third.output[0]?.content?.[0]?.text).toBe('Password?');
    expect((await ask('1234', third.id)).output[0]?.content?.[0]?.text).toBe('Welcome.');
    expect(requests.map(({ matched }) => matched)).toEqual([
      'response[0]',
      'response[0].turn[0]',
      'response[0].turn[0]',
      'response[0].turn[1]',
    ]);
  });

  test('goes on by the thread of Anthropic', async () => {
    const { url } = await serve([LOGIN]);
    const ask = (content: string, thread: object) =>
      post(url, '/v1/messages', { model: 'm', messages: [{ role: 'user', content }], thread });
    const { body: first } = await ask('login', { type: 'create' });
    expect(first.content[0]?.text).toBe('Name?');
    const tools = [{ name: 'Bash', input_schema: { properties: { command: {} } } }];
    const { body: second } = await post(url, '/v1/messages', {
      model: 'm',
      tools,
      messages: [{ role: 'user', content: 'ann' }],
      thread: { type: 'continue', previous_message_id: first.id },
    });
    expect(second.content).toMatchObject([{ type: 'tool_use', name: 'Bash' }]);
  });

  test.each([
    ['/v1/responses', { input: 'hi', previous_response_id: 'resp_x' }, 400, 'previous_response_not_found'],
    [
      '/v1/messages',
      {
        messages: [{ role: 'user', content: 'hi' }],
        thread: { type: 'continue', previous_message_id: 'msg_x' },
      },
      404,
      'thread_not_found',
    ],
  ])('that does not exist is refused as the service does: %s', async (path, body, status, code) => {
    const { url, requests } = await serve([onAnyPrompt().says('Hi.')]);
    const refused = await post(url, path, { model: 'm', ...body });
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body)).toContain(code);
    expect(requests).toMatchObject([{ outcome: 'bad-request', status }]);
  });

  test('is not there if the caller does not want it kept', async () => {
    const { url } = await serve([onAnyPrompt().says('Hi.')]);
    const { body } = await post(url, '/v1/responses', { model: 'm', input: 'hi', store: false });
    const next = { model: 'm', input: 'hi', previous_response_id: body.id };
    expect((await post(url, '/v1/responses', next)).status).toBe(400);
  });
});

const GOOGLE = '/v1beta/models/m:generateContent';

test.each([
  ['/v1/responses', { input: 'hi', conversation: 'conv_1' }, 'use previous_response_id'],
  ['/v1/responses', { input: 'hi', background: true }, 'answers at once'],
  ['/v1/chat/completions', { messages: [], n: 2 }, 'one choice'],
  ['/v1/chat/completions', { messages: [], logprobs: true }, 'no probabilities'],
  ['/v1/chat/completions', { messages: [], modalities: ['text', 'audio'] }, 'only with text'],
  ['/v1/responses', { input: 'hi', top_logprobs: 3 }, 'no probabilities'],
  ['/v1/responses', { input: 'hi', include: ['message.output_text.logprobs'] }, 'no probabilities'],
  [GOOGLE, { contents: [], generationConfig: { candidateCount: 2 } }, 'one candidate'],
  [GOOGLE, { contents: [], generation_config: { candidate_count: 2 } }, 'one candidate'],
  [GOOGLE, { contents: [], generationConfig: { responseLogprobs: true } }, 'no probabilities'],
  [GOOGLE, { contents: [], generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, 'only with text'],
])('what this server does not do is refused, never silently left out: %s %o', async (path, body, reason) => {
  const { url } = await serve([onAnyPrompt().says('Hi.')]);
  const refused = await post(url, path, { model: 'm', ...body });
  expect(refused.status).toBe(400);
  expect(refused.body.error?.message).toContain(reason);
});

test.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], modalities: ['text'], n: 1 }],
  ['/v1/responses', { input: 'hi', top_logprobs: 0, include: ['reasoning.encrypted_content'] }],
  [
    GOOGLE,
    {
      contents: [{ parts: [{ text: 'hi' }] }],
      generationConfig: { responseModalities: ['TEXT'], candidateCount: 1 },
    },
  ],
])('the same settings with the values that this server has are accepted: %s %o', async (path, body) => {
  const { url } = await serve([onAnyPrompt().says('Hi.')]);
  expect((await post(url, path, { model: 'm', ...body })).status).toBe(200);
});
