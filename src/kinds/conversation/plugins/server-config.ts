import * as z from 'zod';

/** How to reach an MCP server, as in a `.mcp.json`. */
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

/** Replaces `${CLAUDE_PLUGIN_ROOT}` and environment variables in a text, as Claude Code does. */
export function fillVariables(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{(\w+)(?::-([^{}]{0,200}))?\}/g, (whole, name: string, fallback?: string) => {
    return variables[name] ?? fallback ?? whole;
  });
}
