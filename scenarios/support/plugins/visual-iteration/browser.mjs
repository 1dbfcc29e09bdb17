// An MCP server over stdio with one tool: it opens a page in chromium, measures the card on it, and saves a picture.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe'];

/** What a designer asks about the card: the element, the property, and its unit. */
const MEASURED = [
  ['body', 'background-color'],
  ['.card', 'width'],
  ['.card', 'padding-top'],
  ['.card', 'border-top-left-radius'],
  ['.card', 'background-color'],
  ['.card h1', 'font-size'],
  ['.card h1', 'color'],
  ['.card button', 'background-color'],
];

const side = { type: 'integer', minimum: 1, maximum: 2000 };
const TOOL = {
  name: 'screenshot',
  description: 'Opens a page in a browser, and saves a picture of it as PNG in the workspace',
  inputSchema: {
    type: 'object',
    properties: {
      url: { type: 'string', description: 'the address of the page; by default, public/ in the workspace' },
      width: side,
      height: side,
      path: { type: 'string', description: 'where the picture goes; screenshots/<n>.png by default' },
    },
  },
};

async function takeScreenshot({ url, width = 440, height = 240, path = freePath() }) {
  if (relative('.', resolve(path)).startsWith('..')) throw new Error(`${path} is outside the workspace`);
  const server = url === undefined ? await servePublic() : null;
  const browser = openBrowser();
  try {
    const { targetId } = await browser.ask('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.ask('Target.attachToTarget', { targetId, flatten: true });
    const size = { width, height, deviceScaleFactor: 1, mobile: false };
    await browser.ask('Emulation.setDeviceMetricsOverride', size, sessionId);
    await browser.ask('Page.enable', {}, sessionId);
    const loaded = browser.next('Page.loadEventFired');
    const address = url ?? `http://127.0.0.1:${server.address().port}/`;
    const { errorText } = await browser.ask('Page.navigate', { url: address }, sessionId);
    if (errorText !== undefined) throw new Error(`${address} cannot be opened: ${errorText}`);
    await loaded;
    const expression = `(${measure})(${JSON.stringify(MEASURED)})`;
    const { result } = await browser.ask('Runtime.evaluate', { expression, returnByValue: true }, sessionId);
    if (result.value === null || result.value === undefined) throw new Error(`${address} shows no card`);
    const { data } = await browser.ask('Page.captureScreenshot', { format: 'png' }, sessionId);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(data, 'base64'));
    return {
      data,
      text: `Saved ${path} (${width}x${height}), a picture of ${address}. It shows ${result.value}.`,
    };
  } finally {
    await browser.close();
    server?.close();
    server?.closeAllConnections();
  }
}

/** Runs in the page. */
function measure(wanted) {
  const hex = (text) =>
    text.replace(
      /rgb\((\d+), (\d+), (\d+)\)/,
      (_, ...parts) =>
        `#${parts
          .slice(0, 3)
          .map((part) => Number(part).toString(16).padStart(2, '0'))
          .join('')}`,
    );
  const words = {
    'padding-top': 'padding',
    'border-top-left-radius': 'border-radius',
    'background-color': 'background',
  };
  const values = wanted.map(([selector, property]) => {
    const element = document.querySelector(selector);
    return (
      element && `${selector} ${words[property] ?? property} ${hex(getComputedStyle(element)[property])}`
    );
  });
  return document.querySelector('.card') && values.filter(Boolean).join(', ');
}

/** Starts chromium with a profile of its own, and talks with it over two pipes. */
function openBrowser() {
  const folders = (process.env.PATH ?? '').split(':');
  const program = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (program === undefined) throw new Error(`there is no browser on PATH: ${NAMES.join(', ')}`);
  const profile = mkdtempSync(join(tmpdir(), 'browser-tools-'));
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
  const chromium = spawn(program, [...FLAGS, `--user-data-dir=${profile}`], { stdio });
  const waiting = new Map();
  let asked = 0;
  let rest = '';
  chromium.stdio[4].setEncoding('utf8').on('data', (text) => {
    const messages = `${rest}${text}`.split('\0');
    rest = messages.pop();
    for (const { id, method, result, error } of messages.map((message) => JSON.parse(message))) {
      waiting.get(id ?? method)?.(error === undefined ? { result } : { error });
      waiting.delete(id ?? method);
    }
  });
  const fail = (error) => {
    for (const settle of waiting.values()) settle({ error });
  };
  // A pipe that breaks says less than the end of the program.
  chromium.stdio[3].on('error', () => {});
  chromium.on('error', fail).on('exit', () => fail(new Error('the browser ended')));
  const wait = (key) =>
    new Promise((done, failed) => {
      waiting.set(key, ({ result, error }) => (error === undefined ? done(result) : failed(error)));
    });
  return {
    next: wait,
    ask(method, params, sessionId) {
      const id = ++asked;
      chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return wait(id);
    },
    async close() {
      // Nobody waits for more.
      waiting.clear();
      const ended = new Promise((done) => chromium.once('close', done));
      chromium.stdio[3].end(`${JSON.stringify({ id: 0, method: 'Browser.close' })}\0`);
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Serves public/ as the web app does. */
function servePublic() {
  const types = { '.html': 'text/html', '.css': 'text/css' };
  const server = createServer(({ url }, response) => {
    const path = join('public', url === '/' ? 'index.html' : join('/', decodeURIComponent(url)));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(readFileSync(path));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

function freePath() {
  let number = 1;
  while (existsSync(`screenshots/${number}.png`)) number += 1;
  return `screenshots/${number}.png`;
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'browser-tools', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': async ({ arguments: input = {} }) => {
    const log = process.env.RALPH_E2E_MCP_CALLS;
    if (log !== undefined) appendFileSync(log, `${JSON.stringify({ tool: TOOL.name, arguments: input })}\n`);
    try {
      const { data, text } = await takeScreenshot(input);
      // No structured content: Claude Code would show it to the model instead of the text.
      return {
        content: [
          { type: 'text', text },
          { type: 'image', data, mimeType: 'image/png' },
        ],
      };
    } catch (error) {
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  // A message without an id is a notification and gets no answer.
  if (id === undefined) continue;
  const run = METHODS[method];
  const reply = run
    ? { result: await run(params) }
    : { error: { code: -32601, message: `browser-tools does not know ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
