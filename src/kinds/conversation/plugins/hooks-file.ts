import * as z from 'zod';

/** A handler of a plugin for an event of Claude Code. */
export interface PluginHook {
  /** Claude Code's name for its runs: `PreToolUse:Bash`, or only the event. */
  readonly name: string;
  readonly event: string;
  readonly matcher: string | null;
  /** The command line, or the type for other kinds of handlers. */
  readonly handler: string;
  /** Whether it is a command. Only commands can run without Claude Code. */
  readonly isCommand: boolean;
  readonly timeoutSeconds: number | null;
}

const handlerSchema = z.object({
  type: z.string(),
  command: z.string().optional(),
  timeout: z.number().positive().optional(),
});
const eventsSchema = z.record(
  z.string(),
  z.array(z.object({ matcher: z.string().optional(), hooks: z.array(handlerSchema) })),
);
const fileSchema = z.object({ hooks: eventsSchema });

/** Reads hooks.json: `{"hooks": {"<Event>": [{"matcher", "hooks": [{"type", "command"}]}]}}`. */
export function readHooks(content: unknown): { hooks: readonly PluginHook[]; problem: string | null } {
  const file = fileSchema.safeParse(content);
  if (!file.success) {
    const why = `expected {"hooks": {"<Event>": [{"hooks": [{"type": "command", "command": "…"}]}]}}: ${z.prettifyError(file.error)}`;
    return { hooks: [], problem: why };
  }
  const hooks = Object.entries(file.data.hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: handlers }) =>
      handlers.map(({ type, command, timeout }): PluginHook => {
        const plain = matcher === undefined || matcher === '' || matcher === '*';
        return {
          name: plain ? event : `${event}:${matcher}`,
          event,
          matcher: matcher ?? null,
          handler: command ?? type,
          isCommand: type === 'command' && command !== undefined,
          timeoutSeconds: timeout ?? null,
        };
      }),
    ),
  );
  return { hooks, problem: null };
}
