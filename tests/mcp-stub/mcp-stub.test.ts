import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProject, startDevServer } from '../../src/index.js';
import {
  createTestProject,
  fixturePluginFolder,
  renderProject,
} from '../../src/kinds/conversation/projects/index.js';
import { mockToolAnswer } from '../../src/mcp-stub/mocks.js';
import { covers } from '../coverage/covers.js';
import { CLI, runCli, tempFolder } from '../support/cli.js';
import { startServer } from './talk.js';

const SCRIPT = {
  name: 'sample',
  version: '3.2.1',
  instructions: 'Ask it anything.',
  tools: {
    greet: {
      description: 'Greets',
      input: { type: 'object', properties: { name: { type: 'string' } } },
      answers: [{ text: 'Hello {{name}}.' }, { text: 'You again, {{name}} {{missing}} {{list}}.' }],
    },
    count: { answers: [{ json: { total: 3 } }] },
    fail: { answers: [{ error: 'Not today, {{name}}.' }] },
    die: { answers: [{ dies: true }] },
  },
};

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

function startStub(script: unknown = SCRIPT) {
  const cwd = tempFolder();
  const [mocks, calls] = [join(cwd, 'mocks.json'), join(cwd, 'calls.jsonl')];
  writeFileSync(join(cwd, 'server.json'), JSON.stringify(script));
  const flags = ['--script', 'server.json', '--mocks', mocks, '--calls', calls];
  const server = startServer([CLI, 'mcp-stub', ...flags], { cwd });
  const recorded = () =>
    readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { ...server, cwd, mocks, recorded };
}

