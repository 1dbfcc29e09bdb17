// The same script in your own test: no CLI and no model. Run it: node --test agent.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createAgent } from 'ralph-e2e';

const SCRIPT = fileURLToPath(new URL('agent.yaml', import.meta.url));

test('the agent adds', async () => {
  const agent = await createAgent(SCRIPT);
  const { text } = await agent.execute('What is 40 plus 2?');
  assert.equal(text, 'It is 42.');
});

test('the agent continues the conversation', async () => {
  const agent = await createAgent(SCRIPT);
  await agent.execute('I want to log in');
  const { text } = await agent.execute('Ada');
  assert.equal(text, 'Welcome, Ada.');
});
