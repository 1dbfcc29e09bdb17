import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson } from '../../../domain/common/json-lines.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import type { Sandbox, SandboxEntry } from '../../../isolation/launch.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';

/** What to start, and where. */
export interface StdioServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly artifacts: string;
  readonly secrets: readonly string[];
  /** Aborts if the caller no longer wants the server, before it has answered. */
  readonly signal: AbortSignal;
  /** How long it may take for an answer. */
  readonly answerSeconds?: number;
  /** Where it runs; undefined on the host. It is closed when the server has ended. */
  readonly sandbox: Sandbox | undefined;
}

/** An MCP server does not start, does not answer, or answers something else than MCP. */
export class ServerFailedError extends KnownError {}

/** The caller no longer wanted the server before it had started. */
export class ServerCancelledError extends KnownError {}

const PROTOCOL_VERSION = '2025-06-18';
const ANSWER_SECONDS = 30;
const LEAVE_SECONDS = 30;
/** Servers are for tests: none should run longer than a day. */
const LIFETIME_MS = 24 * 3600 * 1000;

/** What a server sends: an answer, or with a method a request of its own (ping, roots). */
const messageSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
type Message = z.infer<typeof messageSchema>;

const infoSchema = z.object({
  protocolVersion: z.string(),
  serverInfo: z.object({ name: z.string(), version: z.string().default('') }),
});
const toolsSchema = z.object({ tools: z.array(z.object({ name: z.string() })) });

/** An MCP server process that speaks JSON-RPC, one message per line. */
export class StdioServer {
  readonly #dialog: Dialog;
  readonly #answerSeconds: number;
  readonly #answers = new Map<string, (answer: Message) => void>();
  /** Settles when everything of the server has ended: whether nothing of it was left. */
  readonly #over: Promise<boolean>;
  #ended: string | null = null;

  private constructor(options: StdioServerOptions, entry: SandboxEntry | undefined) {
    const { command, args, cwd, env, sandbox } = options;
    this.#answerSeconds = options.answerSeconds ?? ANSWER_SECONDS;
    this.#dialog = openDialogThrough(entry, {
      ...{ command, args, cwd, env },
      timeoutMs: LIFETIME_MS,
      stdoutPath: join(options.artifacts, 'stdout.txt'),
      stderrPath: join(options.artifacts, 'stderr.txt'),
      secrets: options.secrets,
      marker: { name: 'RALPH_E2E_MCP_SERVER', value: randomUUID() },
      onLine: (line) => this.#take(line),
    });
    this.#over = this.#dialog.ended.then(async ({ exitCode, signal, stderr, spawnError, survivors }) => {
      const words = spawnError?.message ?? stderr.head.trim().slice(-500);
      this.#ended = `it ended (${exitCode ?? signal ?? 'not started'})${words === '' ? '' : `: ${words}`}`;
      await sandbox?.close();
      return survivors.length === 0;
    });
  }

  /** Starts the server and does the MCP handshake. */
  static async start(options: StdioServerOptions): Promise<StdioServer> {
    const { command, args, cwd, env, sandbox } = options;
    const server = new StdioServer(options, await sandbox?.enter({ command, args, cwd, env }));
    const giveUp = () => void server.stop();
    options.signal.addEventListener('abort', giveUp, { once: true });
    if (options.signal.aborted) giveUp();
    try {
      const clientInfo = { name: 'ralph-e2e', version: '1' };
      const offer = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
      await server.request('initialize', offer, infoSchema);
      server.#send({ method: 'notifications/initialized' });
      options.signal.throwIfAborted();
      return server;
    } catch (error) {
      await server.stop();
      if (options.signal.aborted)
        throw new ServerCancelledError('The MCP server was ended: the call was cancelled.');
      throw error;
    } finally {
      options.signal.removeEventListener('abort', giveUp);
    }
  }

  get pid(): Promise<number | null> {
    return this.#dialog.started;
  }

  /** Why the server ended; null while it runs. */
  get ended(): string | null {
    return this.#ended;
  }

  async listTools(): Promise<string[]> {
    return (await this.request('tools/list', {}, toolsSchema)).tools.map(({ name }) => name);
  }

  /** Sends a request and returns its result. */
  async request<Result>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    schema: z.ZodType<Result>,
  ): Promise<Result> {
    const id = randomUUID();
    const answered = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    const timer = new AbortController();
    const late = sleep(this.#answerSeconds * 1000, null, { signal: timer.signal }).catch(() => null);
    const gone = this.#dialog.ended.then(() => null);
    const answer = await Promise.race([answered, late, gone]);
    timer.abort();
    this.#answers.delete(id);
    if (answer === null) {
      const why = this.#ended ?? `no answer to ${method} within ${this.#answerSeconds} s`;
      throw new ServerFailedError(`The MCP server does not answer: ${why}.`);
    }
    if (answer.error !== undefined)
      throw new ServerFailedError(`The MCP server refuses ${method}: ${answer.error.message}`);
    const result = schema.safeParse(answer.result);
    if (result.success) return result.data;
    throw new ServerFailedError(
      `The MCP server's answer to ${method} is not valid MCP: ${z.prettifyError(result.error)}`,
    );
  }

  /** Closes the input and gives the server time to end by itself, as clients do. Then it does what `stop` does. */
  async leave(seconds = LEAVE_SECONDS): Promise<boolean> {
    this.#dialog.closeInput();
    const timer = new AbortController();
    const late = sleep(seconds * 1000, null, { signal: timer.signal }).catch(() => null);
    await Promise.race([this.#over, late]);
    timer.abort();
    return this.stop();
  }

  /** Ends the server and all that it started. Returns whether all of it has ended. */
  async stop(): Promise<boolean> {
    await this.#dialog.end();
    return this.#over;
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#dialog.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #take(line: string): void {
    const message = messageSchema.safeParse(parseJson(line)).data;
    if (message === undefined) return;
    const { id, method } = message;
    if (method === undefined) return this.#answers.get(String(id))?.(message);
    // We offer nothing, but a waiting server must get an answer.
    if (method === 'ping') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: -32601, message: `ralph-e2e does not offer ${method}` } });
  }
}
