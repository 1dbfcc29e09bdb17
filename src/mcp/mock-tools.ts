import { randomBytes } from 'node:crypto';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { harnessVersion } from '../exec/files/package-root.js';
import { type LoopbackServer, openLoopback } from './http/loopback.js';

/** A call of a mocked tool. */
interface MockedCall {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly at: string;
}

/** The name of the MCP server that conversations see: its tools are `mcp__mocks__<tool>`. */
const SERVER_NAME = 'mocks';

/** Tools with fixed answers: an MCP server in our own process that conversations connect to. */
export class MockTools {
  readonly #answers = new Map<string, unknown>();
  readonly #token = randomBytes(24).toString('base64url');
  #server: Promise<LoopbackServer> | null = null;
  readonly calls: MockedCall[] = [];

  /** Sets the answer of a tool, also for running conversations that already have the tool. */
  register(tool: string, answer: unknown): void {
    this.#answers.set(tool, answer);
  }

  get names(): readonly string[] {
    return [...this.#answers.keys()];
  }

  /** The tools that a conversation must allow. */
  get allowed(): readonly string[] {
    return this.#answers.size === 0 ? [] : [`mcp__${SERVER_NAME}`];
  }

  /** Returns the arguments that connect a conversation to the mocked tools; empty if there are none. */
  async sessionArgs(): Promise<string[]> {
    if (this.#answers.size === 0) return [];
    this.#server ??= this.#open();
    const { url } = await this.#server;
    const headers = { Authorization: `Bearer ${this.#token}` };
    const config = { mcpServers: { [SERVER_NAME]: { type: 'http', url, headers } } };
    return ['--mcp-config', JSON.stringify(config)];
  }

  /** The ports that a conversation must reach. */
  async ports(): Promise<number[]> {
    return this.#server === null ? [] : [Number(new URL((await this.#server).url).port)];
  }

  clear(): void {
    this.#answers.clear();
    this.calls.length = 0;
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }

  #open(): Promise<LoopbackServer> {
    const handler = createMcpHandler(() => this.#serve());
    return openLoopback({
      port: 0,
      token: this.#token,
      path: '/mcp',
      answer: (request) => handler.fetch(request),
    });
  }

  #serve(): Server {
    const server = new Server(
      { name: SERVER_NAME, version: harnessVersion() },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: this.names.map((name) => ({
        name,
        description: 'Mocked: returns the answer that the test registered.',
        inputSchema: { type: 'object' },
      })),
    }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: input = {} } }) => {
      this.calls.push({ tool_name: name, input, at: new Date().toISOString() });
      const known = this.#answers.has(name);
      const text = known ? JSON.stringify(this.#answers.get(name)) : `No answer is registered for ${name}.`;
      return { content: [{ type: 'text', text }], isError: !known };
    });
    return server;
  }
}
