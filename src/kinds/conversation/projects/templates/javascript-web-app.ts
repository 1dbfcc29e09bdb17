import { packageJson } from './manifests.js';
import type { ProjectTemplate } from './template.js';
import { webPage } from './web-page.js';

/** A web app with a list of tasks, in JavaScript with node:http. */
export const javascriptWebApp: ProjectTemplate = {
  usage: 'PORT=3000 npm start',
  serve: ['node', 'src/main.js'],
  files: (name) => ({
    ...webPage(name),
    'package.json': packageJson(name, { scripts: { start: 'node src/main.js', test: 'node --test' } }),
    'src/tasks.js': `export class Tasks {
  items = [];

  add(title) {
    const task = { id: this.items.length + 1, title, done: false };
    this.items.push(task);
    return task;
  }

  complete(id) {
    const task = this.items.find((item) => item.id === id);
    if (task === undefined) throw new RangeError(\`no task \${id}\`);
    task.done = true;
    return task;
  }

  remaining() {
    return this.items.filter((task) => !task.done);
  }
}
`,
    'src/server.js': `import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Tasks } from './tasks.js';

const PAGES = {
  '/': ['index.html', 'text/html'],
  '/style.css': ['style.css', 'text/css'],
};

export function makeServer() {
  const tasks = new Tasks();
  return createServer(async (request, response) => {
    const answer = (status, kind, body) => response.writeHead(status, { 'content-type': kind }).end(body);
    const page = PAGES[request.url];
    if (request.url === '/api/tasks' && request.method === 'POST') {
      const title = await readTitle(request);
      if (title === undefined) return answer(400, 'text/plain', 'expected a title');
      return answer(201, 'application/json', JSON.stringify(tasks.add(title)));
    }
    if (request.url === '/api/tasks') return answer(200, 'application/json', JSON.stringify(tasks.items));
    if (page === undefined) return answer(404, 'text/plain', 'not found');
    answer(200, page[1], await readFile(new URL(\`../public/\${page[0]}\`, import.meta.url)));
  });
}

async function readTitle(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    return JSON.parse(body).title;
  } catch {
    return undefined;
  }
}
`,
    'src/main.js': `import { makeServer } from './server.js';

const server = makeServer();
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(\`http://127.0.0.1:\${server.address().port}\`);
});
`,
    'test/tasks.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tasks } from '../src/tasks.js';

test('ids count from one', () => {
  const tasks = new Tasks();
  assert.deepEqual([tasks.add('a').id, tasks.add('b').id], [1, 2]);
});

test('complete', () => {
  const tasks = new Tasks();
  tasks.add('a');
  tasks.add('b');
  tasks.complete(tasks.items[0].id);
  assert.deepEqual(tasks.remaining().map(({ title }) => title), ['b']);
});

test('complete unknown', () => assert.throws(() => new Tasks().complete(7), RangeError));
`,
    'test/server.test.js': `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeServer } from '../src/server.js';

const server = makeServer();
const at = (path) => \`http://127.0.0.1:\${server.address().port}\${path}\`;

before(() => new Promise((ready) => server.listen(0, '127.0.0.1', ready)));
after(() => {
  server.close();
  server.closeAllConnections();
});

test('serves the page', async () => {
  assert.match(await (await fetch(at('/'))).text(), /class="card"/);
  assert.match(await (await fetch(at('/style.css'))).text(), /\\.card \\{/);
});

test('adds a task', async () => {
  await fetch(at('/api/tasks'), { method: 'POST', body: JSON.stringify({ title: 'write' }) });
  const tasks = await (await fetch(at('/api/tasks'))).json();
  assert.deepEqual(tasks.map(({ title }) => title), ['write']);
});

test('refuses a task without a title', async () => {
  assert.equal((await fetch(at('/api/tasks'), { method: 'POST', body: '{}' })).status, 400);
});
`,
  }),
};
