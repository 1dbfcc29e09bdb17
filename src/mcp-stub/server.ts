import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson } from '../domain/common/json-lines.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import type { StubAnswer, StubScript } from '../domain/stub/script.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { resolveInside } from '../exec/files/resolve-inside.js';
import { readStubMocks } from './script.js';

interface StubOptions {
  readonly script: StubScript;
  /** A file with answers that override the script; read at every call. */
  readonly mocks?: string | undefined;
  /** A file to append every call to, one JSON object per line. */
  readonly calls?: string | undefined;
  /** The folder that the tools work in. */
  readonly cwd: string;
}

/** Thrown when the script ends the process without an answer. */
class StubDies extends Error {}

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).default({}),
});
const callSchema = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const PROTOCOL = '2025-06-18';
const INVALID = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 };

interface ToolResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** An MCP server that answers from a script, message by message. */
class StubServer {
  readonly #options: StubOptions;
  readonly #asked = new Map<string, number>();

  constructor(options: StubOptions) {
    this.#options = options;
  }

  /** Answers one line of JSON-RPC; null if it needs no answer. */
  async answer(line: string): Promise<string | null> {
    let id: string | number | null = null;
    try {
      const message = parseMessage(line);
      // Without an id it is a notification; without a method it is a reply, but we never send requests.
      if (message.id === undefined || message.method === undefined) return null;
      id = message.id;
      return reply(id, { result: await this.#run(message.method, message.params) });
    } catch (error) {
      if (error instanceof StubDies) throw error;
      const code = error instanceof ProtocolError ? error.code : INVALID.internal;
      return reply(id, { error: { code, message: messageOf(error) } });
    }
  }

  async #run(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { script } = this.#options;
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: typeof params.protocolVersion === 'string' ? params.protocolVersion : PROTOCOL,
          capabilities: { tools: {} },
          serverInfo: { name: script.name, version: script.version },
          ...(script.instructions === undefined ? {} : { instructions: script.instructions }),
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: this.#listTools() };
      case 'tools/call':
        return this.#call(params);
      default:
        throw new ProtocolError(INVALID.method, `${script.name} does not know ${method}`);
    }
  }

  /** Lists the tools of the script and those that exist only as mocks. */
  #listTools(): readonly Readonly<Record<string, unknown>>[] {
    const { script, mocks } = this.#options;
    const scripted = Object.entries(script.tools).map(([name, { description, input }]) => ({
      name,
      description,
      inputSchema: input,
    }));
    const mocked = Object.keys(mocks === undefined ? {} : readStubMocks(mocks))
      .filter((name) => !Object.hasOwn(script.tools, name))
      .map((name) => ({ name, description: 'Mocked', inputSchema: { type: 'object' } }));
    return [...scripted, ...mocked];
  }

  async #call(params: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const parsed = callSchema.safeParse(params);
    if (!parsed.success) throw new ProtocolError(INVALID.params, z.prettifyError(parsed.error));
    const { name, arguments: input } = parsed.data;
    const { answer, source } = this.#choose(name);
    if (answer.delay_ms !== undefined) await sleep(answer.delay_ms);
    const result = 'dies' in answer ? null : await play(answer, input, this.#options.cwd);
    this.#record({
      tool: name,
      arguments: input,
      source,
      died: result === null,
      is_error: result?.isError ?? false,
    });
    if (result === null) throw new StubDies(`the script lets ${name} end the server`);
    return result;
  }

  #choose(name: string): { readonly answer: StubAnswer; readonly source: 'script' | 'mock' } {
    const { script, mocks } = this.#options;
    const mock = mocks === undefined ? undefined : lookUp(readStubMocks(mocks), name);
    if (mock !== undefined) return { answer: mock, source: 'mock' };
    const answers = lookUp(script.tools, name)?.answers ?? [];
    const asked = this.#asked.get(name) ?? 0;
    this.#asked.set(name, asked + 1);
    const answer = answers[asked] ?? answers.at(-1);
    if (answer !== undefined) return { answer, source: 'script' };
    const known = Object.keys(script.tools).join(', ') || 'none';
    throw new ProtocolError(INVALID.params, `${script.name} has no tool ${name}; its tools are: ${known}`);
  }

  #record(call: Readonly<Record<string, unknown>>): void {
    const { calls } = this.#options;
    if (calls === undefined) return;
    appendFileSync(calls, `${JSON.stringify({ at: new Date().toISOString(), ...call })}\n`);
  }
}

/** Looks up a name from the client among own properties only: `constructor` is not a tool. */
function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

async function play(
  answer: Exclude<StubAnswer, { dies: true }>,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): Promise<ToolResult> {
  if ('error' in answer) return failure(fill(answer.error, input));
  if ('json' in answer)
    return { content: [text(JSON.stringify(answer.json))], structuredContent: answer.json };
  const said = text(fill(answer.text, input));
  if (answer.image === undefined) return { content: [said] };
  try {
    const target = await resolveInside(cwd, fill(answer.image, input));
    await makeFolder(dirname(target));
    await writeFileAtomic(target, Buffer.from(EMPTY_PNG, 'base64'), { durable: false });
    return { content: [said, { type: 'image', data: EMPTY_PNG, mimeType: 'image/png' }] };
  } catch (error) {
    if (error instanceof KnownError) return failure(error.message);
    throw error;
  }
}

/** One transparent point. */
const EMPTY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function failure(message: string): ToolResult {
  return { content: [text(message)], isError: true };
}

function text(value: string) {
  return { type: 'text', text: value };
}

/** Replaces `{{url}}` by the argument of that name. */
function fill(template: string, input: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = input[name];
    return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
  });
}

class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function parseMessage(line: string) {
  const content = parseJson(line);
  if (content === undefined) throw new ProtocolError(INVALID.parse, 'not JSON');
  const parsed = messageSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(INVALID.request, `not a JSON-RPC message: ${z.prettifyError(parsed.error)}`);
}

function reply(id: string | number | null, body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...body });
}

/** Serves MCP over a pair of streams until the input ends (`closed`) or the script ends the server (`died`). */
export async function serveStub(
  options: StubOptions,
  input: Readable,
  output: Writable,
): Promise<'closed' | 'died'> {
  const server = new StubServer(options);
  // One at a time: the script's answers are in the order of the calls.
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    try {
      const answer = await server.answer(line);
      if (answer !== null) output.write(`${answer}\n`);
    } catch (error) {
      if (!(error instanceof StubDies)) throw error;
      // An open input would keep the process alive.
      input.destroy();
      return 'died';
    }
  }
  return 'closed';
}
