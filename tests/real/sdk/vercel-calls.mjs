import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import * as z from 'zod';
import { call, main, rejects, same, URL } from './cases.mjs';

const openai = createOpenAI({ baseURL: `${URL}/v1`, apiKey: 'any' });
const MODELS = {
  anthropic: createAnthropic({ baseURL: `${URL}/v1`, apiKey: 'any' })('claude-x'),
  chat: openai.chat('gpt-x'),
  responses: openai.responses('gpt-x'),
  google: createGoogleGenerativeAI({ baseURL: `${URL}/v1beta`, apiKey: 'any' })('gemini-x'),
};
const names = Object.keys(MODELS);
const about = (name, prompt) => ({ model: MODELS[name], prompt, maxRetries: 0 });
const cities = [];
const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      cities.push(city);
      return '3 degrees';
    },
  }),
};

call('says', async (name) => same((await generateText(about(name, 'hello'))).text, 'Hi there.'), names);
call('streams', async (name) => same(await streamText(about(name, 'hello')).text, 'Hi there.'), names);
call(
  'system',
  async (name) => {
    same((await generateText({ ...about(name, 'who are you'), system: 'a pirate' })).text, 'Arrr.');
  },
  names,
);
call(
  'parallel tools',
  async (name) => {
    cities.length = 0;
    const { text } = await generateText({ ...about(name, 'compare'), tools, stopWhen: stepCountIs(5) });
    same([text, cities.toSorted()], ['Rome is warmer.', ['Oslo', 'Rome']]);
  },
  names,
);
call(
  'parallel tools, streamed',
  async (name) => {
    cities.length = 0;
    const { text } = streamText({ ...about(name, 'compare'), tools, stopWhen: stepCountIs(5) });
    same([await text, cities.toSorted()], ['Rome is warmer.', ['Oslo', 'Rome']]);
  },
  names,
);
call(
  'object',
  async (name) => {
    const schema = z.object({ name: z.string(), age: z.number() });
    same((await generateObject({ ...about(name, 'as json'), schema })).object, { name: 'Ada', age: 36 });
  },
  ['chat', 'responses', 'google'],
);
call('usage', async (name) => same((await generateText(about(name, 'count'))).usage.outputTokens, 7), names);
call(
  'finish reason',
  async (name) => same((await generateText(about(name, 'long'))).finishReason, 'length'),
  names,
);
call(
  'error 401',
  (name) => rejects(generateText(about(name, 'error 401')), ({ statusCode }) => statusCode === 401),
  names,
);
call(
  'retries',
  async (name) => {
    same((await generateText({ ...about(name, `flaky ${name}`), maxRetries: 4 })).text, 'At last.');
  },
  names,
);
await main();
