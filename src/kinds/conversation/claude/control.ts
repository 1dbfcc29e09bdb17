import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { SessionInit, StreamEvent } from '../../../backends/claude/stream.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';
import type { Dialog } from '../../../exec/process/dialog.js';

type ControlResponse = Extract<StreamEvent, { type: 'control_response' }>;

const LATE = Symbol('late');

/** A session that answers requests of the control protocol. */
export interface Controlled {
  control(request: Readonly<Record<string, unknown>>, timeoutSeconds: number): Promise<unknown>;
}

/** Sends requests other than prompts to the CLI. Each has an id, and answers may come at any time. */
export class ControlChannel {
  readonly #dialog: Dialog;
  readonly #waiting = new Map<string, (response: unknown) => void>();

  constructor(dialog: Dialog) {
    this.#dialog = dialog;
  }

  /** Sends a request and waits for its answer. `gone` returns why the CLI can no longer answer, or null. */
  async request(
    request: Readonly<Record<string, unknown>>,
    timeoutSeconds: number,
    gone: () => string | null,
  ): Promise<unknown> {
    const requestId = randomUUID();
    const answered = new Promise<unknown>((resolve) => this.#waiting.set(requestId, resolve));
    this.#dialog.write(JSON.stringify({ type: 'control_request', request_id: requestId, request }));
    const timer = new AbortController();
    const late = sleep(timeoutSeconds * 1000, LATE, { signal: timer.signal }).catch(() => LATE);
    const over = this.#dialog.ended.then(() => LATE);
    const answer = await Promise.race([answered, late, over]);
    timer.abort();
    this.#waiting.delete(requestId);
    if (answer !== LATE) return answer;
    const why = gone();
    throw new KnownError(
      why === null
        ? `Claude Code did not answer "${request.subtype}" within ${timeoutSeconds} s.`
        : `Claude Code has exited: ${why}.`,
    );
  }

  /** Passes an answer of the CLI to its request. */
  take({ response: { request_id: id, response, error } }: ControlResponse): void {
    this.#waiting.get(id)?.(error === undefined ? response : { error });
  }
}

/** The answer to `initialize`: the commands and agents that the session offers. */
export const initializeSchema = z.object({
  commands: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().default(''),
        argumentHint: z.string().default(''),
        aliases: z.array(z.string()).default([]),
      }),
    )
    .default([])
    .transform((commands) => commands.map(nameAfterPath)),
  agents: z.array(z.object({ name: z.string() })).default([]),
});

/** The name of a command here is its declared one. Everywhere else Claude Code uses the name of the path, as we do. */
function nameAfterPath<Command extends { readonly name: string; readonly aliases: readonly string[] }>(
  command: Command,
): Command {
  const name = command.aliases.findLast((alias) => alias.includes(':')) ?? command.name;
  const aliases = [command.name, ...command.aliases].filter((alias) => alias !== name);
  return { ...command, name, aliases };
}

const PAUSE_MS = 100;

/**
 * Asks for the MCP servers of a session until each is up or has failed, or the time is up, and returns them. Claude Code
 * starts them in parallel with the first turn, so on a busy machine their tools would be missing.
 */
export async function pollServers(session: Controlled, seconds: number): Promise<readonly ReportedServer[]> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const { mcpServers } = statusSchema.parse(await session.control({ subtype: 'mcp_status' }, seconds));
    const pending = mcpServers.some(({ status }) => status === 'pending');
    if (!pending || performance.now() > deadline) return mcpServers;
    await sleep(PAUSE_MS);
  }
}

/** The answer to `mcp_status`. The stream has only the states, without the reasons. */
const serverSchema = z.object({
  name: z.string(),
  status: z.string(),
  error: z.string().optional(),
  config: z.looseObject({ command: z.string().optional(), args: z.array(z.string()).default([]) }).optional(),
});
const statusSchema = z.object({ mcpServers: z.array(serverSchema).default([]) });

export type ReportedServer = z.infer<typeof serverSchema>;

/** Returns what Claude Code reported about itself, with the errors of the servers that failed. */
export function describeInit(
  init: SessionInit | null,
  servers: readonly ReportedServer[] = [],
): ConversationRecord['init'] {
  if (init === null) return null;
  return {
    version: init.claude_code_version,
    model: init.model,
    permissionMode: init.permissionMode,
    tools: init.tools,
    agents: init.agents,
    skills: init.skills,
    mcpServers: init.mcp_servers.map(({ name, status }) => {
      const { error, config } = servers.find((server) => server.name === name) ?? {};
      if (status !== 'failed' || error === undefined) return { name, status };
      const started = config?.command === undefined ? [] : [[config.command, ...config.args].join(' ')];
      return { name, status, error: [error, ...started].join(': ') };
    }),
    plugins: init.plugins,
    pluginErrors: init.plugin_errors,
  };
}
