import * as z from 'zod';

/** How an MCP server is reached, as a `.mcp.json` says it. */
export const serverConfigSchema = z.union([
  z.object({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ type: z.enum(['http', 'sse', 'ws']), url: z.string() }),
]);
export type ServerConfig = z.infer<typeof serverConfigSchema>;

const bareSchema = z.record(z.string(), serverConfigSchema);

/** Reads a `.mcp.json`, which may be bare or wrapped in `mcpServers`. */
export function readServers(content: unknown): {
  servers: Readonly<Record<string, ServerConfig>>;
  problem: string | null;
} {
  const wrapped = z.object({ mcpServers: z.unknown() }).safeParse(content);
  const read = bareSchema.safeParse(
    wrapped.success && wrapped.data.mcpServers !== undefined ? wrapped.data.mcpServers : content,
  );
  return read.success
    ? { servers: read.data, problem: null }
    : {
        servers: {},
        problem: `expected {"mcpServers": {"<name>": {"command": "…"}}}: ${z.prettifyError(read.error)}`,
      };
}

/** `${CLAUDE_PLUGIN_ROOT}` and variables of the environment, as Claude Code fills them in. */
export function fillVariables(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (whole, name: string, fallback?: string) => {
    return variables[name] ?? fallback ?? whole;
  });
}