describe('ralph-e2e mcp-stub', () => {
  test('introduces itself, lists its tools, and ends when its client does', async () => {
    const { ask, close } = startStub();
    expect((await ask('initialize', { protocolVersion: '2024-11-05' })).result).toEqual({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'sample', version: '3.2.1' },
      instructions: 'Ask it anything.',
    });
    const tools = (await ask('tools/list')).result?.tools;
    expect(tools).toEqual([
      { name: 'greet', description: 'Greets', inputSchema: SCRIPT.tools.greet.input },
      ...['count', 'fail', 'die'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } })),
    ]);
    expect((await ask('ping')).result).toEqual({});
    expect(await close()).toEqual({ code: 0, stderr: '' });
  });

  test('answers in order, the last for ever, and records each call', async () => {
    const { call, recorded } = startStub();
    expect(await call('greet', { name: 'Ada' })).toEqual(text('Hello Ada.'));
    const again = text('You again, Bo {{missing}} [1,2].');
    expect(await call('greet', { name: 'Bo', list: [1, 2] })).toEqual(again);
    expect(await call('greet', { name: 'Bo', list: [1, 2] })).toEqual(again);
    expect(await call('count')).toEqual({ ...text('{"total":3}'), structuredContent: { total: 3 } });
    expect(await call('fail', { name: 'Ada' })).toEqual({ ...text('Not today, Ada.'), isError: true });
    expect(recorded()).toMatchObject([
      { tool: 'greet', arguments: { name: 'Ada' }, source: 'script', is_error: false, died: false },
      { tool: 'greet' },
      { tool: 'greet' },
      { tool: 'count', arguments: {} },
      { tool: 'fail', is_error: true },
    ]);
  });

  test('takes other answers while it runs, and gives them up again', async () => {
    const { ask, call, mocks, recorded } = startStub();
    await mockToolAnswer(mocks, 'count', { text: 'mocked' });
    await mockToolAnswer(mocks, 'new-tool', { error: 'not built yet' });
    expect(await call('count')).toEqual(text('mocked'));
    expect(await call('new-tool')).toEqual({ ...text('not built yet'), isError: true });
    expect(JSON.stringify((await ask('tools/list')).result)).toContain('"new-tool"');
    await mockToolAnswer(mocks, 'count', null);
    expect(await call('count')).toMatchObject({ structuredContent: { total: 3 } });
    expect(recorded().map(({ source }) => source)).toEqual(['mock', 'mock', 'script']);
  });

  test('lives on after what it cannot answer', async () => {
    const { ask, read, write, call, mocks } = startStub();
    write('{ no json');
    expect(await read()).toMatchObject({ id: null, error: { code: -32700 } });
    write('[1]');
    expect(await read()).toMatchObject({ id: null, error: { code: -32600 } });
    write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    expect((await ask('resources/list')).error).toMatchObject({ code: -32601 });
    expect((await ask('tools/call', { arguments: {} })).error).toMatchObject({ code: -32602 });
    for (const name of ['nothing', 'constructor']) {
      expect((await ask('tools/call', { name })).error?.message).toBe(
        `sample has no tool ${name}; its tools are: greet, count, fail, die`,
      );
    }
    writeFileSync(mocks, '{"count":{"text":1}}');
    expect((await ask('tools/call', { name: 'count' })).error?.message).toContain(mocks);
    writeFileSync(mocks, '{}');
    expect(await call('greet', { name: 'Ada' })).toEqual(text('Hello Ada.'));
  });

  test('plays the script of the documentation', async () => {
    const docs = readFileSync(new URL('../../docs/plugins.md', import.meta.url), 'utf8');
    const example = /## A scripted MCP server\n.*?```json\n(.*?)```/s.exec(docs)?.[1] ?? '';
    const { call } = startStub(JSON.parse(example));
    expect(await call('forecast', { city: 'Bern' })).toEqual(text('Rain in Bern.'));
    expect(await call('forecast')).toEqual({ ...text('No forecast today.'), isError: true });
  });

  test('dies when its script says so', async () => {
    const { write, ended, recorded } = startStub();
    write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"die"}}');
    expect(await ended).toEqual({ code: 1, stderr: '' });
    expect(recorded()).toMatchObject([{ tool: 'die', died: true }]);
  });

  test.each([
    [[], 'mcp-stub needs --script <file>, which was not given'],
    [['--script', 'nowhere.json'], 'but this file does not exist'],
    [['--script', 'bad.json'], 'expected JSON, found a mistake'],
    [['--script', 'wrong.json'], 'Unrecognized key: "sya"'],
  ])('says what is wrong with %j', async (flags, words) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'bad.json'), '{');
    writeFileSync(join(cwd, 'wrong.json'), '{"name":"x","tools":{},"sya":1}');
    const { code, stdout, stderr } = await runCli(['mcp-stub', ...flags], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

describe('the browser tools of visual-iteration', () => {
  async function startBrowser() {
    const cwd = join(tempFolder(), 'project');
    await createTestProject({ type: 'web-app', language: 'javascript', path: cwd, defect: 'wide-padding' });
    const plugin = fixturePluginFolder('visual-iteration');
    const args = [join(plugin, 'mcp-stub.cjs'), join(plugin, 'browser-tools.json')];
    const calls = join(cwd, '..', 'calls.jsonl');
    const server = startServer(args, { cwd, env: { RALPH_E2E_MCP_CALLS: calls } });
    return { ...server, cwd, calls };
  }

  test('draw the page from its style sheet, and say so', async () => {
    const { call, cwd, calls } = await startBrowser();
    const first = await call('screenshot', { url: 'http://localhost:3000' });
    const { 'public/style.css': good = '' } = renderProject({ type: 'web-app', language: 'javascript' });
    writeFileSync(join(cwd, 'public/style.css'), good);
    const second = await call('screenshot', { width: 200, height: 100, path: 'shots/b.png' });
    expect(first).toMatchObject({
      content: [
        {
          type: 'text',
          text: expect.stringMatching(
            /^Saved screenshots\/1\.png \(440x240\)\. This is a stub: .*\.card padding 32px/,
          ),
        },
        { type: 'image', mimeType: 'image/png' },
      ],
    });
    expect(second).toMatchObject({
      content: [{ text: expect.stringMatching(/shots\/b\.png \(200x100\).*padding 24px/) }, {}],
    });
    // The left edge of the heading is where the padding puts it: 20 + 32, then 20 + 24.
    const wide = decodePng(readFileSync(join(cwd, 'screenshots/1.png')));
    expect([wide.width, wide.height, wide.at(51, 60), wide.at(52, 60)]).toEqual([
      440,
      240,
      'ffffff',
      '222244',
    ]);
    const right = decodePng(readFileSync(join(cwd, 'shots/b.png')));
    expect([right.at(43, 60), right.at(44, 60)]).toEqual(['ffffff', '222244']);
    // A rounded corner shows the page behind the card.
    expect([right.at(20, 20), right.at(26, 26), right.at(0, 0)]).toEqual(['f4f4f8', 'ffffff', 'f4f4f8']);
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('that open pages show what a server serves, and fail without one', async () => {
    covers('C54');
    const project = await createProject({ type: 'web-app', language: 'javascript', defect: 'wide-padding' });
    onTestFinished(() => project.close());
    const script = join(tempFolder(), 'browser.json');
    const answers = [{ page: { served: true } }];
    writeFileSync(script, JSON.stringify({ name: 'browser-tools', tools: { screenshot: { answers } } }));
    const { call } = startServer([CLI, 'mcp-stub', '--script', script], { cwd: project.path });
    const server = await startDevServer(project);
    onTestFinished(() => server.close());
    const shown = await call('screenshot', { url: server.url });
    expect(JSON.stringify(shown)).toContain(`it is drawn from ${server.url}/style.css: `);
    expect(JSON.stringify(shown)).toContain('.card padding 32px');
    expect(await call('screenshot', { url: `${server.url}/nothing` })).toMatchObject({ isError: true });
    expect(await call('screenshot')).toMatchObject({ isError: true });
    await server.close();
    expect(await call('screenshot', { url: server.url })).toMatchObject({ isError: true });
  });

  test('number pictures on, and write none outside the project', async () => {
    const { call, cwd } = await startBrowser();
    mkdirSync(join(cwd, 'screenshots'));
    writeFileSync(join(cwd, 'screenshots/1.png'), 'mine');
    expect(JSON.stringify(await call('screenshot'))).toContain('Saved screenshots/2.png');
    symlinkSync(tempFolder(), join(cwd, 'out'));
    for (const path of ['../x.png', '/tmp/ralph-e2e-never.png', 'out/x.png']) {
      expect(await call('screenshot', { path }), path).toMatchObject({ isError: true });
    }
    expect(existsSync(join(cwd, '../x.png'))).toBe(false);
    expect(await call('screenshot', { width: 0 })).toMatchObject({ isError: true });
  });

  test('tell when there is no style sheet', async () => {
    const plugin = fixturePluginFolder('visual-iteration');
    const args = [join(plugin, 'mcp-stub.cjs'), join(plugin, 'browser-tools.json')];
    const { call } = startServer(args, { cwd: tempFolder() });
    expect(JSON.stringify(await call('screenshot'))).toMatch(
      /Expected a style sheet at public\/style\.css.*found none.*"isError":true/,
    );
  });
});

/** Reads the one kind of PNG that we write: 8 bits, RGB, unfiltered. */
function decodePng(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const at = (x: number, y: number) => {
    const start = y * (1 + width * 3) + 1 + x * 3;
    return rows.subarray(start, start + 3).toString('hex');
  };
  return { width, height, at };
}
