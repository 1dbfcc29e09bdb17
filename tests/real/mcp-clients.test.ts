import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { parseJson } from '../../src/domain/common/json-lines.js';
import { covers } from '../coverage/covers.js';
import { CLI, startCli, tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { type Called, callEveryTool, calledSchema, EVERYTHING } from './support/all-tools.js';

const CALLER = fileURLToPath(new URL('./support/mcp_caller.py', import.meta.url));

/** What the conformance suite asks of a server with tools. Its other scenarios want prompts, resources or its own tools. */
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const LANE = ['--lane', 'scripted', '--executable', requireProgram('claude'), '--script', 'agent.yaml'];

function layOutRoot(): string {
  const root = tempFolder();
  for (const [path, text] of Object.entries(EVERYTHING)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Serves a root over HTTP. */
async function serve(): Promise<{ url: string; token: string }> {
  const { child, done, output } = startCli(['mcp', '--http', ...LANE], { cwd: layOutRoot() });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await done;
  });
  const printed = /^(http:\S+)\nAuthorization: Bearer (\S+)\n/;
  await expect.poll(output, { timeout: 50_000 }).toMatch(printed);
  const [, url = '', token = ''] = printed.exec(output()) ?? [];
  return { url, token };
}

/** Passes everything on, with the token: not every client can send one. */
async function addToken({ url, token }: { url: string; token: string }): Promise<string> {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const onward = request(url, { method: asked.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const { port } = z.object({ port: z.number() }).parse(proxy.address());
  return `http://127.0.0.1:${port}/mcp`;
}

/** Runs a program without blocking this process, which serves its requests. */
function run(command: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(command, [...args], { maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    ),
  );
}

/** Starts a Python client, and returns its tools and how to call them. */
async function startPython(name: 'mcp' | 'fastmcp', args: readonly string[], cwd: string) {
  const env = { ...process.env, PYTHONPATH: requireProgram(`client-${name}`) };
  const child = spawn('python3', [CALLER, name, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => JSON.parse(z.string().parse((await lines.next()).value));
  const { tools } = z.object({ tools: z.array(z.string()) }).parse(await read());
  const call = async (tool: string, input: Record<string, unknown>): Promise<Called> => {
    child.stdin.write(`${JSON.stringify({ name: tool, arguments: input })}\n`);
    return calledSchema.parse(await read());
  };
  return { tools, call };
}

/** The tools of the seeds: all but those that run the harness itself. */
function withoutHarness(tools: readonly string[]): string[] {
  const harness = ['list_scenarios', 'run_scenario', 'get_report', 'get_failure'];
  return tools.filter((name) => !harness.includes(name)).sort();
}

test("Python's mcp calls every tool over stdio", async () => {
  covers('H35', 'H70');
  const root = layOutRoot();
  const server = [process.execPath, CLI, 'mcp', '--root', root, ...LANE];
  const { tools, call } = await startPython('mcp', server, root);
  expect((await callEveryTool(call)).sort()).toEqual(withoutHarness(tools));
  expect(withoutHarness(tools)).toHaveLength(34);
});

test('fastmcp calls every tool over HTTP', async () => {
  covers('H35');
  const { url, token } = await serve();
  const { tools, call } = await startPython('fastmcp', [url, token], tempFolder());
  expect((await callEveryTool(call)).sort()).toEqual(withoutHarness(tools));
});

test('the Inspector calls every tool over HTTP', async () => {
  const url = await addToken(await serve());
  const inspector = join(requireProgram('client-inspector'), 'node_modules/.bin/mcp-inspector');
  const ask = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await run(inspector, ['--cli', url, '--transport', 'http', ...args]);
    const answer = parseJson(stdout);
    if (answer === undefined || answer === null) throw new Error(`the Inspector says: ${stderr}${stdout}`);
    return answer;
  };
  const listed = z.object({ tools: z.array(z.object({ name: z.string() })) });
  const { tools } = listed.parse(await ask('--method', 'tools/list'));
  const resultSchema = z.object({
    isError: z.boolean().default(false),
    structuredContent: z.record(z.string(), z.unknown()),
  });
  const worked = await callEveryTool(async (name, input) => {
    const args = Object.entries(input)
      .filter(([, value]) => value !== null)
      .flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
    const result = resultSchema.parse(await ask('--method', 'tools/call', '--tool-name', name, ...args));
    return { failed: result.isError, data: result.structuredContent };
  });
  expect(worked.sort()).toEqual(withoutHarness(tools.map(({ name }) => name)));
});

test('the conformance suite finds nothing wrong in a server with tools', async () => {
  const url = await addToken(await serve());
  const suite = join(requireProgram('client-conformance'), 'node_modules/.bin/conformance');
  const { stdout } = await run(suite, ['server', '--url', url, '--suite', 'all']);
  const verdicts = new Map(
    [...stdout.matchAll(/^[✓✗] ([\w-]+): (\d+ passed, \d+ failed)$/gm)].map(([, name, found]) => [
      name,
      found,
    ]),
  );
  for (const name of APPLICABLE)
    expect([name, verdicts.get(name)]).toEqual([name, expect.stringMatching(/^[1-9]\d* passed, 0 failed$/)]);
});
