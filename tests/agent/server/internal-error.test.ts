import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPrompt } from '../../../src/agent/builder.js';
import { tempFolder } from '../../support/cli.js';
import { ask, serve } from '../support/model-client.js';

const HI = [onPrompt('hello').says('Hi.')];
const HELLO = [{ user: 'hello' }];

test('a function onRequest that throws is named to the caller, and the server goes on', async () => {
  let calls = 0;
  const onRequest = () => {
    calls += 1;
    if (calls === 1) throw new Error('no such column');
  };
  const { url } = await serve(HI, { onRequest });
  const refused = await ask(url, 'messages', HELLO);
  expect(refused.status).toBe(500);
  expect(JSON.parse(refused.body)).toEqual({
    error: { message: 'ralph-e2e: The function onRequest threw an error: no such column' },
  });
  expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
});

test('requests that can no longer be written are an error for the caller', async () => {
  const folder = join(tempFolder(), 'log');
  const recordTo = join(folder, 'requests.jsonl');
  const { url } = await serve(HI, { recordTo });
  rmSync(folder, { recursive: true });
  const refused = await ask(url, 'responses', HELLO);
  expect(refused.status).toBe(500);
  expect(refused.body).toContain(`The requests cannot be written to ${recordTo}: ENOENT`);
});

test('a missing folder for the requests is created', async () => {
  const recordTo = join(tempFolder(), 'missing', 'requests.jsonl');
  const { url } = await serve(HI, { recordTo });
  expect((await ask(url, 'messages', HELLO)).text).toBe('Hi.');
  expect(readFileSync(recordTo, 'utf8')).toContain('"prompt":"hello"');
});

test('a folder in place of the file for the requests is an error at the start', async () => {
  const recordTo = join(tempFolder(), 'folder');
  mkdirSync(recordTo);
  await expect(serve(HI, { recordTo })).rejects.toMatchObject({
    name: 'KnownError',
    message: expect.stringContaining(`${recordTo}: EISDIR`),
  });
});
