import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findExecutable } from '../../src/exec/find-executable.js';
import { createProject, startDevServer } from '../../src/index.js';
import {
  createTestProject,
  renderProject,
} from '../../src/kinds/conversation/projects/create-test-project.js';
import { fixturePluginFolder } from '../../src/kinds/conversation/projects/fixture-plugins.js';
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
  const server = startServer([CLI, 'sim', 'mcp', ...flags], { cwd });
  const recorded = () =>
    readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { ...server, cwd, mocks, recorded };
}

describe('ralph-e2e sim mcp', () => {
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
    const added = { 'new-tool': { error: 'not built yet' } };
    writeFileSync(mocks, JSON.stringify({ ...added, count: { text: 'mocked' } }));
    expect(await call('count')).toEqual(text('mocked'));
    expect(await call('new-tool')).toEqual({ ...text('not built yet'), isError: true });
    expect(JSON.stringify((await ask('tools/list')).result)).toContain('"new-tool"');
    writeFileSync(mocks, JSON.stringify(added));
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
    [[], 'sim mcp needs --script <file>, which was not given'],
    [['--script', 'nowhere.json'], 'but this file does not exist'],
    [['--script', 'bad.json'], 'expected JSON, found a mistake'],
    [['--script', 'wrong.json'], 'Unrecognized key: "sya"'],
  ])('says what is wrong with %j', async (flags, words) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'bad.json'), '{');
    writeFileSync(join(cwd, 'wrong.json'), '{"name":"x","tools":{},"sya":1}');
    const { code, stdout, stderr } = await runCli(['sim', 'mcp', ...flags], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

describe('an answer with an image', () => {
  async function startStub(image: string) {
    const cwd = tempFolder();
    const script = join(tempFolder(), 'browser.json');
    const answers = [{ text: 'Saved {{path}}.', image }];
    writeFileSync(script, JSON.stringify({ name: 'browser-tools', tools: { screenshot: { answers } } }));
    return { ...startServer([CLI, 'sim', 'mcp', '--script', script], { cwd }), cwd };
  }

  test('writes an empty picture where it says', async () => {
    const { call, cwd } = await startStub('shots/{{path}}');
    const { content } = (await call('screenshot', { path: 'a.png' })) as { content: { data?: string }[] };
    expect(content).toMatchObject([
      { type: 'text', text: 'Saved a.png.' },
      { type: 'image', mimeType: 'image/png' },
    ]);
    const png = readFileSync(join(cwd, 'shots/a.png'));
    expect(png.toString('base64')).toBe(content[1]?.data);
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      1,
      1,
    ]);
  });

  test('waits for no pipe in its place', async () => {
    const { call, cwd } = await startStub('{{path}}');
    execFileSync('mkfifo', [join(cwd, 'a.png')]);
    expect(await call('screenshot', { path: 'a.png' })).toMatchObject({ content: [{}, { type: 'image' }] });
    expect(statSync(join(cwd, 'a.png')).isFile()).toBe(true);
  });

  test('writes none outside its folder', async () => {
    const { call, cwd } = await startStub('{{path}}');
    symlinkSync(tempFolder(), join(cwd, 'out'));
    for (const path of ['../x.png', '/tmp/ralph-e2e-never.png', 'out/x.png']) {
      expect(await call('screenshot', { path }), path).toMatchObject({ isError: true });
    }
    expect(existsSync(join(cwd, '../x.png'))).toBe(false);
  });
});

describe.skipIf(findExecutable('chromium', process.env.PATH) === null)(
  'the browser tools of visual-iteration',
  () => {
    async function startBrowser(cwd: string) {
      const calls = join(tempFolder(), 'calls.jsonl');
      const args = [join(fixturePluginFolder('visual-iteration'), 'browser.mjs')];
      return { ...startServer(args, { cwd, env: { RALPH_E2E_MCP_CALLS: calls } }), calls };
    }

    test('show the page as a browser renders it, and write nothing outside the project', async () => {
      const cwd = join(tempFolder(), 'project');
      await createTestProject({ type: 'web-app', language: 'javascript', path: cwd, defect: 'wide-padding' });
      const { call, calls } = await startBrowser(cwd);
      expect(await call('screenshot')).toMatchObject({
        content: [
          { text: expect.stringMatching(/^Saved screenshots\/1\.png \(440x240\), .*\.card padding 32px/) },
          { type: 'image', mimeType: 'image/png' },
        ],
      });
      const { 'public/style.css': good = '' } = renderProject({ type: 'web-app', language: 'javascript' });
      writeFileSync(join(cwd, 'public/style.css'), good);
      const second = await call('screenshot', { width: 200, height: 100 });
      expect(JSON.stringify(second)).toMatch(/Saved screenshots\/2\.png \(200x100\).*\.card padding 24px/);
      const [wide, right] = ['1.png', '2.png'].map((name) => readFileSync(join(cwd, 'screenshots', name)));
      expect([wide?.readUInt32BE(16), right?.readUInt32BE(16), right?.readUInt32BE(20)]).toEqual([
        440, 200, 100,
      ]);
      expect(await call('screenshot', { path: '../x.png' })).toMatchObject({ isError: true });
      expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(3);
    });

    test('open what a server serves, and fail without one', async () => {
      covers('C54');
      const project = await createProject({
        type: 'web-app',
        language: 'javascript',
        defect: 'wide-padding',
      });
      onTestFinished(() => project.close());
      const { call } = await startBrowser(project.path);
      const server = await startDevServer(project);
      onTestFinished(() => server.close());
      const shown = JSON.stringify(await call('screenshot', { url: server.url }));
      expect(shown).toContain(`a picture of ${server.url}`);
      expect(shown).toContain('.card padding 32px');
      expect(await call('screenshot', { url: `${server.url}/nothing` })).toMatchObject({ isError: true });
      await server.close();
      expect(await call('screenshot', { url: server.url })).toMatchObject({ isError: true });
    });
  },
);
