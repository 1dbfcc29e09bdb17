import * as z from 'zod';

/** The options with which Claude Code is called. */
export interface ClaudeCall {
  /** Folders of plugins, loaded for this session only. */
  readonly pluginDirs: readonly string[];
  readonly permissionMode: string;
  readonly allowedTools: readonly string[];
  /** More arguments: an agent, a model, limits. */
  readonly args: readonly string[];
}

/** Returns the arguments of a conversation over streaming input. */
export function claudeArgs(call: ClaudeCall, sessionId: string): string[] {
  return [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-hook-events', '--replay-user-messages', '--session-id', sessionId],
    ...claudeOptions(call),
  ];
}

/** Returns the arguments that both forms of a conversation share. */
export function claudeOptions(call: ClaudeCall): string[] {
  return [
    ...['--permission-mode', call.permissionMode],
    ...(call.allowedTools.length === 0 ? [] : ['--allowedTools', call.allowedTools.join(',')]),
    ...call.pluginDirs.flatMap((folder) => ['--plugin-dir', folder]),
    ...call.args,
  ];
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
