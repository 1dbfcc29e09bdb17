import { onTestFinished } from 'vitest';
import { type ModelServerOptions, startModelServer } from '../../../src/agent/server/server.js';
import { TOOL_RECIPES } from '../../../src/backends/index.js';
import type { Rule } from '../../../src/domain/agent-script.js';
import { chatClient } from './chat-client.js';
import type { Client, Heard, Turn } from './client.js';
import { geminiClient } from './gemini-client.js';
import { messagesClient } from './messages-client.js';
import { responsesClient } from './responses-client.js';

export const APIS = ['messages', 'chat-completions', 'responses', 'gemini'] as const;
type Api = (typeof APIS)[number];

/** Starts a server for one test. */
export async function serve(
  rules: readonly { readonly rule: Rule }[],
  options: Partial<ModelServerOptions> = {},
) {
  const script = { format: 1 as const, rules: rules.map(({ rule }) => rule) };
  const server = await startModelServer({ script, recipes: TOOL_RECIPES, ...options });
  onTestFinished(server.close);
  return server;
}

export interface AskOptions {
  readonly stream?: boolean;
  readonly tools?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly system?: string;
  readonly signal?: AbortSignal;
}

/** Asks a server by one of its APIs. */
export async function ask(
  url: string,
  api: Api,
  turns: readonly Turn[],
  options: AskOptions = {},
): Promise<Heard> {
  const { stream = true, tools = true, headers = {}, more = {}, system = SYSTEM, signal } = options;
  const client = CLIENTS[api];
  const body = { ...client.body(turns, system, tools, stream), ...more };
  const response = await fetch(`${url}${client.path(stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const heard = response.ok ? client.read(stream ? readEvents(text) : [JSON.parse(text)], stream) : NOTHING;
  return { ...heard, status: response.status, body: text, headers: response.headers };
}

const SYSTEM = 'You are an agent.\n - Primary working directory: /home/user/project\n';
const NOTHING = { text: '', tools: [], stop: '' };

/** The events of a stream; what is not JSON stays a text. */
function readEvents(text: string): unknown[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') return [];
    return [JSON.parse(line.slice(6))];
  });
}

const CLIENTS: Record<Api, Client> = {
  messages: messagesClient,
  'chat-completions': chatClient,
  responses: responsesClient,
  gemini: geminiClient,
};

export type { Turn };
