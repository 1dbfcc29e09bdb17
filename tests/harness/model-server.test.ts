import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onPrompt } from '../../src/authoring.js';
import { createModelServer } from '../../src/harness/model-server.js';
import { ask } from '../agent/support/model-client.js';
import { tempFolder } from '../support/cli.js';

test('a program can serve a script and see what was asked', async () => {
  const seen: string[] = [];
  const recordTo = join(tempFolder(), 'requests.jsonl');
  const model = await createModelServer(
    { rules: [{ on: 'hello', say: 'Hi.', turns: [{ on: 'any', say: 'Again?' }] }] },
    { recordTo, onRequest: ({ prompt }) => seen.push(prompt) },
  );
  onTestFinished(model.close);
  expect((await ask(model.url, 'messages', [{ user: 'hello' }])).text).toBe('Hi.');
  expect((await ask(model.url, 'responses', [{ user: 'bye' }])).status).toBe(400);
  expect(seen).toEqual(['hello', 'bye']);
  expect(model.requests.map(({ api, matched }) => [api, matched])).toEqual([
    ['messages', 'response[0]'],
    ['responses', null],
  ]);
  expect(model.unused()).toEqual(['response[0].turn[0]']);
  expect(model.unanswered()).toEqual([expect.stringContaining('the prompt does not match "hello"')]);
  expect(readFileSync(recordTo, 'utf8').split('\n')).toHaveLength(3);
});

test('the neutral steps of a script become the tools that the caller offers', async () => {
  const model = await createModelServer([onPrompt('write').writes('/tmp/a.txt', 'A')]);
  onTestFinished(model.close);
  const heard = await ask(model.url, 'messages', [{ user: 'write' }], { tools: true });
  expect(heard.tools).toMatchObject([{ name: 'Write', input: { file_path: '/tmp/a.txt', content: 'A' } }]);
});

test('a closed server answers nobody, and can be closed twice', async () => {
  const model = await createModelServer([onPrompt('hello').says('Hi.')]);
  await model.close();
  await model.close();
  await expect(ask(model.url, 'messages', [{ user: 'hello' }])).rejects.toThrow();
});
