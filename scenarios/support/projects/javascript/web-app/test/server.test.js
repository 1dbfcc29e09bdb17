import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeServer } from '../src/server.js';

const server = makeServer();
const at = (path) => `http://127.0.0.1:${server.address().port}${path}`;

before(() => new Promise((ready) => server.listen(0, '127.0.0.1', ready)));
after(() => {
  server.close();
  server.closeAllConnections();
});

test('serves the page', async () => {
  assert.match(await (await fetch(at('/'))).text(), /class="card"/);
  assert.match(await (await fetch(at('/style.css'))).text(), /\.card \{/);
});

test('adds a task', async () => {
  await fetch(at('/api/tasks'), { method: 'POST', body: JSON.stringify({ title: 'write' }) });
  const tasks = await (await fetch(at('/api/tasks'))).json();
  assert.deepEqual(tasks.map(({ title }) => title), ['write']);
});

test('refuses a task without a title', async () => {
  assert.equal((await fetch(at('/api/tasks'), { method: 'POST', body: '{}' })).status, 400);
});
