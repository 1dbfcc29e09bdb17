import { expect, test } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt } from '../../../src/agent/builder.js';
import { serve } from '../support/model-client.js';

const part = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
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

const GOOGLE = '/v1beta/models/m:generateContent';

test.each([
  ['/v1/responses', { input: 'hi', conversation: 'conv_1' }, 'send all messages'],
  ['/v1/responses', { input: 'hi', previous_response_id: 'resp_1' }, 'send all messages'],
  ['/v1/messages', { messages: [], thread: { type: 'create' } }, 'send all messages'],
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
