import { GoogleGenAI } from '@google/genai';
import { call, main, rejects, same, URL } from './cases.mjs';

const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: URL, timeout: 20_000 } });
const WAYS = {
  generate: (contents, config) => client.models.generateContent({ model: 'gemini-x', contents, config }),
  stream: async (contents, config) => {
    const chunks = [];
    const stream = await client.models.generateContentStream({ model: 'gemini-x', contents, config });
    for await (const chunk of stream) chunks.push(chunk);
    const parts = chunks.flatMap(({ candidates }) => candidates[0].content.parts);
    const last = chunks.at(-1);
    return { ...last, candidates: [{ ...last.candidates[0], content: { role: 'model', parts } }] };
  },
};
const ways = Object.keys(WAYS);
const partsOf = ({ candidates }) => candidates[0].content.parts;
const textOf = (answer) =>
  partsOf(answer)
    .map(({ text = '', thought }) => (thought ? '' : text))
    .join('');
const declaration = {
  name: 'get_weather',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
};
const tools = [{ functionDeclarations: [declaration] }];

call('says', async (way) => same(textOf(await WAYS[way]('hello')), 'Hi there.'), ways);
call(
  'system',
  async (way) => same(textOf(await WAYS[way]('who are you', { systemInstruction: 'a pirate' })), 'Arrr.'),
  ways,
);
call('chat turns', async () => {
  const chat = client.chats.create({ model: 'gemini-x' });
  const answers = [];
  for (const message of ['login', 'ann', '1234']) answers.push((await chat.sendMessage({ message })).text);
  same(answers, ['Name?', 'Password?', 'Welcome.']);
});
call(
  'parallel tools',
  async (way) => {
    const contents = [{ role: 'user', parts: [{ text: 'compare' }] }];
    const parts = partsOf(await WAYS[way](contents, { tools })).filter(({ text }) => text !== '');
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    same(
      calls.map(({ args }) => args.city),
      ['Oslo', 'Rome'],
    );
    const results = calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: { output: '3' } },
    }));
    contents.push({ role: 'model', parts }, { role: 'user', parts: results });
    same(textOf(await WAYS[way](contents, { tools })), 'Rome is warmer.');
  },
  ways,
);
call(
  'thoughts',
  async (way) => {
    const answer = await WAYS[way]('ponder', { thinkingConfig: { includeThoughts: true } });
    same(
      partsOf(answer).flatMap(({ text, thought }) => (thought ? [text] : [])),
      ['Step by step.'],
    );
  },
  ways,
);
call('usage', async (way) => same((await WAYS[way]('count')).usageMetadata.totalTokenCount, 18), ways);
call(
  'finish reason',
  async (way) => same((await WAYS[way]('long')).candidates[0].finishReason, 'MAX_TOKENS'),
  ways,
);
call('json', async () => {
  const config = { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } };
  same(JSON.parse((await WAYS.generate('as json', config)).text), { name: 'Ada', age: 36 });
});
call(
  'errors',
  (status) => rejects(WAYS.generate(`error ${status}`), (error) => error.status === Number(status)),
  ['401', '403', '404', '429', '500'],
);
call('truncated', () => rejects(WAYS.stream('cut off')));
call('models', async () => {
  const names = [];
  for await (const { name } of await client.models.list()) names.push(name);
  same(names, ['models/scripted']);
});
call('counts tokens', async () => {
  same((await client.models.countTokens({ model: 'gemini-x', contents: 'hello' })).totalTokens > 0, true);
});
await main();
