import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Controlled } from './control-channel.js';

/** An MCP server of a session. */
export interface McpServer {
  readonly name: string;
  readonly status: string;
  /** Why it failed, and the command that started it. */
  readonly error?: string;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;
const ANSWER_SECONDS = 30;

/**
 * Waits until each MCP server of a session is up or has failed, and returns them. Claude Code starts them in parallel
 * with the first turn, so on a busy machine their tools would be missing. Servers that take too long stay pending.
 */
export async function awaitServers(session: Controlled): Promise<readonly McpServer[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = statusSchema.parse(await session.control({ subtype: 'mcp_status' }, ANSWER_SECONDS));
    const pending = answer.mcpServers.some(({ status }) => status === 'pending');
    if (!pending || performance.now() > deadline) return answer.mcpServers.map(describeServer);
    await sleep(PAUSE_MS);
  }
}

/** The answer to `mcp_status`. The stream has only the states, without the reasons. */
const statusSchema = z.object({
  mcpServers: z
    .array(
      z.object({
        name: z.string(),
        status: z.string(),
        error: z.string().optional(),
        config: z
          .looseObject({ command: z.string().optional(), args: z.array(z.string()).default([]) })
          .optional(),
      }),
    )
    .default([]),
});

function describeServer({
  name,
  status,
  error,
  config,
}: z.infer<typeof statusSchema>['mcpServers'][number]): McpServer {
  if (error === undefined) return { name, status };
  const started = config?.command === undefined ? [] : [[config.command, ...config.args].join(' ')];
  return { name, status, error: [error, ...started].join(': ') };
}
