import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

/** A request that an agent CLI made: what the model would have seen. */
interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A model on loopback that gives the same answer to everything and writes down what it was sent. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  readonly close: () => Promise<void>;
}

export interface ModelServerOptions {
  readonly answer: string;
  /** Refuses every model call with 401, as a service does with a key that it does not know. */
  readonly refuse?: boolean;
}

/** Starts the server; it speaks Anthropic's Messages and OpenAI's chat completions, streamed or not. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const { method = '', url: path = '' } = request;
        requests.push({ method, path, body });
        answerRequest(response, { method, path, body }, options);
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const bodySchema = z.object({ stream: z.boolean().optional(), model: z.string().optional() });

function answerRequest(response: ServerResponse, request: ModelRequest, options: ModelServerOptions): void {
  const path = request.path.split('?')[0] ?? '';
  if (request.method !== 'POST') return sendJson(response, request.method === 'HEAD' ? 200 : 404, {});
  if (options.refuse === true) {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' };
    return sendJson(response, 401, { type: 'error', error });
  }
  if (path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
  const { stream = false, model = 'fake' } = bodySchema.parse(JSON.parse(request.body));
  if (path.endsWith('/messages')) return answerMessages(response, options.answer, model, stream);
  if (path.endsWith('/chat/completions')) return answerChat(response, options.answer, model, stream);
  sendJson(response, 404, { error: { message: `no such path: ${path}` } });
}

function answerMessages(response: ServerResponse, text: string, model: string, stream: boolean): void {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  if (!stream) {
    return sendJson(response, 200, {
      ...message,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    });
  }
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  sendStream(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

function answerChat(response: ServerResponse, text: string, model: string, stream: boolean): void {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: 'chat_1', created: 0, model };
  if (!stream) {
    const message = { role: 'assistant', content: text };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return sendJson(response, 200, { ...base, object: 'chat.completion', choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
  sendStream(response, [
    chunk({ role: 'assistant', content: text }, null),
    chunk({}, 'stop', { usage }),
    'data: [DONE]\n\n',
  ]);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendStream(response: ServerResponse, parts: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(part);
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
