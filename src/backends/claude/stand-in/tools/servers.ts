import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { asMapping, parseMapping } from '../../../../agent/stand-in/json.js';
import { isMapping } from '../../../../domain/common/json-lines.js';
import { failed, shown, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** An MCP server of a plugin that a script plays. */
export interface PlayedServer {
  /** The name in Claude Code's list: `plugin:<plugin>:<server>`. */
  readonly name: string;
  /** The program that plays it, and its script. */
  readonly program: readonly string[];
  readonly script: string;
  /** The beginning of the names of its tools. */
  readonly prefix: string;
}

interface ServerPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The MCP servers of plugins that scripts play. Each starts with the first call of one of its tools. */
export class PlayedServers {
  readonly #servers: readonly PlayedServer[];
  readonly #place: ServerPlace;
  readonly #running = new Map<string, Connection>();

  constructor(servers: readonly PlayedServer[], place: ServerPlace) {
    this.#servers = servers;
    this.#place = place;
  }

  get statuses(): readonly { readonly name: string; readonly status: string }[] {
    return this.#servers.map(({ name }) => ({ name, status: 'connected' }));
  }

  get toolNames(): readonly string[] {
    return this.#servers.flatMap(({ prefix, script }) => listTools(script).map((tool) => prefix + tool));
  }

  async call(name: string, input: Input): Promise<ToolOutcome> {
    const server = this.#servers.find(({ prefix }) => name.startsWith(prefix));
    if (server === undefined) return failed(`No such tool available: ${name}`);
    const running = this.#running.get(server.name) ?? new Connection(server, this.#place);
    this.#running.set(server.name, running);
    const answer = await running.call(name.slice(server.prefix.length), input);
    if (answer !== null) return readAnswer(answer);
    this.#running.delete(server.name);
    return failed('MCP error -32000: Connection closed');
  }
}

function listTools(script: string): string[] {
  const found = parseMapping(readFileSync(script, 'utf8'));
  if (found === null) throw new Error(`${script}: expected a JSON object with tools, found something else.`);
  return Object.keys(asMapping(found.tools));
}

/** A running server. It ends when its input does, with this program. */
class Connection {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #calls = 0;

  constructor({ program: [command = '', ...args] }: PlayedServer, { cwd, env }: ServerPlace) {
    this.#child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    // Without a reader, a message about a broken pipe would end this program.
    this.#child.stdin.on('error', () => {});
    // A program that cannot start has no output either, so the call sees that it is gone.
    this.#child.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#child.unref();
    this.#hold(false);
  }

  /** Whether this program waits for the server. It must not, once everything else is done. */
  #hold(isAwaited: boolean): void {
    const { stdout } = this.#child;
    if (!(stdout instanceof Socket)) return;
    if (isAwaited) stdout.ref();
    else stdout.unref();
  }

  /** Returns the message that answers the call, or null if the server is gone. */
  async call(tool: string, input: Input): Promise<Readonly<Record<string, unknown>> | null> {
    this.#calls += 1;
    const params = { name: tool, arguments: input };
    const request = { jsonrpc: '2.0', id: this.#calls, method: 'tools/call', params };
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    this.#hold(true);
    const answer = await this.#answerTo(this.#calls);
    this.#hold(false);
    return answer;
  }

  /** Servers also send notifications, and some write what is no message at all. */
  async #answerTo(id: number): Promise<Readonly<Record<string, unknown>> | null> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) return null;
      const message = parseMapping(value);
      if (message?.id === id) return message;
    }
  }
}

/** Claude Code shows the texts of a result to its model. */
function readAnswer({ result, error }: Readonly<Record<string, unknown>>): ToolOutcome {
  if (isMapping(error)) return failed(`MCP error ${String(error.code)}: ${String(error.message)}`);
  const { content, isError } = asMapping(result);
  const parts = (Array.isArray(content) ? content : []).map(asMapping);
  const other = parts.find(({ type }) => type !== 'text');
  if (other !== undefined)
    return failed(`ralph-e2e: the stand-in for claude shows only texts, found ${String(other.type)}`);
  const text = parts.map((part) => String(part.text)).join('\n');
  return isError === true ? failed(text) : shown(text);
}
