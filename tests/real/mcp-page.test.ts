import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { becomeNewUser, packInto, ROOT } from './support/packed-package.js';
import {
  type Desk,
  followSteps,
  readRows,
  readSection,
  readSteps,
  runInShell,
} from './support/walkthrough.js';

/** The page is followed in an empty folder with nothing but the packed package. */
const SECTION = readSection(join(ROOT, 'docs/mcp.md'), 'A first call in five minutes');
const CALLS = readRows(SECTION).map(([call = '', answer = '']) => ({ call, answer }));

const user = becomeNewUser();
afterAll(user.leave);
let desk: Desk;
beforeAll(() => {
  packInto(user.folder);
  desk = followSteps(readSteps(SECTION), user.folder, user.env);
});

test('its calls are four', () => expect(CALLS).toHaveLength(4));

test.each(['sim', 'scripted'])('in the %s lane its calls come back as it says', async (lane) => {
  const call = await openServer(lane);
  let session = '';
  for (const row of CALLS) {
    const [, tool = '', input = ''] = /^`(\w+) (\{.*\})`$/.exec(row.call) ?? [];
    const data = await call(tool, JSON.parse(input.replace('…', session)));
    for (const { name, value } of readAnswer(row.answer)) {
      expect(data, tool).toMatchObject({ [name]: value ?? expect.stringMatching(/./) });
    }
    session = z.string().parse(data.session_id ?? session);
  }
  expect(session).not.toBe('');
});

test('the real Claude Code reads the file and finds the server', () => {
  const home = tempFolder();
  // What the user answers when Claude Code asks.
  mkdirSync(join(desk.cwd, '.claude'));
  writeFileSync(join(desk.cwd, '.claude/settings.local.json'), '{"enableAllProjectMcpServers":true}');
  const trusted = { projects: { [desk.cwd]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(trusted));
  const env = { ...user.withProgram(requireProgram('claude')), HOME: home };
  const { printed } = runInShell('claude mcp list', desk.cwd, env);
  expect(printed).toMatch(/^ralph-e2e: npx ralph-e2e mcp .* ✔ Connected$/m);
});

const settingsSchema = z.object({
  mcpServers: z.object({ 'ralph-e2e': z.object({ command: z.string(), args: z.array(z.string()) }) }),
});

/** Starts what the page has put into .mcp.json, in its lane or another, and calls tools that must work. */
async function openServer(lane: string) {
  const file = readFileSync(join(desk.cwd, '.mcp.json'), 'utf8');
  const { command, args } = settingsSchema.parse(JSON.parse(file)).mcpServers['ralph-e2e'];
  expect(args).toContain('sim');
  const transport = new StdioClientTransport({
    command: join(user.env.PATH ?? '', command),
    args: args.map((arg) => (arg === 'sim' ? lane : arg)),
    cwd: desk.cwd,
    env: user.withProgram(requireProgram('claude')),
    stderr: 'inherit',
  });
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent } = await client.callTool(
      { name, arguments: input },
      { timeout: 120_000 },
    );
    expect(isError, JSON.stringify(structuredContent)).not.toBe(true);
    return z.record(z.string(), z.unknown()).parse(structuredContent);
  };
}

/** `name: value` or a name alone, each in backticks. */
function readAnswer(text: string): { readonly name: string; readonly value: unknown }[] {
  return [...text.matchAll(/`(\w+)(?:: ([^`]+))?`/g)].map(([, name = '', value]) => ({
    name,
    value: value === undefined ? undefined : JSON.parse(value),
  }));
}
