import { readFile } from 'node:fs/promises';
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
    answer(200, page[1], await readFile(new URL(`../public/${page[0]}`, import.meta.url)));
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
