import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { bareSystemPath, CLI, tempFolder } from '../../support/cli.js';

/** The result of a call: what came back as data, and whether it was an error. */
export interface Answer {
  readonly failed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of 38 shapes.
  readonly data: any;
}

export interface HarnessClient {
  readonly client: Client;
  readonly root: string;
  /** The process of the server. */
  readonly pid: number;
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<Answer>;
  /** Calls a tool that must work. */
  readonly ok: (name: string, input?: Record<string, unknown>) => Promise<Answer['data']>;
}

export interface HarnessSettings {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `ralph-e2e mcp` in a folder of its own and connects a real MCP client to it. */
export async function connect({ args, files = {}, env = {} }: HarnessSettings): Promise<HarnessClient> {
  const root = tempFolder();
  layOut(root, files);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--root', root, ...args],
    cwd: root,
    env: { PATH: bareSystemPath(), HOME: join(root, 'nobody'), ...env },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { pid } = transport;
  if (pid === null) throw new Error('expected the server to run');
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Answer> =>
    toAnswer(await client.callTool({ name, arguments: input }, { timeout: 120_000 }));
  return {
    client,
    root,
    pid,
    call,
    ok: async (name, input) => {
      const { failed, data } = await call(name, input);
      if (failed) throw new Error(`${name} failed: ${JSON.stringify(data)}`);
      return data;
    },
  };
}

export function toAnswer(result: Awaited<ReturnType<Client['callTool']>>): Answer {
  return { failed: result.isError === true, data: result.structuredContent };
}

/** Writes files below a folder. */
export function layOut(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: /\/bin\//.test(path) ? 0o755 : 0o644 });
  }
}
